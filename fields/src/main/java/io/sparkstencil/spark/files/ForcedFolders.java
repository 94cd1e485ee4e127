/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Forces the names in folders to disk. Windows has no such call, and needs none; neither have some
 * file systems of networks and of users, nor can it be asked of a folder that may be written and
 * not read.
 *
 * <p>What fails says so in words of the system's language alone. So a failure is taken for a
 * missing call only if a trial says the same: in a new folder of the same file system, whose file
 * is forced, which a broken or full disk does not do, the names cannot be forced either. Any other
 * failure is one of the disk, and a folder that fails while a new one does not is broken itself.
 */
final class ForcedFolders {
  static final ForcedFolders OF_THIS_MACHINE = new ForcedFolders(LocalDisk::force);

  /** File systems without the call. */
  private final Set<FileStore> without = ConcurrentHashMap.newKeySet();

  private final Force force;

  /** Forces what lies at a path to disk. */
  @FunctionalInterface
  interface Force {
    void force(Path place, OpenOption how) throws IOException;
  }

  ForcedFolders(Force force) {
    this.force = force;
  }

  /**
   * Forces the names in a folder to disk.
   *
   * @throws IOException if the disk fails
   */
  void force(Path folder) throws IOException {
    try {
      force.force(folder, StandardOpenOption.READ);
    } catch (AccessDeniedException e) { // when it is opened
      return;
    } catch (ClosedByInterruptException | NoSuchFileException e) {
      throw e;
    } catch (IOException e) {
      FileStore store = Files.getFileStore(folder);
      if (!without.contains(store)) {
        requireMissingCall(folder, e);
        without.add(store);
      }
    }
  }

  private void requireMissingCall(Path folder, IOException failure) throws IOException {
    Path trial = null;
    boolean fails = false;
    try {
      trial = Files.createTempDirectory(folder, ".stencil-");
      Path file = Files.createFile(trial.resolve("forced"));
      Files.write(file, new byte[] {1});
      force.force(file, StandardOpenOption.WRITE);
      fails = !isForced(trial);
    } catch (IOException e) {
      failure.addSuppressed(e);
    } finally {
      remove(trial);
    }
    if (!fails) {
      throw failure;
    }
  }

  private boolean isForced(Path folder) throws IOException {
    try {
      force.force(folder, StandardOpenOption.READ);
      return true;
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      return false;
    }
  }

  private static void remove(Path trial) throws IOException {
    if (trial != null) {
      Files.deleteIfExists(trial.resolve("forced"));
      Files.deleteIfExists(trial);
    }
  }
}

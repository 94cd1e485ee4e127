/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A folder of this machine that a process works in, and a lock in it that the system takes back
 * when the process ends, however it does. So others tell what is in use from what was left behind.
 */
final class LockedFolder implements AutoCloseable {
  private static final String LOCK = ".lock";

  /** After this, a folder without a lock is taken for left behind. */
  private static final Duration OLD = Duration.ofDays(1);

  /**
   * Those of this process, which could take its own locks away by asking for them, and whose files
   * would be closed if nothing referred to them.
   */
  private static final Map<Path, FileChannel> HELD = new ConcurrentHashMap<>();

  private final Path folder;
  private final FileChannel file;

  private LockedFolder(Path folder, FileChannel file) {
    this.folder = folder;
    this.file = file;
    HELD.put(folder, file);
  }

  /** Makes a folder, and those that it lies in, and locks it, where the file system has locks. */
  static LockedFolder make(Path folder) throws IOException {
    Path place = folder.toAbsolutePath();
    Files.createDirectories(place);
    LockedFolder made =
        new LockedFolder(
            place,
            FileChannel.open(
                place.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE));
    try {
      made.file.tryLock();
    } catch (IOException e) {
      Files.deleteIfExists(place.resolve(LOCK)); // its age will tell
    }
    return made;
  }

  /** Returns the folder, locked, if it is of this user and no process works in it any more. */
  static Optional<LockedFolder> takeOver(Path folder) {
    Path place = folder.toAbsolutePath();
    if (HELD.containsKey(place) || !Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    try {
      return Files.getOwner(place).equals(me()) ? locked(place) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty(); // another has removed it
    }
  }

  private static Optional<LockedFolder> locked(Path place) throws IOException {
    Path lock = place.resolve(LOCK);
    if (!Files.exists(lock, LinkOption.NOFOLLOW_LINKS)) {
      Instant changed = Files.getLastModifiedTime(place).toInstant();
      return changed.isBefore(Instant.now().minus(OLD))
          ? Optional.of(make(place))
          : Optional.empty();
    }
    FileChannel file = FileChannel.open(lock, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    FileLock taken = null;
    try {
      taken = file.tryLock();
    } catch (OverlappingFileLockException e) {
      return Optional.empty(); // a thread of this process is at it
    } finally {
      if (taken == null) {
        file.close();
      }
    }
    return taken == null ? Optional.empty() : Optional.of(new LockedFolder(place, file));
  }

  /** Returns the user of this process, as the owner of its files: containers have no other name. */
  private static UserPrincipal me() throws IOException {
    Path file = Files.createTempFile("stencil-", ".tmp");
    try {
      return Files.getOwner(file);
    } finally {
      Files.delete(file);
    }
  }

  /** Returns where it is. */
  Path folder() {
    return folder;
  }

  /** Gives the lock back; who wants the folder removed does so before. */
  @Override
  public void close() throws IOException {
    HELD.remove(folder);
    file.close();
  }
}

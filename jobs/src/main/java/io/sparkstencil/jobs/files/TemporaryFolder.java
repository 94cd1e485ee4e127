/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.files;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.util.ShutdownHookManager;

/**
 * A folder for what Spark keeps on disk while it runs in this process, which goes when that ends.
 */
public final class TemporaryFolder {
  private static final String PREFIX = "stencil-spark-";

  /** The names that are made here; others with this prefix are somebody's own. */
  private static final Pattern MADE = Pattern.compile(PREFIX + "[0-9]+");

  /** After all hooks of Spark and of file systems, which clear the folder. */
  private static final int LAST = 1;

  private TemporaryFolder() {}

  /**
   * Makes a folder that no other user can read, and removes those that processes that were killed
   * have left.
   *
   * @param parent the folder for temporary files
   */
  public static Path make(Path parent, Consumer<String> notes) throws IOException {
    removeLeft(parent, notes);
    Path folder = Files.createTempDirectory(parent, PREFIX);
    LockedFolder held = LockedFolder.make(folder);
    ShutdownHookManager.get().addShutdownHook(() -> delete(held), LAST);
    return folder;
  }

  private static boolean delete(LockedFolder held) {
    try {
      return held.remove(folder -> FileUtil.fullyDelete(folder.toFile()));
    } catch (IOException e) {
      return false; // the next run removes it
    }
  }

  private static void removeLeft(Path parent, Consumer<String> notes) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path each : all) {
        if (!MADE.matcher(each.getFileName().toString()).matches()) {
          continue;
        }
        Optional<LockedFolder> left = LockedFolder.takeOver(each);
        if (left.isPresent()) {
          try (LockedFolder held = left.get()) {
            if (delete(held)) {
              notes.accept(
                  "removed %s, which a run that was killed has left".formatted(held.folder()));
            }
          }
        }
      }
    }
  }
}

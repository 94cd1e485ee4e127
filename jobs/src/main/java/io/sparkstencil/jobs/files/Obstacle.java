/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.files;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;

/** Why no folder can be created at a place. */
final class Obstacle {
  private Obstacle() {}

  /** Returns what is in the way of a folder at {@code place}, if that can be known. */
  static Optional<String> below(FileSystem files, Path place) {
    for (Path each = place; each != null; each = each.getParent()) {
      try {
        FileStatus status = files.getFileStatus(each);
        if (status.isFile()) {
          return Optional.of("%s is a file".formatted(each));
        }
        return files instanceof LocalFileSystem local
            ? refusal(local.pathToFile(each))
            : Optional.empty();
      } catch (FileNotFoundException | ParentNotDirectoryException e) {
        // what exists is above
      } catch (IOException e) {
        return Optional.empty();
      }
    }
    return Optional.empty();
  }

  private static Optional<String> refusal(File folder) throws IOException {
    if (Files.getFileStore(folder.toPath()).isReadOnly()) {
      return Optional.of("%s is on a file system that is read-only".formatted(folder));
    }
    return Files.isWritable(folder.toPath()) && folder.canExecute()
        ? Optional.empty()
        : Optional.of("permission denied for %s".formatted(folder));
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.result;

import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.spark.files.LocalDisk;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Text files that readers always see whole: they are written beside their place, then moved. */
public final class WholeFile {
  private WholeFile() {}

  /**
   * Makes a folder, so that nothing is measured in vain.
   *
   * @throws InvalidStencilException if that is not possible, or nothing can be written there
   */
  public static void requireFolder(Path folder) {
    try {
      Files.createDirectories(folder);
      Files.delete(Files.createTempFile(folder, ".survey", ".new"));
    } catch (IOException e) {
      throw new InvalidStencilException(
          "cannot write to --folder %s (%s); name a folder that can be written to"
              .formatted(folder, e),
          e);
    }
  }

  /**
   * Writes a file, replacing one of the same name.
   *
   * @throws StencilException if the file system does not let the file be made or replaced
   */
  public static void write(Path file, String text) throws IOException {
    Path beside = file.resolveSibling("." + file.getFileName() + ".new");
    try {
      Files.writeString(beside, text);
      LocalDisk.forceFile(beside);
      Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      LocalDisk.forceFolder(file.toAbsolutePath().getParent());
    } catch (FileSystemException e) {
      throw new StencilException(
          ErrorCode.INVALID_ARGUMENT,
          "cannot write %s (%s); make room for it there, or name another folder with --folder"
              .formatted(file, e),
          e);
    } finally {
      Files.deleteIfExists(beside);
    }
  }
}

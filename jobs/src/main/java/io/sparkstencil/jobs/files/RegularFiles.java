/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.files;

import io.sparkstencil.error.InvalidStencilException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Local files that are read must have an end: pipes and devices have none, or wait for ever. */
public final class RegularFiles {
  private RegularFiles() {}

  /**
   * Requires that a path is no pipe, socket or device; it may be a folder, or missing.
   *
   * @param option that names it
   * @throws InvalidStencilException if it is
   */
  public static void require(String option, Path path) {
    if (Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path)) {
      throw new InvalidStencilException(
          "%s %s is a pipe, a socket or a device, which is not read; write what comes out of it to a file, and name that"
              .formatted(option, path));
    }
  }
}

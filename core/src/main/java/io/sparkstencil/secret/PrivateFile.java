/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.secret;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Makes files that only their owner may read and write, whatever the mask of the process is. */
public final class PrivateFile {
  private static final String OWNER_ONLY = "rw-------";

  private PrivateFile() {}

  /**
   * Makes an empty file, which must not be there. File systems without the permissions of POSIX
   * give it their own.
   */
  public static void create(Path path) throws IOException {
    boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
    Files.createFile(
        path,
        posix
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWNER_ONLY))
            }
            : new FileAttribute<?>[0]);
  }
}

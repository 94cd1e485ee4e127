/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.security.AccessControlException;

/** A file system that refuses to say anything of files whose paths contain {@code /c/}. */
public final class RefusingFileSystem extends RawLocalFileSystem {
  @Override
  public URI getUri() {
    return URI.create("refusing:///");
  }

  @Override
  public String getScheme() {
    return "refusing";
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    if (path.toString().contains("/c/")) {
      throw new AccessControlException("Permission denied: " + path);
    }
    return super.getFileStatus(path);
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** A file system under another name that, as HDFS does, refuses to rename onto a file. */
public final class WholeFileSystem extends RawLocalFileSystem {
  @Override
  public URI getUri() {
    return URI.create("whole:///");
  }

  @Override
  public String getScheme() {
    return "whole";
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    return !exists(to) && super.rename(from, to);
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import java.io.IOException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.security.AccessControlException;

/**
 * A file system of which files can be read and not listed: that is {@code refused} or {@code
 * unsupported}, as the authority says, or the list is {@code endless}.
 */
public final class UnlistedFileSystem extends HarshFileSystem {
  /** Returns what a message says of a list. */
  public static String says(String list) {
    return switch (list) {
      case "refused" -> "not allowed to list";
      case "unsupported" -> "no lists here";
      default -> "names";
    };
  }

  @Override
  public FileStatus[] listStatus(Path path) throws IOException {
    switch (getUri().getAuthority()) {
      case "refused" -> throw new AccessControlException(says("refused") + " " + path);
      case "unsupported" -> throw new UnsupportedOperationException(says("unsupported"));
      default -> throw new IOException("a page at a time, please");
    }
  }

  @Override
  public RemoteIterator<LocatedFileStatus> listFiles(Path path, boolean recursive)
      throws IOException {
    if (!getUri().getAuthority().equals("endless")) {
      listStatus(path);
    }
    FileStatus metadata = getFileStatus(new Path(path, "zarr.json"));
    return new RemoteIterator<>() {
      private long count;

      @Override
      public boolean hasNext() {
        return true;
      }

      @Override
      public LocatedFileStatus next() {
        LocatedFileStatus next = new LocatedFileStatus(metadata, null);
        next.setPath(new Path(path, "other/" + count++));
        return next;
      }
    };
  }
}

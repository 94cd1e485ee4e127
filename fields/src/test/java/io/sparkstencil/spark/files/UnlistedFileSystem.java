/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.Progressable;

/**
 * A file system like a store of objects, of which files can be read and not listed: that is {@code
 * refused} or {@code unsupported}, as the authority says, or the list is {@code endless}.
 */
public final class UnlistedFileSystem extends FileSystem {
  private final RawLocalFileSystem local = new RawLocalFileSystem();
  private URI uri;

  @Override
  public void initialize(URI name, org.apache.hadoop.conf.Configuration conf) throws IOException {
    super.initialize(name, conf);
    uri = URI.create("unlisted://" + name.getAuthority());
    local.initialize(URI.create("file:///"), conf);
  }

  /** Returns what a message says of a list. */
  public static String says(String list) {
    return switch (list) {
      case "refused" -> "not allowed to list";
      case "unsupported" -> "no lists here";
      default -> "names";
    };
  }

  @Override
  public URI getUri() {
    return uri;
  }

  @Override
  public String getScheme() {
    return "unlisted";
  }

  private static Path local(Path path) {
    return new Path(path.toUri().getPath());
  }

  private FileStatus named(FileStatus found) {
    return new FileStatus(
        found.getLen(),
        found.isDirectory(),
        1,
        found.getBlockSize(),
        found.getModificationTime(),
        new Path(uri.getScheme(), uri.getAuthority(), found.getPath().toUri().getPath()));
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    return named(local.getFileStatus(local(path)));
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    return local.open(local(path), bufferSize);
  }

  @Override
  public FileStatus[] listStatus(Path path) throws IOException {
    switch (uri.getAuthority()) {
      case "refused" -> throw new AccessControlException(says("refused") + " " + path);
      case "unsupported" -> throw new UnsupportedOperationException(says("unsupported"));
      default -> throw new IOException("a page at a time, please");
    }
  }

  @Override
  public RemoteIterator<LocatedFileStatus> listFiles(Path path, boolean recursive)
      throws IOException {
    if (!uri.getAuthority().equals("endless")) {
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

  @Override
  public FSDataOutputStream create(
      Path path,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    throw new AccessControlException("files are only read");
  }

  @Override
  public FSDataOutputStream append(Path path, int bufferSize, Progressable progress)
      throws IOException {
    throw new AccessControlException("files are only read");
  }

  @Override
  public boolean rename(Path from, Path to) {
    return false;
  }

  @Override
  public boolean delete(Path path, boolean recursive) {
    return false;
  }

  @Override
  public void setWorkingDirectory(Path folder) {
    local.setWorkingDirectory(local(folder));
  }

  @Override
  public Path getWorkingDirectory() {
    return new Path(uri.getScheme(), uri.getAuthority(), "/");
  }

  @Override
  public boolean mkdirs(Path path, FsPermission permission) {
    return false;
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PositionedReadable;
import org.apache.hadoop.fs.Seekable;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * A file system whose process can be killed in the middle of what it does, and whose disk can be
 * full. Under the scheme {@code harsh} it is like HDFS: it does not rename onto files, and of those
 * that make a file one succeeds. Under {@code s3a} it is like a store of objects: they appear when
 * they are closed, the last one wins, and renaming copies.
 */
public class HarshFileSystem extends FileSystem {
  private static final AtomicLong CHANGES_LEFT = new AtomicLong(Long.MAX_VALUE);
  private static final AtomicLong BYTES_LEFT = new AtomicLong(Long.MAX_VALUE);

  private URI uri;
  private Path home = new Path("/");

  /** Has the process end before a change that follows so many others, until it is revived. */
  public static void killAfter(long changes) {
    CHANGES_LEFT.set(changes);
  }

  /** Has the disk be full after so many bytes, until it is revived. */
  public static void fillAfter(long bytes) {
    BYTES_LEFT.set(bytes);
  }

  /** Ends the troubles. */
  public static void revive() {
    CHANGES_LEFT.set(Long.MAX_VALUE);
    BYTES_LEFT.set(Long.MAX_VALUE);
  }

  private static void requireAlive() throws IOException {
    if (CHANGES_LEFT.get() <= 0) {
      throw new IOException("the process has ended");
    }
  }

  private static void change() throws IOException {
    if (CHANGES_LEFT.getAndDecrement() <= 0) {
      throw new IOException("the process has ended");
    }
  }

  @Override
  public void initialize(URI name, Configuration conf) throws IOException {
    super.initialize(name, conf);
    String authority = name.getAuthority() == null ? "" : name.getAuthority();
    uri = URI.create("%s://%s/".formatted(name.getScheme(), authority));
  }

  private boolean isStore() {
    return uri.getScheme().equals("s3a");
  }

  private static java.nio.file.Path disk(Path path) {
    return java.nio.file.Path.of(path.toUri().getPath());
  }

  @Override
  public String getScheme() {
    return uri.getScheme();
  }

  @Override
  public URI getUri() {
    return uri;
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    requireAlive();
    try {
      return new FSDataInputStream(new Bytes(Files.readAllBytes(disk(path))));
    } catch (NoSuchFileException e) {
      throw new FileNotFoundException(e.toString());
    }
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
    change();
    java.nio.file.Path file = disk(path);
    if (!overwrite && Files.exists(file)) {
      throw new FileAlreadyExistsException(path.toString());
    }
    Files.createDirectories(file.getParent());
    if (!isStore()) {
      if (overwrite) {
        Files.write(file, new byte[0]);
      } else {
        try {
          Files.write(file, new byte[0], StandardOpenOption.CREATE_NEW);
        } catch (java.nio.file.FileAlreadyExistsException e) {
          throw new FileAlreadyExistsException(path.toString());
        }
      }
    }
    return new FSDataOutputStream(new Written(file), null);
  }

  /** Bytes that come to the disk when they are closed, or a part of them as the process ends. */
  private final class Written extends ByteArrayOutputStream {
    private final java.nio.file.Path file;
    private boolean closed;

    Written(java.nio.file.Path file) {
      this.file = file;
    }

    @Override
    public void close() throws IOException {
      if (closed) {
        return;
      }
      closed = true;
      try {
        change();
        if (BYTES_LEFT.addAndGet(-count) < 0) {
          throw new IOException("No space left on device");
        }
      } catch (IOException e) {
        if (!isStore() && Files.exists(file)) {
          Files.write(file, Arrays.copyOf(buf, count / 2));
        }
        throw e;
      }
      Files.write(file, toByteArray());
    }
  }

  @Override
  public FSDataOutputStream append(Path path, int bufferSize, Progressable progress) {
    throw new UnsupportedOperationException("append");
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    change();
    if (!isStore()) {
      if (Files.exists(disk(to))) {
        return false;
      }
      Files.move(disk(from), disk(to));
      return true;
    }
    Files.copy(disk(from), disk(to), StandardCopyOption.REPLACE_EXISTING);
    change();
    Files.delete(disk(from));
    return true;
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    requireAlive();
    if (!Files.exists(disk(path))) {
      return false;
    }
    List<java.nio.file.Path> all;
    try (Stream<java.nio.file.Path> files = Files.walk(disk(path))) {
      all = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (java.nio.file.Path each : all) {
      if (isStore()) {
        change();
      }
      Files.deleteIfExists(each);
    }
    change();
    return true;
  }

  @Override
  public FileStatus[] listStatus(Path path) throws IOException {
    FileStatus here = getFileStatus(path);
    if (here.isFile()) {
      return new FileStatus[] {here};
    }
    try (Stream<java.nio.file.Path> files = Files.list(disk(path))) {
      List<Path> found = files.map(each -> new Path(path, each.getFileName().toString())).toList();
      FileStatus[] statuses = new FileStatus[found.size()];
      for (int i = 0; i < statuses.length; i++) {
        statuses[i] = getFileStatus(found.get(i));
      }
      return statuses;
    }
  }

  @Override
  public void setWorkingDirectory(Path path) {
    home = path;
  }

  @Override
  public Path getWorkingDirectory() {
    return home;
  }

  @Override
  public boolean mkdirs(Path path, FsPermission permission) throws IOException {
    change();
    Files.createDirectories(disk(path));
    return true;
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    requireAlive();
    java.nio.file.Path file = disk(path);
    if (!Files.exists(file)) {
      LocalDisk.requireMissing(file);
      throw new FileNotFoundException(path.toString());
    }
    return new FileStatus(
        Files.size(file),
        Files.isDirectory(file),
        1,
        1 << 20,
        Files.getLastModifiedTime(file).toMillis(),
        makeQualified(path));
  }

  private static final class Bytes extends ByteArrayInputStream
      implements Seekable, PositionedReadable {
    Bytes(byte[] bytes) {
      super(bytes);
    }

    @Override
    public void seek(long position) {
      pos = (int) position;
    }

    @Override
    public long getPos() {
      return pos;
    }

    @Override
    public boolean seekToNewSource(long position) {
      return false;
    }

    @Override
    public int read(long position, byte[] into, int offset, int length) {
      seek(position);
      return read(into, offset, length);
    }

    @Override
    public void readFully(long position, byte[] into, int offset, int length) throws IOException {
      if (position + length > count) {
        throw new java.io.EOFException();
      }
      System.arraycopy(buf, (int) position, into, offset, length);
    }

    @Override
    public void readFully(long position, byte[] into) throws IOException {
      readFully(position, into, 0, into.length);
    }
  }
}

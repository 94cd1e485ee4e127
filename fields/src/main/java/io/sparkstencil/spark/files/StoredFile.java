/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.StreamCapabilities;

/** A file or folder on a file system. Failures are {@link FieldFileException}s. */
public final class StoredFile {
  /** Stores whose files appear whole when they are closed, and where renaming copies. */
  private static final Set<String> OBJECT_STORES =
      Set.of("s3", "s3a", "s3n", "gs", "oss", "cosn", "obs", "wasb", "wasbs");

  final FileSystem files;
  final Path path;

  private StoredFile(FileSystem files, Path path) {
    this.files = files;
    this.path = path;
  }

  /**
   * Finds the file system of a path. Nothing need exist there.
   *
   * @throws FieldFileException if the path is not one, or its file system is unknown
   */
  public static StoredFile of(String path, Configuration hadoop) {
    try {
      Path named = new Path(path);
      FileSystem files = named.getFileSystem(hadoop);
      // The local file system without the files of checksums that Hadoop puts beside each file.
      FileSystem plain = files instanceof LocalFileSystem local ? local.getRawFileSystem() : files;
      return new StoredFile(plain, plain.makeQualified(named));
    } catch (IllegalArgumentException e) {
      throw FieldFileException.wrongCall(
          "\"%s\" is not a path: %s; use a path such as data/u.npy or hdfs://host/u.npy"
              .formatted(path, e.getMessage()));
    } catch (IOException e) {
      throw FieldFileException.failed("finding the file system of", path, e);
    }
  }

  /** Returns a file inside this folder. */
  public StoredFile child(String relative) {
    return new StoredFile(files, new Path(path, relative));
  }

  /** Returns the folder that this one lies in, or nothing for a root. */
  public Optional<StoredFile> parent() {
    return Optional.ofNullable(path.getParent()).map(parent -> new StoredFile(files, parent));
  }

  /** Returns a new name beside this one, which readers of folders take for hidden. */
  public StoredFile hidden(String suffix) {
    return new StoredFile(
        files,
        new Path(
            path.getParent(), ".%s.%s.%s".formatted(path.getName(), UUID.randomUUID(), suffix)));
  }

  /** Returns the last part of the path. */
  public String name() {
    return path.getName();
  }

  /** Returns the local path, or nothing if the file is on another file system. */
  public Optional<java.nio.file.Path> local() {
    return "file".equals(path.toUri().getScheme())
        ? Optional.of(java.nio.file.Path.of(path.toUri().getPath()))
        : Optional.empty();
  }

  /** Returns the path on a disk of this machine, whatever the name of the file system. */
  Optional<java.nio.file.Path> disk() {
    return files instanceof RawLocalFileSystem raw
        ? Optional.of(raw.pathToFile(path).toPath())
        : Optional.empty();
  }

  /**
   * Returns the length in bytes, or nothing if there is nothing of this name.
   *
   * @throws FieldFileException if there is something else than a file, or it cannot be reached
   */
  public Optional<Long> length() {
    Optional<FileStatus> status = status();
    if (status.isPresent()) {
      requireFile(status.get());
    }
    return status.map(FileStatus::getLen);
  }

  private void requireFile(FileStatus status) {
    try {
      if (!status.isFile()) {
        throw new IOException("it is a folder, not a file");
      }
      Optional<java.nio.file.Path> disk = disk();
      if (disk.isPresent()) {
        LocalDisk.requireRegular(disk.get());
      }
    } catch (IOException e) {
      throw FieldFileException.failed("reading", path, e);
    }
  }

  /** Returns whether there is a file of this name, not a folder. */
  public boolean isFile() {
    return status().filter(FileStatus::isFile).isPresent();
  }

  /**
   * Returns the file that this path names, or that it leads into, as {@code x.nc/t2m} does; nothing
   * if there is no file on the way.
   */
  public Optional<StoredFile> fileOnTheWay() {
    IOException first = null;
    for (Path each = path; each != null; each = each.getParent()) {
      try {
        boolean isFile = files.getFileStatus(each).isFile();
        if (!isFile && first != null) {
          throw FieldFileException.failed("looking for", path, first);
        }
        return isFile ? Optional.of(new StoredFile(files, each)) : Optional.empty();
      } catch (IllegalArgumentException | FileNotFoundException ignored) {
        // There is none, or none can have such a name.
      } catch (IOException e) { // some file systems refuse to look below a file
        first = first == null ? e : first;
      }
    }
    return Optional.empty();
  }

  /** Returns what leads from a file on the way of this path to its end; nothing for the file. */
  public String pathFrom(StoredFile file) {
    String inside = path.toString().substring(file.path.toString().length());
    return inside.startsWith("/") ? inside.substring(1) : inside;
  }

  /** Returns whether there is a file or folder of this name. */
  public boolean exists() {
    return status().isPresent();
  }

  /**
   * Returns what is there, or nothing if nothing is.
   *
   * @throws FieldFileException if it cannot be reached
   */
  Optional<FileStatus> status() {
    try {
      return Optional.of(files.getFileStatus(path));
    } catch (FileNotFoundException e) {
      requireMissing();
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // HDFS refuses names with a colon: no file can have one
    } catch (IOException e) {
      throw FieldFileException.failed("looking for", path, e);
    }
  }

  private void requireMissing() {
    try {
      Optional<java.nio.file.Path> disk = disk();
      if (disk.isPresent()) {
        LocalDisk.requireMissing(disk.get());
      }
    } catch (IOException e) {
      throw FieldFileException.failed("looking for", path, e);
    }
  }

  /** Returns the files and folders in this folder in the order of names; none if it is missing. */
  public List<StoredFile> list() {
    try {
      List<StoredFile> found = new ArrayList<>();
      FileStatus[] listed = files.listStatus(path);
      Optional<java.nio.file.Path> disk = disk();
      if (disk.isPresent() && Files.isDirectory(disk.get())) {
        // Hadoop leaves out what cannot be reached.
        LocalDisk.list(disk.get()).forEach(each -> found.add(child(each.getFileName().toString())));
      } else {
        for (FileStatus each : listed) {
          found.add(new StoredFile(files, each.getPath()));
        }
      }
      found.sort((a, b) -> a.name().compareTo(b.name()));
      return found;
    } catch (FileNotFoundException e) {
      requireMissing();
      return List.of();
    } catch (IOException e) {
      throw FieldFileException.failed("listing", path, e);
    }
  }

  /** Opens the file for reading at any position. */
  public FSDataInputStream open() {
    try {
      return files.open(path);
    } catch (FileNotFoundException e) {
      if (status().isEmpty()) {
        throw missing();
      }
      throw FieldFileException.failed("opening", path, e);
    } catch (IOException e) {
      throw FieldFileException.failed("opening", path, e);
    }
  }

  /** Returns the failure that says that there is no such file. */
  public FieldFileException missing() {
    return FieldFileException.wrongCall("there is no file %s; check the path".formatted(path));
  }

  /**
   * Reads the whole file, or nothing if there is none.
   *
   * @param mostBytes the longest file that is read
   * @throws FieldFileException if the file is longer, or cannot be read
   */
  public Optional<byte[]> read(long mostBytes) {
    Optional<Long> length = length();
    if (length.isEmpty()) {
      return Optional.empty();
    }
    if (length.get() > mostBytes) {
      throw FieldFileException.broken(
          "%s has %d bytes, and at most %d are expected; is it the right file?"
              .formatted(path, length.get(), mostBytes));
    }
    try (FSDataInputStream in = files.open(path)) {
      byte[] bytes = new byte[Math.toIntExact(length.get())];
      in.readFully(0, bytes);
      return Optional.of(bytes);
    } catch (IOException e) {
      throw FieldFileException.failed("reading", path, e);
    }
  }

  /** Opens the file for writing from the start, and makes the folders that it lies in. */
  private FSDataOutputStream create() {
    disk().ifPresent(place -> makeParent());
    try {
      return files.create(path, true);
    } catch (IOException e) {
      throw FieldFileException.failed("creating", path, e);
    }
  }

  /** What writes the bytes of a file. */
  @FunctionalInterface
  public interface Content {
    /** Writes all bytes. */
    void writeTo(FSDataOutputStream out) throws IOException;
  }

  /**
   * Writes the file so that it appears with all its bytes or not at all, and takes the place of one
   * of that name. The bytes are forced to disk before the file appears, where the file system can
   * do that, and on a disk of this machine so is the name before this returns.
   */
  public void writeWhole(Content content) {
    writeHidden(content).ifPresent(written -> written.renameTo(this));
  }

  /** Writes the file as {@link #writeWhole(Content)} does. */
  public void writeWhole(byte[] bytes) {
    writeWhole(out -> out.write(bytes));
  }

  /**
   * Writes the file as {@link #writeWhole(Content)} does, from one of several runs of a task that
   * all write the same bytes: a file that another run has finished may stay.
   */
  public void writeFromTask(Content content) {
    writeHidden(content)
        .ifPresent(
            written -> {
              if (local().isEmpty() && written.length().equals(length())) {
                written.delete();
              } else {
                written.renameTo(this);
              }
            });
  }

  /** Returns the file that is to be renamed, or nothing where files appear whole by themselves. */
  private Optional<StoredFile> writeHidden(Content content) {
    boolean appearsWhole = OBJECT_STORES.contains(path.toUri().getScheme());
    StoredFile written = appearsWhole ? this : hidden("tmp");
    try (FSDataOutputStream out = written.create()) {
      content.writeTo(out);
      if (out.hasCapability(StreamCapabilities.HSYNC)) {
        out.hsync();
      }
    } catch (IOException | RuntimeException e) {
      written.deleteAfter(e);
      throw e instanceof IOException failed
          ? FieldFileException.failed("writing", path, failed)
          : (RuntimeException) e;
    }
    return appearsWhole ? Optional.empty() : Optional.of(written);
  }

  /**
   * Gives the file another name, and removes a file that has it. On a disk of this machine the name
   * is forced to disk.
   */
  public void renameTo(StoredFile target) {
    try {
      if (!files.rename(path, target.path)) {
        // Most file systems do not rename onto a file.
        files.delete(target.path, false);
        if (!files.rename(path, target.path)) {
          throw new IOException("the file system refused to rename " + path.getName());
        }
      }
      Optional<java.nio.file.Path> disk = target.disk();
      if (disk.isPresent()) {
        LocalDisk.forceFolder(disk.get().getParent());
      }
    } catch (IOException e) {
      throw FieldFileException.failed("writing", target.path, e);
    }
  }

  /** Forces the bytes of a file on a disk of this machine to that disk. */
  public void force() {
    try {
      Optional<java.nio.file.Path> disk = disk();
      if (disk.isPresent()) {
        LocalDisk.forceFile(disk.get());
      }
    } catch (IOException e) {
      throw FieldFileException.failed("writing", path, e);
    }
  }

  /** Makes the folder that this file or folder is to lie in. */
  public void makeParent() {
    if (path.getParent() != null) {
      new StoredFile(files, path.getParent()).makeFolder();
    }
  }

  /** Makes the folder and those that it lies in. */
  public void makeFolder() {
    try {
      List<java.nio.file.Path> made = disk().map(LocalDisk::missingFolders).orElse(List.of());
      if (!files.mkdirs(path)) {
        throw new IOException("the file system refused to make it");
      }
      for (java.nio.file.Path each : made) {
        LocalDisk.forceFolder(each.getParent());
      }
    } catch (IOException e) {
      throw FieldFileException.failed("making the folder", path, e);
    }
  }

  /** Removes the file, or the folder with all that lies in it; does nothing if it is missing. */
  public void delete() {
    try {
      files.delete(path, true);
    } catch (IOException e) {
      throw FieldFileException.failed("removing", path, e);
    }
  }

  private void deleteAfter(Exception failure) {
    try {
      files.delete(path, false);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** Returns the whole path with its scheme, for messages and for tasks. */
  @Override
  public String toString() {
    return path.toString();
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.files;

import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.spark.files.LocalDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A place for a table or a file that appears there whole or not at all: it is written into a hidden
 * folder beside the place and renamed in the end. Where the file system has no atomic rename, such
 * as an object store, it appears while being renamed.
 */
public final class Destination implements AutoCloseable {
  private final String named; // as the user did, with the option
  private final FileSystem files;
  private final Path place;
  private final Workshop workshop;
  private final boolean overwrite;

  private Destination(String named, FileSystem files, Path place, boolean overwrite) {
    this.named = named;
    this.files = files;
    this.place = place;
    this.overwrite = overwrite;
    this.workshop = new Workshop(files, place);
  }

  /** What writes a file. */
  @FunctionalInterface
  public interface Content {
    /** Writes the whole content to {@code file}. */
    void writeTo(java.nio.file.Path file) throws IOException;
  }

  /**
   * Returns the destination of a table.
   *
   * @param option the option that named it, for messages
   * @param given a path, of Spark's default file system unless it says another
   * @param notes what is told of what killed runs have left there
   * @throws InvalidStencilException if it exists and {@code overwrite} is false, or holds what is
   *     no table
   */
  public static Destination table(
      String option,
      String given,
      boolean overwrite,
      Configuration configuration,
      Consumer<String> notes) {
    String named = option + " " + given;
    try {
      Destination table = at(named, new Path(given), overwrite, configuration, notes);
      if (table.isFolder()) {
        table.requireTable();
      }
      return table;
    } catch (IllegalArgumentException | IOException e) {
      throw unreachable(named, e);
    }
  }

  /**
   * Returns the destination of a file of this machine.
   *
   * @param option the option that named it, for messages
   * @param given its path, or null
   * @param notes what is told of what killed runs have left there
   * @return the destination, or null if {@code given} is null
   * @throws InvalidStencilException if it exists and {@code overwrite} is false, or is a folder
   */
  public static Destination file(
      String option,
      String given,
      boolean overwrite,
      Configuration configuration,
      Consumer<String> notes) {
    if (given == null) {
      return null;
    }
    String named = option + " " + given;
    try {
      Path path = new Path(java.nio.file.Path.of(given).toUri());
      Destination file = at(named, path, overwrite, configuration, notes);
      if (file.isFolder()) {
        throw new InvalidStencilException("%s is a folder; name a file".formatted(named));
      }
      return file;
    } catch (IllegalArgumentException | IOException e) {
      throw unreachable(named, e);
    }
  }

  private static Destination at(
      String named,
      Path given,
      boolean overwrite,
      Configuration configuration,
      Consumer<String> notes)
      throws IOException {
    FileSystem files = given.getFileSystem(configuration);
    Path place = files.makeQualified(given);
    if (place.isRoot()) {
      throw new InvalidStencilException("%s is a root folder".formatted(named));
    }
    Destination found = new Destination(named, files, place, overwrite);
    found.workshop.putRight(notes);
    if (!overwrite && files.exists(place)) {
      throw new InvalidStencilException(
          "%s exists; choose another place, or use --overwrite to replace it".formatted(named));
    }
    return found;
  }

  private static InvalidStencilException unreachable(String named, Exception cause) {
    return new InvalidStencilException(
        "%s cannot be reached: %s".formatted(named, cause.getMessage()), cause);
  }

  private boolean isFolder() throws IOException {
    return files.exists(place) && files.getFileStatus(place).isDirectory();
  }

  /** A folder is replaced if it holds what Spark writes for a table, and nothing else. */
  private void requireTable() throws IOException {
    for (FileStatus each : files.listStatus(place)) {
      String name = each.getPath().getName();
      if (!name.matches("[._].*|part-.*|.+=.*")) {
        throw new InvalidStencilException(
            "%s is not a table: it holds %s, which would be lost; choose another place"
                .formatted(named, name));
      }
    }
  }

  /**
   * Requires this destination to be apart from what is read and from other destinations.
   *
   * @param input what is read, as the user named it
   * @param read its files and folders
   * @throws InvalidStencilException if what is there would be lost, or two would be one
   */
  public void requireApart(String input, List<Path> read, List<Destination> others) {
    for (Path each : read) {
      if (holds(place, each)) {
        throw new InvalidStencilException(
            "%s would replace %s %s; choose another place".formatted(named, input, each));
      }
    }
    for (Destination other : others) {
      if (holds(place, other.place) || holds(other.place, place)) {
        throw new InvalidStencilException(
            "%s and %s would replace each other; choose separate places"
                .formatted(other.named, named));
      }
    }
  }

  private static boolean holds(Path place, Path other) {
    for (Path each = other; each != null; each = each.getParent()) {
      if (each.equals(place)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Makes the folder to write in, so that nothing is computed in vain.
   *
   * @throws StencilException if that is not possible
   */
  public void requireWritable() {
    try {
      workshop.open();
    } catch (IOException e) {
      throw unwritable(named, files, place.getParent(), e);
    }
  }

  private static StencilException unwritable(
      String named, FileSystem files, Path folder, IOException cause) {
    String why = Obstacle.below(files, folder).orElse(cause.getMessage());
    return new StencilException(
        ErrorCode.INVALID_ARGUMENT,
        "cannot write to %s: %s; choose another place for %s".formatted(folder, why, named),
        cause);
  }

  /**
   * Requires that files can be made in a folder, so that nothing is computed in vain. The folder is
   * made for that, and removed if it was not there.
   *
   * @param option the option that named it, for messages
   * @param given its path, of Spark's default file system unless it says another
   * @throws StencilException if that is not possible
   */
  public static void requireFolder(String option, String given, Configuration configuration) {
    String named = option + " " + given;
    try {
      Path folder = new Path(given);
      FileSystem files = folder.getFileSystem(configuration);
      folder = files.makeQualified(folder);
      Path made = files.exists(folder) ? null : folder;
      Path trial = new Path(folder, "." + UUID.randomUUID());
      try {
        if (!files.mkdirs(trial)) {
          throw new IOException("no folder can be created there");
        }
        files.delete(made == null ? trial : made, true);
      } catch (IOException e) {
        throw unwritable(named, files, folder, e);
      }
    } catch (IllegalArgumentException | IOException e) {
      throw unreachable(named, e);
    }
  }

  /** Returns where to write. */
  public Path temporary() {
    return workshop.made();
  }

  /** Writes a file of this machine, which is not in its place until it is committed. */
  public void write(Content content) {
    requireWritable();
    try {
      java.nio.file.Path file = java.nio.file.Path.of(temporary().toUri());
      content.writeTo(file);
      LocalDisk.forceFile(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + this, e);
    }
  }

  /**
   * Puts what was written in its place.
   *
   * @throws InvalidStencilException if something has come there meanwhile that is not to be
   *     replaced
   */
  public void commit() {
    Path replaced = workshop.replaced();
    try {
      boolean replaces = overwrite && files.exists(place);
      if (replaces && !files.rename(place, replaced)) {
        throw new IOException("cannot rename %s to %s".formatted(place, replaced));
      }
      try {
        Publication.publish(files, temporary(), place);
      } catch (IOException e) {
        if (replaces && !files.exists(place) && !files.rename(replaced, place)) {
          e.addSuppressed(new IOException("what was there is now " + replaced));
        }
        throw e;
      }
      if (Workshop.isLocal(place)) {
        LocalDisk.forceFolder(Workshop.local(place.getParent()));
      }
      if (replaces) {
        files.delete(replaced, true);
      }
    } catch (FileAlreadyExistsException e) {
      throw new InvalidStencilException(
          overwrite
              ? "%s was created by another just now; run this again to replace it".formatted(place)
              : "%s was created while the job ran; nothing was replaced".formatted(place),
          e);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot put the result at " + place, e);
    }
  }

  /** Removes what is left of the writing. */
  @Override
  public void close() {
    try {
      workshop.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove what was written beside " + place, e);
    }
  }

  /** Returns the place in the form that the user can open: a plain path where it is local. */
  @Override
  public String toString() {
    return place.toUri().getScheme().equals("file") ? place.toUri().getPath() : place.toString();
  }
}

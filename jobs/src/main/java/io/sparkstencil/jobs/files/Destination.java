/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.files;

import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.error.StencilException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A place for a table that appears there whole or not at all: it is written into a hidden folder
 * beside the place and renamed in the end. Where the file system has no atomic rename, as object
 * stores, it appears while being renamed.
 */
public final class Destination implements AutoCloseable {
  private final FileSystem files;
  private final Path place;
  private final Path workshop; // a hidden folder beside the place
  private final Path temporary;
  private final boolean overwrite;

  private Destination(FileSystem files, Path place, boolean overwrite) {
    this.files = files;
    this.place = place;
    this.overwrite = overwrite;
    this.workshop = beside("new");
    this.temporary = new Path(workshop, place.getName());
  }

  /**
   * Returns the destination {@code path}.
   *
   * @param option the option that named it, for messages
   * @throws InvalidStencilException if it exists and {@code overwrite} is false
   */
  public static Destination at(
      String path, String option, boolean overwrite, Configuration configuration) {
    try {
      Path given = new Path(path);
      FileSystem files = given.getFileSystem(configuration);
      Path place = files.makeQualified(given);
      if (place.isRoot()) {
        throw new InvalidStencilException("%s %s is a root".formatted(option, path));
      }
      if (!overwrite && files.exists(place)) {
        throw new InvalidStencilException(
            "%s %s exists; give another place, or --overwrite to replace it"
                .formatted(option, path));
      }
      requireTable(files, place, option + " " + path);
      return new Destination(files, place, overwrite);
    } catch (IllegalArgumentException | IOException e) {
      throw new InvalidStencilException(
          "%s %s cannot be reached: %s".formatted(option, path, e.getMessage()), e);
    }
  }

  /** A folder is replaced if it holds what Spark writes for a table, and nothing else. */
  private static void requireTable(FileSystem files, Path place, String named) throws IOException {
    if (!files.exists(place) || !files.getFileStatus(place).isDirectory()) {
      return;
    }
    for (FileStatus each : files.listStatus(place)) {
      String name = each.getPath().getName();
      if (!name.matches("[._].*|part-.*|.+=.*")) {
        throw new InvalidStencilException(
            "%s is no table: it holds %s, which would be lost; give another place"
                .formatted(named, name));
      }
    }
  }

  /**
   * Makes the folder to write in, so that nothing is computed in vain.
   *
   * @throws StencilException if that is not possible
   */
  public void requireWritable() {
    try {
      if (!files.mkdirs(workshop)) {
        throw new IOException("no folder can be made there");
      }
      files.deleteOnExit(workshop); // also when the process is interrupted
    } catch (IOException e) {
      throw new StencilException(
          ErrorCode.INVALID_ARGUMENT,
          "cannot write to %s: %s".formatted(place.getParent(), e.getMessage()),
          e);
    }
  }

  /** Returns where to write. */
  public Path temporary() {
    return temporary;
  }

  /** Returns the place in the form that the user can open: a plain path where it is local. */
  public String shown() {
    return place.toUri().getScheme().equals("file") ? place.toUri().getPath() : place.toString();
  }

  /** Puts what was written in its place. */
  public void commit() {
    try {
      Path replaced = null;
      if (files.exists(place)) {
        if (!overwrite) {
          throw new InvalidStencilException(
              "%s has come into being while the job ran; nothing was replaced".formatted(place));
        }
        replaced = beside("old");
        rename(place, replaced);
      }
      try {
        rename(temporary, place);
      } catch (IOException e) {
        if (replaced != null) {
          rename(replaced, place);
        }
        throw e;
      }
      if (replaced != null) {
        files.delete(replaced, true);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot put the result at " + place, e);
    }
  }

  /** Removes what is left of the writing. */
  @Override
  public void close() {
    try {
      files.delete(workshop, true);
      files.cancelDeleteOnExit(workshop);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + workshop, e);
    }
  }

  private void rename(Path from, Path to) throws IOException {
    if (!files.rename(from, to)) {
      throw new IOException("cannot rename %s to %s".formatted(from, to));
    }
  }

  private Path beside(String kind) {
    return new Path(
        place.getParent(), ".%s.%s-%s".formatted(place.getName(), kind, UUID.randomUUID()));
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.files;

import io.sparkstencil.error.InvalidStencilException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** What a command reads and writes, none of which may lie within another. */
public final class Places {
  private record Place(String option, String given, Path path) {
    private boolean holds(Place other) {
      for (Path each = other.path; each != null; each = each.getParent()) {
        if (each.equals(path)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public String toString() {
      return option + " " + given;
    }
  }

  private final Configuration configuration;
  private final List<Place> read = new ArrayList<>();
  private final List<Place> written = new ArrayList<>();

  public Places(Configuration configuration) {
    this.configuration = configuration;
  }

  /** Adds files or folders that are read. */
  public Places reading(String option, List<Path> paths) {
    paths.forEach(path -> read.add(new Place(option, path.toString(), path)));
    return this;
  }

  /**
   * Adds a file or folder that is written.
   *
   * @throws InvalidStencilException if what is there would be lost, or two would be one
   */
  public Places writing(String option, String given) {
    return add(new Place(option, given, qualified(option, given)));
  }

  /** Adds a file of this machine that is written, unless it is null. */
  public Places writingHere(String option, String given) {
    if (given == null) {
      return this;
    }
    String location = java.nio.file.Path.of(given).toUri().toString();
    return add(new Place(option, given, qualified(option, location)));
  }

  private Places add(Place place) {
    for (Place input : read) {
      if (place.holds(input)) {
        throw new InvalidStencilException(
            "%s would replace %s; give another place".formatted(place, input));
      }
    }
    for (Place other : written) {
      if (place.holds(other) || other.holds(place)) {
        throw new InvalidStencilException(
            "%s and %s would replace each other; give places apart".formatted(other, place));
      }
    }
    written.add(place);
    return this;
  }

  private Path qualified(String option, String given) {
    try {
      Path path = new Path(given);
      return path.getFileSystem(configuration).makeQualified(path);
    } catch (IllegalArgumentException | IOException e) {
      throw new InvalidStencilException(
          "%s %s cannot be reached: %s".formatted(option, given, e.getMessage()), e);
    }
  }
}

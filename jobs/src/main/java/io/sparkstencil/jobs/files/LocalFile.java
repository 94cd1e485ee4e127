/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.files;

import io.sparkstencil.error.InvalidStencilException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/** A file on this machine that is written beside its place and moved there whole. */
public final class LocalFile {
  private final Path place;

  private LocalFile(Path place) {
    this.place = place;
  }

  /** What writes the bytes. */
  @FunctionalInterface
  public interface Content {
    /** Writes the whole content to {@code file}. */
    void writeTo(Path file) throws IOException;
  }

  /**
   * Returns the file at {@code path}.
   *
   * @param option the option that named it, for messages
   * @throws InvalidStencilException if it exists and {@code overwrite} is false
   */
  public static LocalFile at(String path, String option, boolean overwrite) {
    Path place = Path.of(path).toAbsolutePath();
    if (Files.isDirectory(place)) {
      throw new InvalidStencilException("%s %s is a folder; name a file".formatted(option, path));
    }
    if (!overwrite && Files.exists(place)) {
      throw new InvalidStencilException(
          "%s %s exists; give another place, or --overwrite to replace it".formatted(option, path));
    }
    return new LocalFile(place);
  }

  /** A file that is written, but not yet in its place. */
  public final class Draft implements AutoCloseable {
    private final Path temporary;

    private Draft(Path temporary) {
      this.temporary = temporary;
    }

    /** Puts the file in its place, replacing what is there. */
    public void publish() {
      try {
        Files.move(temporary, place, StandardCopyOption.REPLACE_EXISTING);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot write " + place, e);
      }
    }

    /** Removes the file unless it was published. */
    @Override
    public void close() {
      try {
        Files.deleteIfExists(temporary);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot remove " + temporary, e);
      }
    }
  }

  /** Writes the file beside its place. */
  public Draft draft(Content content) {
    Path temporary =
        place.resolveSibling(".%s.new-%s".formatted(place.getFileName(), UUID.randomUUID()));
    Draft draft = new Draft(temporary);
    try {
      Files.createDirectories(place.getParent());
      content.writeTo(temporary);
      return draft;
    } catch (IOException e) {
      draft.close();
      throw new UncheckedIOException("cannot write " + place, e);
    } catch (RuntimeException | Error e) {
      draft.close();
      throw e;
    }
  }

  /** Writes the file, replacing what is there. */
  public void write(Content content) {
    try (Draft draft = draft(content)) {
      draft.publish();
    }
  }

  @Override
  public String toString() {
    return place.toString();
  }
}

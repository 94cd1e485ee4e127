/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.files;

import io.sparkstencil.error.InvalidStencilException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Local files that are read must have an end: pipes and devices have none, or wait for ever. */
public final class RegularFiles {
  private RegularFiles() {}

  /**
   * Returns the text of a file.
   *
   * @param option that names it
   * @throws InvalidStencilException if it is not there, may not be read, or is no text in UTF-8
   */
  public static String text(String option, Path path) {
    require(option, path);
    if (Files.isDirectory(path)) {
      throw new InvalidStencilException(
          "%s %s is a folder; name a file in it".formatted(option, path));
    }
    try {
      return Files.readString(path);
    } catch (NoSuchFileException e) {
      throw new InvalidStencilException(
          "%s %s does not exist; %s"
              .formatted(
                  option,
                  path,
                  path.isAbsolute() ? "check the path" : "it would be " + path.toAbsolutePath()),
          e);
    } catch (AccessDeniedException e) {
      throw new InvalidStencilException(
          "%s %s may not be read; let the user who runs this command read it"
              .formatted(option, path),
          e);
    } catch (CharacterCodingException e) {
      throw new InvalidStencilException(
          "%s %s is no text in UTF-8; save it as such".formatted(option, path), e);
    } catch (IOException e) {
      throw new InvalidStencilException(
          "%s %s cannot be read (%s); copy it to a disk from which it can"
              .formatted(option, path, e),
          e);
    }
  }

  /**
   * Requires that a path is no pipe, socket or device; it may be a folder, or missing.
   *
   * @param option that names it
   * @throws InvalidStencilException if it is
   */
  public static void require(String option, Path path) {
    if (Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path)) {
      throw new InvalidStencilException(
          "%s %s is a pipe, a socket or a device, which is not read; write what comes out of it to a file, and name that"
              .formatted(option, path));
    }
  }
}

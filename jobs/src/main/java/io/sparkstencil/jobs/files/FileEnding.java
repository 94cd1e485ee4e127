/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.files;

import io.sparkstencil.error.InvalidStencilException;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Names of files end as what is in them says: a picture in a file of another name is opened by
 * nobody.
 */
public final class FileEnding {
  private FileEnding() {}

  /**
   * Requires one of some endings, in large or small letters.
   *
   * @param option that names the file
   * @param path the file, or null if the option is not given
   * @throws InvalidStencilException if the path ends otherwise
   */
  public static void require(String option, String path, String... endings) {
    if (path == null || Stream.of(endings).anyMatch(path.toLowerCase(Locale.ROOT)::endsWith)) {
      return;
    }
    throw new InvalidStencilException(
        "%s %s does not end in %s; name such a file"
            .formatted(option, path, String.join(" or ", endings)));
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.zarr;

import io.sparkstencil.spark.files.codec.ChunkGrid;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The names of the files of chunks, relative to the array's folder. They are computed, and never
 * taken from a file.
 *
 * @param prefix what stands before the numbers
 * @param separator what stands between them: a slash or a point
 */
record ChunkKeys(String prefix, String separator) {
  private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,17}");

  /** Returns the names that version 3 uses unless told otherwise: {@code c/0/1}. */
  static ChunkKeys byDefault() {
    return new ChunkKeys("c/", "/");
  }

  /** Returns the names that metadata of version 3 ask for. */
  static ChunkKeys parse(ZarrJson encoding) {
    ZarrJson name = encoding.get("name");
    boolean version2 = name.text().equals("v2");
    if (!version2 && !name.text().equals("default")) {
      throw name.unsupported("the encoding of chunk keys", "use \"default\" or \"v2\"");
    }
    String separator =
        encoding
            .find("configuration")
            .flatMap(configuration -> configuration.find("separator"))
            .map(ChunkKeys::separator)
            .orElse(version2 ? "." : "/");
    return new ChunkKeys(version2 ? "" : "c" + separator, separator);
  }

  /** Returns the names of version 2, by an optional entry {@code dimension_separator}. */
  static ChunkKeys version2(ZarrJson metadata) {
    return new ChunkKeys(
        "", metadata.find("dimension_separator").map(ChunkKeys::separator).orElse("."));
  }

  private static String separator(ZarrJson separator) {
    if (!separator.text().equals("/") && !separator.text().equals(".")) {
      throw separator.broken("\"/\" or \".\"");
    }
    return separator.text();
  }

  /** Returns the name of the file of a chunk, by its number along each axis. */
  String name(List<Long> key) {
    return prefix + key.stream().map(String::valueOf).collect(Collectors.joining(separator));
  }

  /** Returns whether a file of this name is one of the chunks of an array. */
  boolean isName(String name, ChunkGrid grid) {
    if (!name.startsWith(prefix)) {
      return false;
    }
    String[] numbers = name.substring(prefix.length()).split(Pattern.quote(separator), -1);
    boolean is = numbers.length == grid.shape().size();
    for (int axis = 0; is && axis < numbers.length; axis++) {
      is =
          NUMBER.matcher(numbers[axis]).matches()
              && Long.parseLong(numbers[axis]) < grid.count(axis);
    }
    return is;
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.npy;

import io.sparkstencil.grid.Box;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.StoredFile;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The file of a box of an array that is being written; its name says which box.
 *
 * @param box the cells
 * @param file the cells' bytes, without a header
 */
record NpyPart(Box box, StoredFile file) {
  private static final Pattern NAME = Pattern.compile("part-([0-9.]+)-([0-9.]+)");

  /** Returns the name of the file of a box. */
  static String name(Box box) {
    return "part-%s-%s".formatted(joined(box.origin()), joined(box.extent().sizes()));
  }

  private static String joined(List<?> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining("."));
  }

  /** Returns the part that a file is, or nothing if it is one that a stopped task left behind. */
  static Optional<NpyPart> of(StoredFile file) {
    Matcher name = NAME.matcher(file.name());
    if (!name.matches()) {
      return Optional.empty();
    }
    List<Long> origin = Arrays.stream(name.group(1).split("\\.")).map(Long::valueOf).toList();
    List<Integer> sizes = Arrays.stream(name.group(2).split("\\.")).map(Integer::valueOf).toList();
    return Optional.of(new NpyPart(new Box(origin, new Extent(sizes)), file));
  }
}

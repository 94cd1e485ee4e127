/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.command;

import io.sparkstencil.error.InvalidStencilException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The cells along the axes of a grid, as they are written: {@code 120x160} or {@code 120,160}. */
public final class GridSize {
  private static final Pattern TEXT = Pattern.compile("[0-9]+([x,][0-9]+){0,2}");

  private GridSize() {}

  /**
   * Reads the cells along 1 to 3 axes.
   *
   * @throws InvalidStencilException if an axis has no cells, or more than a long can count
   */
  public static List<Long> parse(String text) {
    if (!TEXT.matcher(text).matches()) {
      throw new InvalidStencilException(
          "--grid %s is no extent; write the cells along 1 to 3 axes, as in 512x512"
              .formatted(text));
    }
    List<Long> shape = new ArrayList<>();
    for (String size : text.split("[x,]")) {
      try {
        shape.add(Long.valueOf(size));
      } catch (NumberFormatException e) {
        throw new InvalidStencilException(
            "--grid %s has an axis of more than %d cells".formatted(text, Long.MAX_VALUE), e);
      }
    }
    if (shape.contains(0L)) {
      throw new InvalidStencilException(
          "--grid %s has an axis without cells; use at least one".formatted(text));
    }
    return shape;
  }

  /**
   * Reads the cells along the axes of a grid that one array holds.
   *
   * @throws InvalidStencilException if an axis has more cells than an array
   */
  public static List<Integer> parseInts(String text) {
    return parse(text).stream()
        .map(
            size -> {
              if (size > Integer.MAX_VALUE) {
                throw new InvalidStencilException(
                    "--grid %s has an axis of more than %d cells"
                        .formatted(text, Integer.MAX_VALUE));
              }
              return size.intValue();
            })
        .toList();
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Texts of weighted sums over all cells of a square. */
public final class BoxText {
  private BoxText() {}

  /** Returns a program of sums over the cells that are at most {@code radius} away on both axes. */
  public static String ofRadius(int radius) {
    return ofRadius(radius, cell -> "0.0" + (10 + cell));
  }

  /**
   * Returns the same with other weights.
   *
   * @param weight the weight of the cell of a number, row by row
   */
  public static String ofRadius(int radius, IntFunction<String> weight) {
    List<String> terms = new ArrayList<>();
    for (int row = -radius; row <= radius; row++) {
      for (int column = -radius; column <= radius; column++) {
        terms.add("%s*u[%d,%d]".formatted(weight.apply(terms.size()), row, column));
      }
    }
    return "u' = " + String.join(" + ", terms);
  }
}

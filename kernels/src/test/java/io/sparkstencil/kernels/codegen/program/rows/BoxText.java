/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import java.util.ArrayList;
import java.util.List;

/** Texts of weighted sums over all cells of a square. */
final class BoxText {
  private BoxText() {}

  /** Returns a program of sums over the cells that are at most {@code radius} away on both axes. */
  static String ofRadius(int radius) {
    List<String> terms = new ArrayList<>();
    for (int row = -radius; row <= radius; row++) {
      for (int column = -radius; column <= radius; column++) {
        terms.add("0.0%d*u[%d,%d]".formatted(10 + terms.size(), row, column));
      }
    }
    return "u' = " + String.join(" + ", terms);
  }
}

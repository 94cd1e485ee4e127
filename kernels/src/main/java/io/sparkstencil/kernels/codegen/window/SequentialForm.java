/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.ptx.Operand;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Each output on its own, taps left to right, in straight-line code: a cell is loaded once and
 * added to all outputs of the thread that it is a tap of.
 */
final class SequentialForm {
  private SequentialForm() {}

  static List<Cell> write(WindowKernel k, IntFunction<Cell> window, Weighting weights) {
    int outputs = k.how.cellsPerThread();
    int width = k.what.width();
    Cell[] sums = new Cell[outputs];
    for (int offset = 0; offset < outputs + width - 1; offset++) {
      Cell cell = window.apply(offset);
      int first = Math.max(0, offset - width + 1);
      int last = Math.min(outputs - 1, offset);
      for (int output = first; output <= last; output++) {
        int tap = offset - output;
        Operand weight = weights.weight(tap);
        if (tap == 0) {
          sums[output] = k.math.firstTap(cell, weight);
        } else {
          k.math.tap(sums[output], cell, weight);
        }
      }
    }
    return List.of(sums);
  }
}

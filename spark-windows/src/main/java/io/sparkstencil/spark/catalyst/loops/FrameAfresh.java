/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.error.Cancellation;
import io.sparkstencil.spark.exec.CellColumn;

/** A function that goes through all rows of each frame, as Spark does. */
final class FrameAfresh extends FrameOfCumulative {
  private RuntimeException failure;

  FrameAfresh(CumulativeFunction function) {
    super(function);
  }

  @Override
  RuntimeException failure() {
    return failure;
  }

  @Override
  void begin(long rows) {}

  @Override
  void moved(int by) {}

  @Override
  int run(CellColumn[] cells, FrameEnds ends, int count, CellColumn to) {
    SeriesSlice slice = new SeriesSlice(cells, null);
    int[] firsts = ends.firsts();
    int[] untils = ends.ends();
    for (int i = 0; i < count; i++) {
      if (i == 0 || firsts[i] != firsts[i - 1] || untils[i] != untils[i - 1]) {
        Cancellation.ask();
        function.begin(untils[i] - firsts[i]);
        function.add(slice, firsts[i], untils[i]);
      }
      try {
        function.append(1, to);
      } catch (ArithmeticException e) {
        failure = e;
        return i;
      }
    }
    return count;
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.exec.CellColumn;

/** A function whose frames begin with the series, and end at a bound. */
final class GrowingFrame extends FrameOfCumulative {
  private int end; // of the rows that are in

  GrowingFrame(CumulativeFunction function) {
    super(function);
  }

  @Override
  void begin(long rows) {
    function.begin(rows);
    end = 0;
  }

  @Override
  void moved(int by) {
    end -= by;
  }

  @Override
  int run(CellColumn[] cells, FrameEnds ends, int count, CellColumn to) {
    SeriesSlice slice = new SeriesSlice(cells, null);
    int[] untils = ends.ends();
    for (int i = 0; i < count; i++) {
      if (untils[i] > end) {
        function.add(slice, end, untils[i]);
        end = untils[i];
      }
      function.append(1, to);
    }
    return count;
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.exec.CellColumn;
import java.util.List;

/** The sum of floating-point numbers, which is never -0.0, so that 0 is nothing; or the mean. */
final class MovingDoubles extends MovingFunction {
  private final int column;
  private final boolean mean;
  private final MovingCount numbers;
  private final FrameSums sums = new FrameSums();
  private final CellColumn counts;
  private final DistinctFrames distinct = new DistinctFrames();
  private double[] totals = new double[0];

  /**
   * Creates the function.
   *
   * @param mean whether the mean is wanted, not the sum
   */
  MovingDoubles(int column, boolean mean) {
    this.column = column;
    this.mean = mean;
    this.numbers = new MovingCount(List.of(column));
    this.counts = new CellColumn(ElementType.I64, 0);
  }

  @Override
  void begin(long rows) {
    numbers.begin(rows);
  }

  @Override
  void moved(int by) {
    numbers.moved(by);
  }

  @Override
  int run(CellColumn[] cells, FrameEnds frames, int count, CellColumn to) {
    counts.removeFirst(counts.length());
    numbers.run(cells, frames, count, counts);
    double[] values = (double[]) cells[column].array();
    distinct.find(frames, count);
    totals = totals.length < count ? new double[count] : totals;
    sums.add(values, distinct.firsts(), distinct.ends(), distinct.count(), totals);
    long[] number = (long[]) counts.array();
    int at = to.reserve(count);
    double[] results = (double[]) to.array();
    int frame = -1;
    for (int i = 0; i < count; i++) {
      frame += DistinctFrames.isNext(frames, i) ? 1 : 0;
      if (number[i] == 0) {
        to.setNull(at + i);
      } else {
        results[at + i] = mean ? totals[frame] / number[i] : totals[frame];
      }
    }
    return count;
  }
}

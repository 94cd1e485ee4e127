/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.exec.CellColumn;
import java.util.Arrays;

/**
 * The variance of numbers or its root. Sums of squared differences grow cell by cell as in {@link
 * MomentFunction}, those of many frames side by side.
 */
final class MovingVariance extends MovingFunction {
  /** Frames that are added to by loops over arrays, which vector units take many at once of. */
  private static final int MANY = 64;

  private final int column;
  private final MomentFunction.Result result;
  private final boolean sample;
  private final boolean nullOfOne;
  private final DistinctFrames distinct = new DistinctFrames();
  private final AskedCells asked = new AskedCells();
  private final double[] numbers = new double[MANY];
  private final double[] means = new double[MANY];
  private final double[] squares = new double[MANY];
  private double[] allNumbers = new double[0]; // of all frames
  private double[] allSquares = new double[0];

  /** Creates the function; its parameters are those of {@link MomentFunction}. */
  MovingVariance(int column, MomentFunction.Result result, boolean sample, boolean nullOfOne) {
    this.column = column;
    this.result = result;
    this.sample = sample;
    this.nullOfOne = nullOfOne;
  }

  @Override
  void begin(long rows) {}

  @Override
  void moved(int by) {}

  @Override
  int run(CellColumn[] cells, FrameEnds frames, int count, CellColumn to) {
    distinct.find(frames, count);
    if (allNumbers.length < count) {
      allNumbers = new double[count];
      allSquares = new double[count];
    }
    for (int at = 0; at < distinct.count(); at += MANY) {
      int some = Math.min(MANY, distinct.count() - at);
      add(cells[column], at, some);
      System.arraycopy(numbers, 0, allNumbers, at, some);
      System.arraycopy(squares, 0, allSquares, at, some);
    }
    int at = to.reserve(count);
    double[] results = (double[]) to.array();
    int frame = -1;
    for (int i = 0; i < count; i++) {
      frame += DistinctFrames.isNext(frames, i) ? 1 : 0;
      double number = allNumbers[frame];
      if (number == 0 || (number == 1 && sample && nullOfOne)) {
        to.setNull(at + i);
      } else if (number == 1 && sample) {
        results[at + i] = Double.NaN;
      } else {
        double variance = allSquares[frame] / (sample ? number - 1 : number);
        results[at + i] =
            result == MomentFunction.Result.DEVIATION ? Math.sqrt(variance) : variance;
      }
    }
    return count;
  }

  /** Adds to each of some frames their cells, one cell to all that have it after the other. */
  private void add(CellColumn cells, int at, int some) {
    Arrays.fill(numbers, 0);
    Arrays.fill(means, 0);
    Arrays.fill(squares, 0);
    double[] values = (double[]) cells.array();
    int[] firsts = distinct.firsts();
    int[] ends = distinct.ends();
    int from = 0; // the first frame that has not ended
    int until = 0; // the first that has not begun
    int end = ends[at + some - 1];
    int piece = firsts[at]; // its end
    for (int k = firsts[at]; k < end; k++) {
      if (k == piece) {
        piece = asked.piece(k, end);
      }
      while (until < some && firsts[at + until] <= k) {
        until++;
      }
      while (from < until && ends[at + from] <= k) {
        from++;
      }
      if (!cells.isNull(k)) {
        add(values[k], from, until);
      }
    }
  }

  private void add(double cell, int from, int until) {
    for (int i = from; i < until; i++) {
      double number = numbers[i] + 1;
      double difference = cell - means[i];
      double step = difference / number;
      numbers[i] = number;
      means[i] = means[i] + step;
      squares[i] = squares[i] + difference * (difference - step);
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

/** Passes over double cells with the Vector API. */
final class VectorF64Passes extends CellPasses {
  /** Sliding passes need four lanes, which vectors of 128 bits have not. */
  private static final boolean SLIDES = VectorShapes.F64.length() >= 4;

  private final CellPasses loops = new LoopF64Passes();
  private final VectorF64SlidingSums sums = new VectorF64SlidingSums();
  private final VectorF64Keys leastKeys = new VectorF64Keys(false);
  private final VectorF64Keys greatestKeys = new VectorF64Keys(true);
  private final VectorI64Minimum minimum = new VectorI64Minimum();

  @Override
  void sum(Object x, int from, int width, int divisor, Object y, int at, int n) {
    VectorF64Sums.sum((double[]) x, from, width, divisor, (double[]) y, at, n);
  }

  @Override
  void weightedSum(
      Object x, int from, Object weights, int first, int width, Object y, int at, int n) {
    VectorF64Sums.weightedSum(
        (double[]) x, from, (double[]) weights, first, width, (double[]) y, at, n);
  }

  @Override
  void slidingSum(Object x, int from, int width, int divisor, Object y, int at, int n) {
    if (!SLIDES) {
      loops.slidingSum(x, from, width, divisor, y, at, n);
    } else if (width < SlidingRows.LEAST_CELLS) {
      sum(x, from, width, divisor, y, at, n);
    } else {
      sums.sum((double[]) x, from, width, 1 / (double) divisor, (double[]) y, at, n);
    }
  }

  @Override
  void slidingExtremum(Object x, int from, int width, boolean greatest, Object y, int at, int n) {
    if (!SLIDES) {
      loops.slidingExtremum(x, from, width, greatest, y, at, n);
      return;
    }
    VectorF64Keys keys = greatest ? greatestKeys : leastKeys;
    minimum.sliding(keys, x, from, width, y, at, n);
    if (keys.takeOddities()) {
      double[] cells = (double[]) x;
      int read = n + width - 1 + SLACK;
      minimum.sliding(keys, keys.plain(cells, from, read), 0, width, y, at, n);
      keys.takeOddities();
      NegativeZeros.restore(cells, from, width, (double[]) y, at, n);
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

/** Passes over long cells with the Vector API. */
final class VectorI64Passes extends CellPasses {
  /** Sliding passes need four lanes, which vectors of 128 bits have not. */
  private static final boolean SLIDES = VectorShapes.I64.length() >= 4;

  private final CellPasses loops = new LoopI64Passes();
  private final VectorI64SlidingSums sums = new VectorI64SlidingSums();
  private final VectorI64Minimum minimum = new VectorI64Minimum();

  @Override
  void sum(Object x, int from, int width, int divisor, Object y, int at, int n) {
    VectorI64Sums.sum((long[]) x, from, width, divisor, (long[]) y, at, n);
  }

  @Override
  void weightedSum(
      Object x, int from, Object weights, int first, int width, Object y, int at, int n) {
    VectorI64Sums.weightedSum((long[]) x, from, (long[]) weights, first, width, (long[]) y, at, n);
  }

  @Override
  void slidingSum(Object x, int from, int width, int divisor, Object y, int at, int n) {
    if (!SLIDES) {
      loops.slidingSum(x, from, width, divisor, y, at, n);
    } else if (width < SlidingRows.LEAST_CELLS) {
      sum(x, from, width, divisor, y, at, n);
    } else {
      sums.sum((long[]) x, from, width, (long[]) y, at, n);
      LoopDivision.divide((long[]) y, at, n, divisor);
    }
  }

  @Override
  void slidingExtremum(Object x, int from, int width, boolean greatest, Object y, int at, int n) {
    if (!SLIDES) {
      loops.slidingExtremum(x, from, width, greatest, y, at, n);
      return;
    }
    VectorI64Keys keys = new VectorI64Keys(greatest);
    minimum.sliding(keys, x, from, width, y, at, n);
  }
}

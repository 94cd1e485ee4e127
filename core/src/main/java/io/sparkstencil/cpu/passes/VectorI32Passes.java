/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

/** Passes over I32 cells with the Vector API. */
final class VectorI32Passes extends CellPasses {
  /** Sliding passes need four lanes, which 128-bit vectors do not have for every type. */
  private static final boolean SLIDES = VectorShapes.I32.length() >= 4;

  /** Sums of at most this many cells are made tap by tap; no vector has more lanes. */
  private static final int MOST_TAPS = 16;

  private final CellPasses loops = new LoopI32Passes();
  private final VectorI32SlidingSums sums = new VectorI32SlidingSums();
  private final VectorI32Minimum minimum = new VectorI32Minimum();

  @Override
  public void sum(Object x, int from, int width, int divisor, Object y, int at, int n) {
    VectorI32Sums.sum((int[]) x, from, width, (int[]) y, at, n);
  }

  @Override
  public void weightedSum(
      Object x, int from, Object weights, int first, int width, Object y, int at, int n) {
    VectorI32Sums.weightedSum((int[]) x, from, (int[]) weights, first, width, (int[]) y, at, n);
  }

  @Override
  public void slidingSum(Object x, int from, int width, int divisor, Object y, int at, int n) {
    if (!SLIDES) {
      loops.slidingSum(x, from, width, divisor, y, at, n);
    } else if (width <= MOST_TAPS) {
      sum(x, from, width, divisor, y, at, n);
    } else {
      sums.sum((int[]) x, from, width, (int[]) y, at, n);
    }
  }

  @Override
  public void slidingExtremum(
      Object x, int from, int width, boolean greatest, Object y, int at, int n) {
    if (!SLIDES) {
      loops.slidingExtremum(x, from, width, greatest, y, at, n);
      return;
    }
    VectorI32Keys keys = new VectorI32Keys(greatest);
    minimum.sliding(keys, x, from, width, y, at, n);
  }
}

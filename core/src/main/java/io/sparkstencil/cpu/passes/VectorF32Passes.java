/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

/** Passes over F32 cells with the Vector API. */
final class VectorF32Passes extends LoopF32Passes {
  /** Sliding passes need four lanes, which 128-bit vectors do not have for every type. */
  private static final boolean SLIDES = VectorShapes.F32.length() >= 4;

  /** Sums of at most this many cells are made tap by tap; no vector has more lanes. */
  private static final int MOST_TAPS = 16;

  private final VectorF32SlidingSums sums = new VectorF32SlidingSums();
  private final VectorF32Keys leastKeys = new VectorF32Keys(false);
  private final VectorF32Keys greatestKeys = new VectorF32Keys(true);
  private final VectorI32Minimum minimum = new VectorI32Minimum();

  @Override
  public void sum(Object x, int from, int width, int divisor, Object y, int at, int n) {
    VectorF32Sums.sum(
        (float[]) x,
        from,
        width,
        divisor, // floats only
        (float[]) y,
        at,
        n);
  }

  @Override
  public void weightedSum(
      Object x, int from, Object weights, int first, int width, Object y, int at, int n) {
    VectorF32Sums.weightedSum(
        (float[]) x, from, (float[]) weights, first, width, (float[]) y, at, n);
  }

  @Override
  public void slidingSum(Object x, int from, int width, int divisor, Object y, int at, int n) {
    if (!SLIDES) {
      super.slidingSum(x, from, width, divisor, y, at, n);
    } else if (width <= MOST_TAPS) {
      sum(x, from, width, divisor, y, at, n);
    } else {
      sums.sum(
          (float[]) x,
          from,
          width,
          1 / (float) divisor, // floats only
          (float[]) y,
          at,
          n);
    }
  }

  @Override
  public void slidingExtremum(
      Object x, int from, int width, boolean greatest, Object y, int at, int n) {
    if (!SLIDES) {
      super.slidingExtremum(x, from, width, greatest, y, at, n);
      return;
    }
    VectorF32Keys keys = greatest ? greatestKeys : leastKeys;
    minimum.sliding(keys, x, from, width, y, at, n);
    if (keys.takeOddities()) { // floats only
      float[] cells = (float[]) x; // floats only
      int read = n + width - 1 + SLACK; // floats only
      minimum.sliding(keys, keys.plain(cells, from, read), 0, width, y, at, n); // floats only
      keys.takeOddities(); // floats only
      restoreZeros(cells, from, width, (float[]) y, at, n); // floats only
    } // floats only
  }

  /**
   * Restores the signs of zeros: where the result of a frame is a zero, it is the frame's first
   * zero. A single pass from the end remembers the nearest zero to the right.
   */
  private static void restoreZeros(float[] x, int from, int width, float[] y, int at, int n) {
    float nearest = 0;
    for (int i = n + width - 2; i >= 0; i--) {
      if (x[from + i] == 0) {
        nearest = x[from + i];
      }
      if (i < n && y[at + i] == 0) {
        y[at + i] = nearest;
      }
    }
  }
}

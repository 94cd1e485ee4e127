/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Passes over F32 cells with the Vector API. The running sum is always the argument of an addition,
 * and the cells just read the receiver; see {@link VectorProfiles}.
 */
final class VectorF32Passes extends LoopF32Passes {
  private static final VectorSpecies<Float> SPECIES = VectorShapes.F32;
  private static final int LANES = SPECIES.length();
  private static final float[] ZEROS = new float[LANES];

  /** Sliding passes need four lanes, which 128-bit vectors do not have for every type. */
  private static final boolean SLIDES = LANES >= 4;

  /** Sums of at most this many cells are made tap by tap; no vector has more lanes. */
  private static final int MOST_TAPS = 16;

  private final VectorF32SlidingSums sums = new VectorF32SlidingSums();
  private final VectorF32Keys leastKeys = new VectorF32Keys(false);
  private final VectorF32Keys greatestKeys = new VectorF32Keys(true);
  private final VectorI32Minimum minimum = new VectorI32Minimum();

  @Override
  public void sum(Object x, int from, int width, int divisor, Object y, int at, int n) {
    addTaps(
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
    VectorF32Products.add((float[]) x, from, (float[]) weights, first, width, (float[]) y, at, n);
  }

  /** Computes four vectors of outputs at a time, four taps per step: sums stay in registers. */
  private static void addTaps(
      float[] x,
      int from,
      int width,
      int divisor, // floats only
      float[] y,
      int at,
      int n) {
    FloatVector zero = FloatVector.fromArray(SPECIES, ZEROS, 0);
    int whole = width & -4;
    for (int i = 0; i < n; i += 4 * LANES) {
      FloatVector sum0 = zero;
      FloatVector sum1 = zero;
      FloatVector sum2 = zero;
      FloatVector sum3 = zero;
      int first = from + i;
      for (int t = 0; t < whole; t += 4) {
        int p = first + t;
        sum0 = load(x, p).add(sum0).add(load(x, p + 1)).add(load(x, p + 2)).add(load(x, p + 3));
        p += LANES;
        sum1 = load(x, p).add(sum1).add(load(x, p + 1)).add(load(x, p + 2)).add(load(x, p + 3));
        p += LANES;
        sum2 = load(x, p).add(sum2).add(load(x, p + 1)).add(load(x, p + 2)).add(load(x, p + 3));
        p += LANES;
        sum3 = load(x, p).add(sum3).add(load(x, p + 1)).add(load(x, p + 2)).add(load(x, p + 3));
      }
      for (int t = whole; t < width; t++) {
        sum0 = load(x, first + t).add(sum0);
        sum1 = load(x, first + t + LANES).add(sum1);
        sum2 = load(x, first + t + 2 * LANES).add(sum2);
        sum3 = load(x, first + t + 3 * LANES).add(sum3);
      }
      if (divisor == 1) { // floats only
        zero.add(sum0).intoArray(y, at + i);
        zero.add(sum1).intoArray(y, at + i + LANES);
        zero.add(sum2).intoArray(y, at + i + 2 * LANES);
        zero.add(sum3).intoArray(y, at + i + 3 * LANES);
      } else { // floats only
        zero.add(sum0).div(divisor).intoArray(y, at + i); // floats only
        zero.add(sum1).div(divisor).intoArray(y, at + i + LANES); // floats only
        zero.add(sum2).div(divisor).intoArray(y, at + i + 2 * LANES); // floats only
        zero.add(sum3).div(divisor).intoArray(y, at + i + 3 * LANES); // floats only
      } // floats only
    }
  }

  private static FloatVector load(float[] x, int from) {
    return FloatVector.fromArray(SPECIES, x, from);
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

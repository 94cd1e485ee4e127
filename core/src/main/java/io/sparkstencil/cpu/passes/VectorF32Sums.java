/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Tap-by-tap sums of float cells with the Vector API. The running sum is always the argument of an
 * addition, and the cells just read the receiver; see {@link VectorProfiles}.
 */
final class VectorF32Sums {
  private static final VectorSpecies<Float> SPECIES = VectorShapes.F32;
  private static final int LANES = SPECIES.length();
  private static final float[] ZEROS = new float[LANES];

  private VectorF32Sums() {}

  /** Computes four vectors of outputs at a time, four taps per step: sums stay in registers. */
  static void sum(
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

  static void weightedSum(
      float[] x, int from, float[] weights, int first, int width, float[] y, int at, int n) {
    FloatVector zero = FloatVector.fromArray(SPECIES, ZEROS, 0);
    for (int i = 0; i < n; i += 4 * LANES) {
      FloatVector sum0 = zero;
      FloatVector sum1 = zero;
      FloatVector sum2 = zero;
      FloatVector sum3 = zero;
      for (int t = 0; t < width; t++) {
        int p = from + i + t;
        FloatVector weight = zero.broadcast(weights[first + t]);
        sum0 = FloatVector.fromArray(SPECIES, x, p).mul(weight).add(sum0);
        sum1 = FloatVector.fromArray(SPECIES, x, p + LANES).mul(weight).add(sum1);
        sum2 = FloatVector.fromArray(SPECIES, x, p + 2 * LANES).mul(weight).add(sum2);
        sum3 = FloatVector.fromArray(SPECIES, x, p + 3 * LANES).mul(weight).add(sum3);
      }
      zero.add(sum0).intoArray(y, at + i);
      zero.add(sum1).intoArray(y, at + i + LANES);
      zero.add(sum2).intoArray(y, at + i + 2 * LANES);
      zero.add(sum3).intoArray(y, at + i + 3 * LANES);
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** Sums, tap by tap, of float cells with the Vector API. */
final class VectorF32Sums {
  private static final VectorSpecies<Float> SPECIES = VectorShapes.F32;
  private static final int LANES = SPECIES.length();

  private VectorF32Sums() {}

  /** Four vectors of outputs at a time, four taps a step: the sums stay in registers. */
  static void sum(float[] x, int from, int width, int divisor, float[] y, int at, int n) {
    int whole = width & -4;
    for (int i = 0; i < n; i += 4 * LANES) {
      FloatVector sum0 = FloatVector.zero(SPECIES);
      FloatVector sum1 = sum0;
      FloatVector sum2 = sum0;
      FloatVector sum3 = sum0;
      int first = from + i;
      for (int t = 0; t < whole; t += 4) {
        int p = first + t;
        sum0 =
            sum0.add(FloatVector.fromArray(SPECIES, x, p))
                .add(FloatVector.fromArray(SPECIES, x, p + 1))
                .add(FloatVector.fromArray(SPECIES, x, p + 2))
                .add(FloatVector.fromArray(SPECIES, x, p + 3));
        p += LANES;
        sum1 =
            sum1.add(FloatVector.fromArray(SPECIES, x, p))
                .add(FloatVector.fromArray(SPECIES, x, p + 1))
                .add(FloatVector.fromArray(SPECIES, x, p + 2))
                .add(FloatVector.fromArray(SPECIES, x, p + 3));
        p += LANES;
        sum2 =
            sum2.add(FloatVector.fromArray(SPECIES, x, p))
                .add(FloatVector.fromArray(SPECIES, x, p + 1))
                .add(FloatVector.fromArray(SPECIES, x, p + 2))
                .add(FloatVector.fromArray(SPECIES, x, p + 3));
        p += LANES;
        sum3 =
            sum3.add(FloatVector.fromArray(SPECIES, x, p))
                .add(FloatVector.fromArray(SPECIES, x, p + 1))
                .add(FloatVector.fromArray(SPECIES, x, p + 2))
                .add(FloatVector.fromArray(SPECIES, x, p + 3));
      }
      for (int t = whole; t < width; t++) {
        sum0 = sum0.add(FloatVector.fromArray(SPECIES, x, first + t));
        sum1 = sum1.add(FloatVector.fromArray(SPECIES, x, first + t + LANES));
        sum2 = sum2.add(FloatVector.fromArray(SPECIES, x, first + t + 2 * LANES));
        sum3 = sum3.add(FloatVector.fromArray(SPECIES, x, first + t + 3 * LANES));
      }
      if (divisor != 1) {
        sum0 = sum0.div(divisor);
        sum1 = sum1.div(divisor);
        sum2 = sum2.div(divisor);
        sum3 = sum3.div(divisor);
      }
      sum0.intoArray(y, at + i);
      sum1.intoArray(y, at + i + LANES);
      sum2.intoArray(y, at + i + 2 * LANES);
      sum3.intoArray(y, at + i + 3 * LANES);
    }
  }

  static void weightedSum(
      float[] x, int from, float[] weights, int first, int width, float[] y, int at, int n) {
    for (int i = 0; i < n; i += 4 * LANES) {
      FloatVector sum0 = FloatVector.zero(SPECIES);
      FloatVector sum1 = sum0;
      FloatVector sum2 = sum0;
      FloatVector sum3 = sum0;
      for (int t = 0; t < width; t++) {
        int p = from + i + t;
        FloatVector weight = FloatVector.broadcast(SPECIES, weights[first + t]);
        sum0 = sum0.add(FloatVector.fromArray(SPECIES, x, p).mul(weight));
        sum1 = sum1.add(FloatVector.fromArray(SPECIES, x, p + LANES).mul(weight));
        sum2 = sum2.add(FloatVector.fromArray(SPECIES, x, p + 2 * LANES).mul(weight));
        sum3 = sum3.add(FloatVector.fromArray(SPECIES, x, p + 3 * LANES).mul(weight));
      }
      sum0.intoArray(y, at + i);
      sum1.intoArray(y, at + i + LANES);
      sum2.intoArray(y, at + i + 2 * LANES);
      sum3.intoArray(y, at + i + 3 * LANES);
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** Weighted sums of F32 cells with the Vector API: each product and each sum rounded. */
final class VectorF32Products {
  private static final VectorSpecies<Float> SPECIES = VectorShapes.F32;
  private static final int LANES = SPECIES.length();
  private static final float[] ZEROS = new float[LANES];

  private VectorF32Products() {}

  /** Computes four vectors of outputs at a time, tap by tap: sums stay in registers. */
  static void add(
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

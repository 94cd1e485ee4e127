/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** Passes whose weighted sums round each product and sum at once, with the Vector API. */
final class VectorF32FusedPasses extends LoopF32FusedPasses {
  private static final VectorSpecies<Float> SPECIES = VectorShapes.F32;
  private static final int LANES = SPECIES.length();
  private static final float[] ZEROS = new float[LANES];

  /** Computes four vectors of outputs at a time, tap by tap: sums stay in registers. */
  @Override
  public void weightedSum(
      Object x, int from, Object weights, int first, int width, Object y, int at, int n) {
    addProducts((float[]) x, from, (float[]) weights, first, width, (float[]) y, at, n);
  }

  private static void addProducts(
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
        sum0 = FloatVector.fromArray(SPECIES, x, p).fma(weight, sum0);
        sum1 = FloatVector.fromArray(SPECIES, x, p + LANES).fma(weight, sum1);
        sum2 = FloatVector.fromArray(SPECIES, x, p + 2 * LANES).fma(weight, sum2);
        sum3 = FloatVector.fromArray(SPECIES, x, p + 3 * LANES).fma(weight, sum3);
      }
      zero.add(sum0).intoArray(y, at + i);
      zero.add(sum1).intoArray(y, at + i + LANES);
      zero.add(sum2).intoArray(y, at + i + 2 * LANES);
      zero.add(sum3).intoArray(y, at + i + 3 * LANES);
    }
  }
}

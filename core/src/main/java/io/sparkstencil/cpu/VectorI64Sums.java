/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorSpecies;

/** Sums, tap by tap, of long cells with the Vector API. */
final class VectorI64Sums {
  private static final VectorSpecies<Long> SPECIES = VectorShapes.I64;
  private static final int LANES = SPECIES.length();

  private VectorI64Sums() {}

  /** Four vectors of outputs at a time, four taps a step: the sums stay in registers. */
  static void sum(long[] x, int from, int width, int divisor, long[] y, int at, int n) {
    int whole = width & -4;
    for (int i = 0; i < n; i += 4 * LANES) {
      LongVector sum0 = LongVector.zero(SPECIES);
      LongVector sum1 = sum0;
      LongVector sum2 = sum0;
      LongVector sum3 = sum0;
      int first = from + i;
      for (int t = 0; t < whole; t += 4) {
        int p = first + t;
        sum0 =
            sum0.add(LongVector.fromArray(SPECIES, x, p))
                .add(LongVector.fromArray(SPECIES, x, p + 1))
                .add(LongVector.fromArray(SPECIES, x, p + 2))
                .add(LongVector.fromArray(SPECIES, x, p + 3));
        p += LANES;
        sum1 =
            sum1.add(LongVector.fromArray(SPECIES, x, p))
                .add(LongVector.fromArray(SPECIES, x, p + 1))
                .add(LongVector.fromArray(SPECIES, x, p + 2))
                .add(LongVector.fromArray(SPECIES, x, p + 3));
        p += LANES;
        sum2 =
            sum2.add(LongVector.fromArray(SPECIES, x, p))
                .add(LongVector.fromArray(SPECIES, x, p + 1))
                .add(LongVector.fromArray(SPECIES, x, p + 2))
                .add(LongVector.fromArray(SPECIES, x, p + 3));
        p += LANES;
        sum3 =
            sum3.add(LongVector.fromArray(SPECIES, x, p))
                .add(LongVector.fromArray(SPECIES, x, p + 1))
                .add(LongVector.fromArray(SPECIES, x, p + 2))
                .add(LongVector.fromArray(SPECIES, x, p + 3));
      }
      for (int t = whole; t < width; t++) {
        sum0 = sum0.add(LongVector.fromArray(SPECIES, x, first + t));
        sum1 = sum1.add(LongVector.fromArray(SPECIES, x, first + t + LANES));
        sum2 = sum2.add(LongVector.fromArray(SPECIES, x, first + t + 2 * LANES));
        sum3 = sum3.add(LongVector.fromArray(SPECIES, x, first + t + 3 * LANES));
      }
      sum0.intoArray(y, at + i);
      sum1.intoArray(y, at + i + LANES);
      sum2.intoArray(y, at + i + 2 * LANES);
      sum3.intoArray(y, at + i + 3 * LANES);
    }
    LoopDivision.divide(y, at, n, divisor);
  }

  static void weightedSum(
      long[] x, int from, long[] weights, int first, int width, long[] y, int at, int n) {
    for (int i = 0; i < n; i += 4 * LANES) {
      LongVector sum0 = LongVector.zero(SPECIES);
      LongVector sum1 = sum0;
      LongVector sum2 = sum0;
      LongVector sum3 = sum0;
      for (int t = 0; t < width; t++) {
        int p = from + i + t;
        LongVector weight = LongVector.broadcast(SPECIES, weights[first + t]);
        sum0 = sum0.add(LongVector.fromArray(SPECIES, x, p).mul(weight));
        sum1 = sum1.add(LongVector.fromArray(SPECIES, x, p + LANES).mul(weight));
        sum2 = sum2.add(LongVector.fromArray(SPECIES, x, p + 2 * LANES).mul(weight));
        sum3 = sum3.add(LongVector.fromArray(SPECIES, x, p + 3 * LANES).mul(weight));
      }
      sum0.intoArray(y, at + i);
      sum1.intoArray(y, at + i + LANES);
      sum2.intoArray(y, at + i + 2 * LANES);
      sum3.intoArray(y, at + i + 3 * LANES);
    }
  }
}

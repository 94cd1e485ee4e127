/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Sums, tap by tap, of long cells with the Vector API. A running sum is added to what was just
 * read, never the other way round; see {@link VectorProfiles}.
 */
final class VectorI64Sums {
  private static final VectorSpecies<Long> SPECIES = VectorShapes.I64;
  private static final int LANES = SPECIES.length();
  private static final long[] ZEROS = new long[LANES];

  private VectorI64Sums() {}

  /** Four vectors of outputs at a time, four taps a step: the sums stay in registers. */
  static void sum(long[] x, int from, int width, int divisor, long[] y, int at, int n) {
    LongVector zero = LongVector.fromArray(SPECIES, ZEROS, 0);
    int whole = width & -4;
    for (int i = 0; i < n; i += 4 * LANES) {
      LongVector sum0 = zero;
      LongVector sum1 = zero;
      LongVector sum2 = zero;
      LongVector sum3 = zero;
      int first = from + i;
      for (int t = 0; t < whole; t += 4) {
        int p = first + t;
        sum0 =
            LongVector.fromArray(SPECIES, x, p)
                .add(sum0)
                .add(LongVector.fromArray(SPECIES, x, p + 1))
                .add(LongVector.fromArray(SPECIES, x, p + 2))
                .add(LongVector.fromArray(SPECIES, x, p + 3));
        p += LANES;
        sum1 =
            LongVector.fromArray(SPECIES, x, p)
                .add(sum1)
                .add(LongVector.fromArray(SPECIES, x, p + 1))
                .add(LongVector.fromArray(SPECIES, x, p + 2))
                .add(LongVector.fromArray(SPECIES, x, p + 3));
        p += LANES;
        sum2 =
            LongVector.fromArray(SPECIES, x, p)
                .add(sum2)
                .add(LongVector.fromArray(SPECIES, x, p + 1))
                .add(LongVector.fromArray(SPECIES, x, p + 2))
                .add(LongVector.fromArray(SPECIES, x, p + 3));
        p += LANES;
        sum3 =
            LongVector.fromArray(SPECIES, x, p)
                .add(sum3)
                .add(LongVector.fromArray(SPECIES, x, p + 1))
                .add(LongVector.fromArray(SPECIES, x, p + 2))
                .add(LongVector.fromArray(SPECIES, x, p + 3));
      }
      for (int t = whole; t < width; t++) {
        sum0 = LongVector.fromArray(SPECIES, x, first + t).add(sum0);
        sum1 = LongVector.fromArray(SPECIES, x, first + t + LANES).add(sum1);
        sum2 = LongVector.fromArray(SPECIES, x, first + t + 2 * LANES).add(sum2);
        sum3 = LongVector.fromArray(SPECIES, x, first + t + 3 * LANES).add(sum3);
      }
      zero.add(sum0).intoArray(y, at + i);
      zero.add(sum1).intoArray(y, at + i + LANES);
      zero.add(sum2).intoArray(y, at + i + 2 * LANES);
      zero.add(sum3).intoArray(y, at + i + 3 * LANES);
    }
    LoopDivision.divide(y, at, n, divisor);
  }

  static void weightedSum(
      long[] x, int from, long[] weights, int first, int width, long[] y, int at, int n) {
    LongVector zero = LongVector.fromArray(SPECIES, ZEROS, 0);
    for (int i = 0; i < n; i += 4 * LANES) {
      LongVector sum0 = zero;
      LongVector sum1 = zero;
      LongVector sum2 = zero;
      LongVector sum3 = zero;
      for (int t = 0; t < width; t++) {
        int p = from + i + t;
        LongVector weight = zero.broadcast(weights[first + t]);
        sum0 = LongVector.fromArray(SPECIES, x, p).mul(weight).add(sum0);
        sum1 = LongVector.fromArray(SPECIES, x, p + LANES).mul(weight).add(sum1);
        sum2 = LongVector.fromArray(SPECIES, x, p + 2 * LANES).mul(weight).add(sum2);
        sum3 = LongVector.fromArray(SPECIES, x, p + 3 * LANES).mul(weight).add(sum3);
      }
      zero.add(sum0).intoArray(y, at + i);
      zero.add(sum1).intoArray(y, at + i + LANES);
      zero.add(sum2).intoArray(y, at + i + 2 * LANES);
      zero.add(sum3).intoArray(y, at + i + 3 * LANES);
    }
  }
}

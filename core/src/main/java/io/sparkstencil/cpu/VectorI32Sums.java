/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Sums, tap by tap, of int cells with the Vector API. A running sum is added to what was just read,
 * never the other way round; see {@link VectorProfiles}.
 */
final class VectorI32Sums {
  private static final VectorSpecies<Integer> SPECIES = VectorShapes.I32;
  private static final int LANES = SPECIES.length();
  private static final int[] ZEROS = new int[LANES];

  private VectorI32Sums() {}

  /** Four vectors of outputs at a time, four taps a step: the sums stay in registers. */
  static void sum(int[] x, int from, int width, int divisor, int[] y, int at, int n) {
    IntVector zero = IntVector.fromArray(SPECIES, ZEROS, 0);
    int whole = width & -4;
    for (int i = 0; i < n; i += 4 * LANES) {
      IntVector sum0 = zero;
      IntVector sum1 = zero;
      IntVector sum2 = zero;
      IntVector sum3 = zero;
      int first = from + i;
      for (int t = 0; t < whole; t += 4) {
        int p = first + t;
        sum0 =
            IntVector.fromArray(SPECIES, x, p)
                .add(sum0)
                .add(IntVector.fromArray(SPECIES, x, p + 1))
                .add(IntVector.fromArray(SPECIES, x, p + 2))
                .add(IntVector.fromArray(SPECIES, x, p + 3));
        p += LANES;
        sum1 =
            IntVector.fromArray(SPECIES, x, p)
                .add(sum1)
                .add(IntVector.fromArray(SPECIES, x, p + 1))
                .add(IntVector.fromArray(SPECIES, x, p + 2))
                .add(IntVector.fromArray(SPECIES, x, p + 3));
        p += LANES;
        sum2 =
            IntVector.fromArray(SPECIES, x, p)
                .add(sum2)
                .add(IntVector.fromArray(SPECIES, x, p + 1))
                .add(IntVector.fromArray(SPECIES, x, p + 2))
                .add(IntVector.fromArray(SPECIES, x, p + 3));
        p += LANES;
        sum3 =
            IntVector.fromArray(SPECIES, x, p)
                .add(sum3)
                .add(IntVector.fromArray(SPECIES, x, p + 1))
                .add(IntVector.fromArray(SPECIES, x, p + 2))
                .add(IntVector.fromArray(SPECIES, x, p + 3));
      }
      for (int t = whole; t < width; t++) {
        sum0 = IntVector.fromArray(SPECIES, x, first + t).add(sum0);
        sum1 = IntVector.fromArray(SPECIES, x, first + t + LANES).add(sum1);
        sum2 = IntVector.fromArray(SPECIES, x, first + t + 2 * LANES).add(sum2);
        sum3 = IntVector.fromArray(SPECIES, x, first + t + 3 * LANES).add(sum3);
      }
      zero.add(sum0).intoArray(y, at + i);
      zero.add(sum1).intoArray(y, at + i + LANES);
      zero.add(sum2).intoArray(y, at + i + 2 * LANES);
      zero.add(sum3).intoArray(y, at + i + 3 * LANES);
    }
    LoopDivision.divide(y, at, n, divisor);
  }

  static void weightedSum(
      int[] x, int from, int[] weights, int first, int width, int[] y, int at, int n) {
    IntVector zero = IntVector.fromArray(SPECIES, ZEROS, 0);
    for (int i = 0; i < n; i += 4 * LANES) {
      IntVector sum0 = zero;
      IntVector sum1 = zero;
      IntVector sum2 = zero;
      IntVector sum3 = zero;
      for (int t = 0; t < width; t++) {
        int p = from + i + t;
        IntVector weight = zero.broadcast(weights[first + t]);
        sum0 = IntVector.fromArray(SPECIES, x, p).mul(weight).add(sum0);
        sum1 = IntVector.fromArray(SPECIES, x, p + LANES).mul(weight).add(sum1);
        sum2 = IntVector.fromArray(SPECIES, x, p + 2 * LANES).mul(weight).add(sum2);
        sum3 = IntVector.fromArray(SPECIES, x, p + 3 * LANES).mul(weight).add(sum3);
      }
      zero.add(sum0).intoArray(y, at + i);
      zero.add(sum1).intoArray(y, at + i + LANES);
      zero.add(sum2).intoArray(y, at + i + 2 * LANES);
      zero.add(sum3).intoArray(y, at + i + 3 * LANES);
    }
  }
}

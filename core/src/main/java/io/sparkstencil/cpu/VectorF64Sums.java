/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Sums, tap by tap, of double cells with the Vector API. A running sum is added to what was just
 * read, never the other way round; see {@link VectorProfiles}.
 */
final class VectorF64Sums {
  private static final VectorSpecies<Double> SPECIES = VectorShapes.F64;
  private static final int LANES = SPECIES.length();
  private static final double[] ZEROS = new double[LANES];

  private VectorF64Sums() {}

  /** Four vectors of outputs at a time, four taps a step: the sums stay in registers. */
  static void sum(double[] x, int from, int width, int divisor, double[] y, int at, int n) {
    DoubleVector zero = DoubleVector.fromArray(SPECIES, ZEROS, 0);
    int whole = width & -4;
    for (int i = 0; i < n; i += 4 * LANES) {
      DoubleVector sum0 = zero;
      DoubleVector sum1 = zero;
      DoubleVector sum2 = zero;
      DoubleVector sum3 = zero;
      int first = from + i;
      for (int t = 0; t < whole; t += 4) {
        int p = first + t;
        sum0 =
            DoubleVector.fromArray(SPECIES, x, p)
                .add(sum0)
                .add(DoubleVector.fromArray(SPECIES, x, p + 1))
                .add(DoubleVector.fromArray(SPECIES, x, p + 2))
                .add(DoubleVector.fromArray(SPECIES, x, p + 3));
        p += LANES;
        sum1 =
            DoubleVector.fromArray(SPECIES, x, p)
                .add(sum1)
                .add(DoubleVector.fromArray(SPECIES, x, p + 1))
                .add(DoubleVector.fromArray(SPECIES, x, p + 2))
                .add(DoubleVector.fromArray(SPECIES, x, p + 3));
        p += LANES;
        sum2 =
            DoubleVector.fromArray(SPECIES, x, p)
                .add(sum2)
                .add(DoubleVector.fromArray(SPECIES, x, p + 1))
                .add(DoubleVector.fromArray(SPECIES, x, p + 2))
                .add(DoubleVector.fromArray(SPECIES, x, p + 3));
        p += LANES;
        sum3 =
            DoubleVector.fromArray(SPECIES, x, p)
                .add(sum3)
                .add(DoubleVector.fromArray(SPECIES, x, p + 1))
                .add(DoubleVector.fromArray(SPECIES, x, p + 2))
                .add(DoubleVector.fromArray(SPECIES, x, p + 3));
      }
      for (int t = whole; t < width; t++) {
        sum0 = DoubleVector.fromArray(SPECIES, x, first + t).add(sum0);
        sum1 = DoubleVector.fromArray(SPECIES, x, first + t + LANES).add(sum1);
        sum2 = DoubleVector.fromArray(SPECIES, x, first + t + 2 * LANES).add(sum2);
        sum3 = DoubleVector.fromArray(SPECIES, x, first + t + 3 * LANES).add(sum3);
      }
      if (divisor == 1) {
        zero.add(sum0).intoArray(y, at + i);
        zero.add(sum1).intoArray(y, at + i + LANES);
        zero.add(sum2).intoArray(y, at + i + 2 * LANES);
        zero.add(sum3).intoArray(y, at + i + 3 * LANES);
      } else {
        zero.add(sum0).div(divisor).intoArray(y, at + i);
        zero.add(sum1).div(divisor).intoArray(y, at + i + LANES);
        zero.add(sum2).div(divisor).intoArray(y, at + i + 2 * LANES);
        zero.add(sum3).div(divisor).intoArray(y, at + i + 3 * LANES);
      }
    }
  }

  static void weightedSum(
      double[] x, int from, double[] weights, int first, int width, double[] y, int at, int n) {
    DoubleVector zero = DoubleVector.fromArray(SPECIES, ZEROS, 0);
    for (int i = 0; i < n; i += 4 * LANES) {
      DoubleVector sum0 = zero;
      DoubleVector sum1 = zero;
      DoubleVector sum2 = zero;
      DoubleVector sum3 = zero;
      for (int t = 0; t < width; t++) {
        int p = from + i + t;
        DoubleVector weight = zero.broadcast(weights[first + t]);
        sum0 = DoubleVector.fromArray(SPECIES, x, p).mul(weight).add(sum0);
        sum1 = DoubleVector.fromArray(SPECIES, x, p + LANES).mul(weight).add(sum1);
        sum2 = DoubleVector.fromArray(SPECIES, x, p + 2 * LANES).mul(weight).add(sum2);
        sum3 = DoubleVector.fromArray(SPECIES, x, p + 3 * LANES).mul(weight).add(sum3);
      }
      zero.add(sum0).intoArray(y, at + i);
      zero.add(sum1).intoArray(y, at + i + LANES);
      zero.add(sum2).intoArray(y, at + i + 2 * LANES);
      zero.add(sum3).intoArray(y, at + i + 3 * LANES);
    }
  }
}

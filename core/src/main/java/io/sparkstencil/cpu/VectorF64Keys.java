/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import java.util.Arrays;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Integer keys in the order of double cells: a minimum of integers is one instruction, one of cells
 * with NaN and signed zeros is many. Bits of a negative number are turned around but for the sign;
 * every NaN gets the key of the positive quiet NaN, which is the greatest, and -0.0 that of 0.0:
 * {@link NegativeZeros} puts the sign back. For a maximum all bits are turned around.
 */
final class VectorF64Keys implements VectorI64Minimum.Cells {
  private static final VectorSpecies<Double> CELLS = VectorShapes.F64;
  private static final VectorSpecies<Long> KEYS = VectorShapes.I64;
  private static final int LANES = KEYS.length();
  private static final long NAN = Double.doubleToLongBits(Double.NaN);

  private static final long INFINITY = Double.doubleToLongBits(Double.POSITIVE_INFINITY);

  private final long turn;
  private boolean negativeZero;
  private long[] oddities = new long[0];

  VectorF64Keys(boolean greatest) {
    turn = greatest ? -1 : 0;
  }

  /** Tells whether any of the cells read since the last call was -0.0. */
  boolean takeNegativeZero() {
    boolean saw = negativeZero;
    negativeZero = false;
    return saw;
  }

  @Override
  public void readKeys(Object x, int from, long[] keys, int n) {
    double[] cells = (double[]) x;
    if (oddities.length < n + 4 * LANES) {
      oddities = new long[n + 4 * LANES];
    }
    readOrdinaryKeys(cells, from, keys, oddities, turn, n);
    if (greatest(oddities, n) > INFINITY) {
      readAnyKeys(cells, from, keys, n);
    }
  }

  /**
   * Is right where no cell is NaN or -0.0. Oddities tell: they are above infinity for NaN, by its
   * magnitude, and for -0.0, whose bits less one are greatest.
   */
  private static void readOrdinaryKeys(
      double[] cells, int from, long[] keys, long[] oddities, long turned, int n) {
    for (int i = 0; i < n; i += LANES) {
      LongVector bits = DoubleVector.fromArray(CELLS, cells, from + i).reinterpretAsLongs();
      bits.lanewise(VectorOperators.ASHR, 63)
          .and(Long.MAX_VALUE)
          .lanewise(VectorOperators.XOR, bits)
          .lanewise(VectorOperators.XOR, turned)
          .intoArray(keys, i);
      bits.and(Long.MAX_VALUE).max(bits.sub(1)).intoArray(oddities, i);
    }
  }

  /**
   * Folds an array in four until little is left; cells behind are seen twice, which is no matter.
   */
  private static long greatest(long[] x, int n) {
    int left = n;
    Arrays.fill(x, n, n + 4 * LANES, 0);
    while (left > 2 * LANES) {
      int quarter = (left + 4 * LANES - 1) / (4 * LANES) * LANES;
      for (int i = 0; i < quarter; i += LANES) {
        LongVector.fromArray(KEYS, x, i)
            .max(LongVector.fromArray(KEYS, x, i + quarter))
            .max(
                LongVector.fromArray(KEYS, x, i + 2 * quarter)
                    .max(LongVector.fromArray(KEYS, x, i + 3 * quarter)))
            .intoArray(x, i);
      }
      left = quarter;
    }
    long greatest = 0;
    for (int i = 0; i < left; i++) {
      greatest = Math.max(greatest, x[i]);
    }
    return greatest;
  }

  private void readAnyKeys(double[] cells, int from, long[] keys, int n) {
    long turned = turn;
    VectorMask<Long> zeros = KEYS.maskAll(false);
    for (int i = 0; i < n; i += LANES) {
      DoubleVector cell = DoubleVector.fromArray(CELLS, cells, from + i);
      LongVector bits = cell.reinterpretAsLongs();
      VectorMask<Long> negativeZeros = bits.eq(Long.MIN_VALUE);
      zeros = zeros.or(negativeZeros);
      VectorMask<Long> nans = cell.compare(VectorOperators.NE, cell).cast(KEYS);
      LongVector key = bits.blend(NAN, nans).blend(0, negativeZeros);
      key.lanewise(VectorOperators.ASHR, 63)
          .and(Long.MAX_VALUE)
          .lanewise(VectorOperators.XOR, key)
          .lanewise(VectorOperators.XOR, turned)
          .intoArray(keys, i);
    }
    negativeZero |= zeros.anyTrue();
  }

  @Override
  public void writeCells(long[] keys, Object y, int at, int n) {
    writeCells(keys, turn, (double[]) y, at, n);
  }

  private static void writeCells(long[] keys, long turned, double[] cells, int at, int n) {
    for (int i = 0; i < n; i += LANES) {
      LongVector bits = LongVector.fromArray(KEYS, keys, i).lanewise(VectorOperators.XOR, turned);
      bits.lanewise(VectorOperators.ASHR, 63)
          .and(Long.MAX_VALUE)
          .lanewise(VectorOperators.XOR, bits)
          .reinterpretAsDoubles()
          .intoArray(cells, at + i);
    }
  }

  @Override
  public void writeLeast(long[] keys, int second, int third, int fourth, Object y, int at, int n) {
    if (second == fourth) {
      writeLeastOfTwo(keys, second, turn, (double[]) y, at, n);
    } else {
      writeLeastOfFour(keys, second, third, fourth, turn, (double[]) y, at, n);
    }
  }

  private static void writeLeastOfTwo(
      long[] keys, int second, long turned, double[] cells, int at, int n) {
    for (int i = 0; i < n; i += LANES) {
      LongVector bits =
          LongVector.fromArray(KEYS, keys, i)
              .min(LongVector.fromArray(KEYS, keys, i + second))
              .lanewise(VectorOperators.XOR, turned);
      bits.lanewise(VectorOperators.ASHR, 63)
          .and(Long.MAX_VALUE)
          .lanewise(VectorOperators.XOR, bits)
          .reinterpretAsDoubles()
          .intoArray(cells, at + i);
    }
  }

  private static void writeLeastOfFour(
      long[] keys, int second, int third, int fourth, long turned, double[] cells, int at, int n) {
    for (int i = 0; i < n; i += LANES) {
      LongVector bits =
          LongVector.fromArray(KEYS, keys, i)
              .min(LongVector.fromArray(KEYS, keys, i + second))
              .min(
                  LongVector.fromArray(KEYS, keys, i + third)
                      .min(LongVector.fromArray(KEYS, keys, i + fourth)))
              .lanewise(VectorOperators.XOR, turned);
      bits.lanewise(VectorOperators.ASHR, 63)
          .and(Long.MAX_VALUE)
          .lanewise(VectorOperators.XOR, bits)
          .reinterpretAsDoubles()
          .intoArray(cells, at + i);
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import java.util.Arrays;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Integer keys in the order of double cells: a minimum of integers is one instruction, one of cells
 * with NaN and signed zeros is many. Bits of a negative number are turned around but for the sign,
 * and for a maximum all bits are turned around.
 *
 * <p>Keys of negative NaN and -0.0 are wrong. Reading notes whether there were any: the least key
 * of all cells, which is below that of negative infinity for a NaN, and the greatest of all bits
 * less one, which is the greatest of all numbers for -0.0. What was made of such cells must be made
 * again of {@link #plain} ones; {@link NegativeZeros} puts the signs of zeros back.
 */
final class VectorF64Keys implements VectorI64Minimum.Cells {
  private static final VectorSpecies<Double> CELLS = VectorShapes.F64;
  private static final VectorSpecies<Long> KEYS = VectorShapes.I64;
  private static final int LANES = KEYS.length();
  private static final long LEAST =
      Double.doubleToLongBits(Double.NEGATIVE_INFINITY) ^ Long.MAX_VALUE;

  private final long turn;
  private final long[] least = new long[LANES];
  private final long[] greatest = new long[LANES];
  private double[] plain = new double[0];

  VectorF64Keys(boolean greatest) {
    turn = greatest ? -1 : 0;
    forget();
  }

  private void forget() {
    Arrays.fill(least, Long.MAX_VALUE);
    Arrays.fill(greatest, Long.MIN_VALUE);
  }

  /** Tells whether any of the cells read since the last call was -0.0 or a negative NaN. */
  boolean takeOddities() {
    boolean odd = false;
    for (int lane = 0; lane < LANES; lane++) {
      odd |= least[lane] < LEAST || greatest[lane] == Long.MAX_VALUE;
    }
    forget();
    return odd;
  }

  /**
   * Returns {@code n} cells with 0.0 for -0.0 and the one NaN for all; valid until the next call.
   */
  double[] plain(double[] x, int from, int n) {
    if (plain.length < n) {
      plain = new double[n];
    }
    for (int i = 0; i < n; i++) {
      double cell = x[from + i];
      plain[i] = Double.isNaN(cell) ? Double.NaN : cell + 0.0;
    }
    return plain;
  }

  @Override
  public void readLeast(Object x, int from, int second, int third, int fourth, long[] keys, int n) {
    readLeast((double[]) x, from, second, third, fourth, turn, keys, least, greatest, n);
  }

  private static void readLeast(
      double[] x,
      int from,
      int second,
      int third,
      int fourth,
      long turned,
      long[] keys,
      long[] least,
      long[] greatest,
      int n) {
    LongVector low = LongVector.fromArray(KEYS, least, 0);
    LongVector high = LongVector.fromArray(KEYS, greatest, 0);
    for (int i = 0; i < n; i += LANES) {
      int p = from + i;
      LongVector x0 = DoubleVector.fromArray(CELLS, x, p).reinterpretAsLongs();
      LongVector x1 = DoubleVector.fromArray(CELLS, x, p + second).reinterpretAsLongs();
      LongVector x2 = DoubleVector.fromArray(CELLS, x, p + third).reinterpretAsLongs();
      LongVector x3 = DoubleVector.fromArray(CELLS, x, p + fourth).reinterpretAsLongs();
      LongVector key =
          x0.lanewise(VectorOperators.ASHR, 63)
              .and(Long.MAX_VALUE)
              .lanewise(VectorOperators.XOR, x0);
      low = key.min(low);
      high = x0.sub(1).max(high);
      key.lanewise(VectorOperators.XOR, turned)
          .min(
              x1.lanewise(VectorOperators.ASHR, 63)
                  .and(Long.MAX_VALUE)
                  .lanewise(VectorOperators.XOR, x1)
                  .lanewise(VectorOperators.XOR, turned))
          .min(
              x2.lanewise(VectorOperators.ASHR, 63)
                  .and(Long.MAX_VALUE)
                  .lanewise(VectorOperators.XOR, x2)
                  .lanewise(VectorOperators.XOR, turned)
                  .min(
                      x3.lanewise(VectorOperators.ASHR, 63)
                          .and(Long.MAX_VALUE)
                          .lanewise(VectorOperators.XOR, x3)
                          .lanewise(VectorOperators.XOR, turned)))
          .intoArray(keys, i);
    }
    LongVector.fromArray(KEYS, least, 0).min(low).intoArray(least, 0);
    LongVector.fromArray(KEYS, greatest, 0).max(high).intoArray(greatest, 0);
  }

  @Override
  public void writeLeast(
      long[] keys, int first, int second, int third, int fourth, Object y, int at, int n) {
    writeLeast(keys, first, second, third, fourth, turn, (double[]) y, at, n);
  }

  private static void writeLeast(
      long[] keys,
      int first,
      int second,
      int third,
      int fourth,
      long turned,
      double[] cells,
      int at,
      int n) {
    for (int i = 0; i < n; i += LANES) {
      LongVector bits =
          LongVector.fromArray(KEYS, keys, first + i)
              .min(LongVector.fromArray(KEYS, keys, first + i + second))
              .min(
                  LongVector.fromArray(KEYS, keys, first + i + third)
                      .min(LongVector.fromArray(KEYS, keys, first + i + fourth)))
              .lanewise(VectorOperators.XOR, turned);
      bits.lanewise(VectorOperators.ASHR, 63)
          .and(Long.MAX_VALUE)
          .lanewise(VectorOperators.XOR, bits)
          .reinterpretAsDoubles()
          .intoArray(cells, at + i);
    }
  }

  @Override
  public void writeBlocks(
      long[] keys, int suffixAt, int rowAt, long[] prefix, Object y, int at, int n) {
    writeBlocks(keys, suffixAt, rowAt, prefix, turn, (double[]) y, at, n);
  }

  private static void writeBlocks(
      long[] keys, int suffixAt, int rowAt, long[] prefix, long turned, double[] y, int at, int n) {
    LongVector least = LongVector.fromArray(KEYS, prefix, 0);
    for (int i = 0; i < n; i += LANES) {
      LongVector bits =
          LongVector.fromArray(KEYS, keys, suffixAt + i)
              .min(least)
              .lanewise(VectorOperators.XOR, turned);
      bits.lanewise(VectorOperators.ASHR, 63)
          .and(Long.MAX_VALUE)
          .lanewise(VectorOperators.XOR, bits)
          .reinterpretAsDoubles()
          .intoArray(y, at + i);
      least = LongVector.fromArray(KEYS, keys, rowAt + i).min(least);
    }
    LongVector.fromArray(KEYS, prefix, 0).min(least).intoArray(prefix, 0);
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

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

  VectorF64Keys(boolean greatest) {
    turn = greatest ? -1 : 0;
  }

  /** Tells whether any of the cells read was -0.0. */
  boolean sawNegativeZero() {
    return negativeZero;
  }

  @Override
  public void readKeys(Object x, int from, long[] keys, int n) {
    double[] cells = (double[]) x;
    long turned = turn;
    VectorMask<Long> zeros = KEYS.maskAll(false);
    for (int i = 0; i < n; i += LANES) {
      DoubleVector cell = DoubleVector.fromArray(CELLS, cells, from + i);
      LongVector bits = cell.reinterpretAsLongs();
      VectorMask<Long> negativeZeros = bits.eq(Long.MIN_VALUE);
      zeros = zeros.or(negativeZeros);
      VectorMask<Long> nans = cell.compare(VectorOperators.NE, cell).cast(KEYS);
      fold(bits.blend(NAN, nans).blend(0, negativeZeros))
          .lanewise(VectorOperators.XOR, turned)
          .intoArray(keys, i);
    }
    negativeZero |= zeros.anyTrue();
  }

  /** Leaves NaN and -0.0 to {@link #readKeys}: the least of all bits would be those of -0.0. */
  @Override
  public boolean readLeastOfFour(Object x, int from, long[] fours, int n) {
    double[] cells = (double[]) x;
    long turned = turn;
    LongVector greatest = LongVector.zero(KEYS);
    LongVector least = LongVector.zero(KEYS);
    for (int i = 0; i < n; i += LANES) {
      int p = from + i;
      LongVector bits = bits(cells, p);
      greatest = greatest.max(bits.and(Long.MAX_VALUE));
      least = least.min(bits);
      key(bits, turned)
          .min(key(bits(cells, p + 1), turned))
          .min(key(bits(cells, p + 2), turned).min(key(bits(cells, p + 3), turned)))
          .intoArray(fours, i);
    }
    // The three cells behind the last vector are part of its keys.
    for (int i = n; i < n + 3; i += LANES) {
      LongVector bits = bits(cells, from + i);
      greatest = greatest.max(bits.and(Long.MAX_VALUE));
      least = least.min(bits);
    }
    return greatest.reduceLanes(VectorOperators.MAX) <= INFINITY
        && least.reduceLanes(VectorOperators.MIN) != Long.MIN_VALUE;
  }

  private static LongVector bits(double[] cells, int index) {
    return DoubleVector.fromArray(CELLS, cells, index).reinterpretAsLongs();
  }

  private static LongVector key(LongVector bits, long turned) {
    return fold(bits).lanewise(VectorOperators.XOR, turned);
  }

  @Override
  public void writeCells(long[] keys, Object y, int at, int n) {
    double[] cells = (double[]) y;
    long turned = turn;
    for (int i = 0; i < n; i += LANES) {
      fold(LongVector.fromArray(KEYS, keys, i).lanewise(VectorOperators.XOR, turned))
          .reinterpretAsDoubles()
          .intoArray(cells, at + i);
    }
  }

  /** Turns around all bits of negative numbers but the sign; its own inverse. */
  private static LongVector fold(LongVector bits) {
    return bits.lanewise(
        VectorOperators.XOR,
        bits.lanewise(VectorOperators.ASHR, 63).lanewise(VectorOperators.LSHR, 1));
  }
}

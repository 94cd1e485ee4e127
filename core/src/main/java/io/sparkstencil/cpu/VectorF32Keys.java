/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Integer keys in the order of float cells: a minimum of integers is one instruction, one of cells
 * with NaN and signed zeros is many. Bits of a negative number are turned around but for the sign;
 * every NaN gets the key of the positive quiet NaN, which is the greatest, and -0.0 that of 0.0:
 * {@link NegativeZeros} puts the sign back. For a maximum all bits are turned around.
 */
final class VectorF32Keys implements VectorI32Minimum.Cells {
  private static final VectorSpecies<Float> CELLS = VectorShapes.F32;
  private static final VectorSpecies<Integer> KEYS = VectorShapes.I32;
  private static final int LANES = KEYS.length();
  private static final int NAN = Float.floatToIntBits(Float.NaN);

  private static final int INFINITY = Float.floatToIntBits(Float.POSITIVE_INFINITY);

  private final int turn;
  private boolean negativeZero;

  VectorF32Keys(boolean greatest) {
    turn = greatest ? -1 : 0;
  }

  /** Tells whether any of the cells read was -0.0. */
  boolean sawNegativeZero() {
    return negativeZero;
  }

  @Override
  public void readKeys(Object x, int from, int[] keys, int n) {
    float[] cells = (float[]) x;
    int turned = turn;
    VectorMask<Integer> zeros = KEYS.maskAll(false);
    for (int i = 0; i < n; i += LANES) {
      FloatVector cell = FloatVector.fromArray(CELLS, cells, from + i);
      IntVector bits = cell.reinterpretAsInts();
      VectorMask<Integer> negativeZeros = bits.eq(Integer.MIN_VALUE);
      zeros = zeros.or(negativeZeros);
      VectorMask<Integer> nans = cell.compare(VectorOperators.NE, cell).cast(KEYS);
      fold(bits.blend(NAN, nans).blend(0, negativeZeros))
          .lanewise(VectorOperators.XOR, turned)
          .intoArray(keys, i);
    }
    negativeZero |= zeros.anyTrue();
  }

  /** Leaves NaN and -0.0 to {@link #readKeys}: the least of all bits would be those of -0.0. */
  @Override
  public boolean readLeastOfFour(Object x, int from, int[] fours, int n) {
    float[] cells = (float[]) x;
    int turned = turn;
    IntVector greatest = IntVector.zero(KEYS);
    IntVector least = IntVector.zero(KEYS);
    for (int i = 0; i < n; i += LANES) {
      int p = from + i;
      IntVector bits = bits(cells, p);
      greatest = greatest.max(bits.and(Integer.MAX_VALUE));
      least = least.min(bits);
      key(bits, turned)
          .min(key(bits(cells, p + 1), turned))
          .min(key(bits(cells, p + 2), turned).min(key(bits(cells, p + 3), turned)))
          .intoArray(fours, i);
    }
    // The three cells behind the last vector are part of its keys.
    for (int i = n; i < n + 3; i += LANES) {
      IntVector bits = bits(cells, from + i);
      greatest = greatest.max(bits.and(Integer.MAX_VALUE));
      least = least.min(bits);
    }
    return greatest.reduceLanes(VectorOperators.MAX) <= INFINITY
        && least.reduceLanes(VectorOperators.MIN) != Integer.MIN_VALUE;
  }

  private static IntVector bits(float[] cells, int index) {
    return FloatVector.fromArray(CELLS, cells, index).reinterpretAsInts();
  }

  private static IntVector key(IntVector bits, int turned) {
    return fold(bits).lanewise(VectorOperators.XOR, turned);
  }

  @Override
  public void writeCells(int[] keys, Object y, int at, int n) {
    float[] cells = (float[]) y;
    int turned = turn;
    for (int i = 0; i < n; i += LANES) {
      fold(IntVector.fromArray(KEYS, keys, i).lanewise(VectorOperators.XOR, turned))
          .reinterpretAsFloats()
          .intoArray(cells, at + i);
    }
  }

  /** Turns around all bits of negative numbers but the sign; its own inverse. */
  private static IntVector fold(IntVector bits) {
    return bits.lanewise(
        VectorOperators.XOR,
        bits.lanewise(VectorOperators.ASHR, 31).lanewise(VectorOperators.LSHR, 1));
  }
}

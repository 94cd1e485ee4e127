/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import java.util.Arrays;
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
  private int[] oddities = new int[0];

  VectorF32Keys(boolean greatest) {
    turn = greatest ? -1 : 0;
  }

  /** Tells whether any of the cells read since the last call was -0.0. */
  boolean takeNegativeZero() {
    boolean saw = negativeZero;
    negativeZero = false;
    return saw;
  }

  @Override
  public void readKeys(Object x, int from, int[] keys, int n) {
    float[] cells = (float[]) x;
    if (oddities.length < n + 4 * LANES) {
      oddities = new int[n + 4 * LANES];
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
      float[] cells, int from, int[] keys, int[] oddities, int turned, int n) {
    for (int i = 0; i < n; i += LANES) {
      IntVector bits = FloatVector.fromArray(CELLS, cells, from + i).reinterpretAsInts();
      bits.lanewise(VectorOperators.ASHR, 31)
          .and(Integer.MAX_VALUE)
          .lanewise(VectorOperators.XOR, bits)
          .lanewise(VectorOperators.XOR, turned)
          .intoArray(keys, i);
      bits.and(Integer.MAX_VALUE).max(bits.sub(1)).intoArray(oddities, i);
    }
  }

  /**
   * Folds an array in four until little is left; cells behind are seen twice, which is no matter.
   */
  private static int greatest(int[] x, int n) {
    int left = n;
    Arrays.fill(x, n, n + 4 * LANES, 0);
    while (left > 2 * LANES) {
      int quarter = (left + 4 * LANES - 1) / (4 * LANES) * LANES;
      for (int i = 0; i < quarter; i += LANES) {
        IntVector.fromArray(KEYS, x, i)
            .max(IntVector.fromArray(KEYS, x, i + quarter))
            .max(
                IntVector.fromArray(KEYS, x, i + 2 * quarter)
                    .max(IntVector.fromArray(KEYS, x, i + 3 * quarter)))
            .intoArray(x, i);
      }
      left = quarter;
    }
    int greatest = 0;
    for (int i = 0; i < left; i++) {
      greatest = Math.max(greatest, x[i]);
    }
    return greatest;
  }

  private void readAnyKeys(float[] cells, int from, int[] keys, int n) {
    int turned = turn;
    VectorMask<Integer> zeros = KEYS.maskAll(false);
    for (int i = 0; i < n; i += LANES) {
      FloatVector cell = FloatVector.fromArray(CELLS, cells, from + i);
      IntVector bits = cell.reinterpretAsInts();
      VectorMask<Integer> negativeZeros = bits.eq(Integer.MIN_VALUE);
      zeros = zeros.or(negativeZeros);
      VectorMask<Integer> nans = cell.compare(VectorOperators.NE, cell).cast(KEYS);
      IntVector key = bits.blend(NAN, nans).blend(0, negativeZeros);
      key.lanewise(VectorOperators.ASHR, 31)
          .and(Integer.MAX_VALUE)
          .lanewise(VectorOperators.XOR, key)
          .lanewise(VectorOperators.XOR, turned)
          .intoArray(keys, i);
    }
    negativeZero |= zeros.anyTrue();
  }

  @Override
  public void writeCells(int[] keys, Object y, int at, int n) {
    writeCells(keys, turn, (float[]) y, at, n);
  }

  private static void writeCells(int[] keys, int turned, float[] cells, int at, int n) {
    for (int i = 0; i < n; i += LANES) {
      IntVector bits = IntVector.fromArray(KEYS, keys, i).lanewise(VectorOperators.XOR, turned);
      bits.lanewise(VectorOperators.ASHR, 31)
          .and(Integer.MAX_VALUE)
          .lanewise(VectorOperators.XOR, bits)
          .reinterpretAsFloats()
          .intoArray(cells, at + i);
    }
  }

  @Override
  public void writeLeast(int[] keys, int second, int third, int fourth, Object y, int at, int n) {
    if (second == fourth) {
      writeLeastOfTwo(keys, second, turn, (float[]) y, at, n);
    } else {
      writeLeastOfFour(keys, second, third, fourth, turn, (float[]) y, at, n);
    }
  }

  private static void writeLeastOfTwo(
      int[] keys, int second, int turned, float[] cells, int at, int n) {
    for (int i = 0; i < n; i += LANES) {
      IntVector bits =
          IntVector.fromArray(KEYS, keys, i)
              .min(IntVector.fromArray(KEYS, keys, i + second))
              .lanewise(VectorOperators.XOR, turned);
      bits.lanewise(VectorOperators.ASHR, 31)
          .and(Integer.MAX_VALUE)
          .lanewise(VectorOperators.XOR, bits)
          .reinterpretAsFloats()
          .intoArray(cells, at + i);
    }
  }

  private static void writeLeastOfFour(
      int[] keys, int second, int third, int fourth, int turned, float[] cells, int at, int n) {
    for (int i = 0; i < n; i += LANES) {
      IntVector bits =
          IntVector.fromArray(KEYS, keys, i)
              .min(IntVector.fromArray(KEYS, keys, i + second))
              .min(
                  IntVector.fromArray(KEYS, keys, i + third)
                      .min(IntVector.fromArray(KEYS, keys, i + fourth)))
              .lanewise(VectorOperators.XOR, turned);
      bits.lanewise(VectorOperators.ASHR, 31)
          .and(Integer.MAX_VALUE)
          .lanewise(VectorOperators.XOR, bits)
          .reinterpretAsFloats()
          .intoArray(cells, at + i);
    }
  }
}

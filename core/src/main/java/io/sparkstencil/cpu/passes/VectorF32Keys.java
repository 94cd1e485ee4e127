/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * Keys: integers in the order of float cells. A minimum of integers is one instruction, whereas a
 * minimum of cells with NaN and signed zeros takes many. For negative numbers, all bits except the
 * sign are inverted; for a maximum, all bits are inverted.
 *
 * <p>Keys of negative NaN and -0.0 are wrong. Reading detects them: it keeps the smallest key of
 * all cells, which for a NaN is below that of negative infinity, and the largest value of all bits
 * less one, which for -0.0 is the largest of all numbers. Results made from such cells must be
 * computed again from {@link #plain} cells; then the signs of zeros are restored.
 */
final class VectorF32Keys implements VectorI32Minimum.Cells {
  private static final VectorSpecies<Float> CELLS = VectorShapes.F32;
  private static final VectorSpecies<Integer> KEYS = VectorShapes.I32;
  private static final int LANES = KEYS.length();
  private static final int SIGN = Integer.SIZE - 1;
  private static final int LEAST =
      Float.floatToIntBits(Float.NEGATIVE_INFINITY) ^ Integer.MAX_VALUE;

  private static final VectorShuffle<Integer> UP_1 = VectorShapes.shift(KEYS, LANES, 1);
  private static final VectorShuffle<Integer> UP_2 = VectorShapes.shift(KEYS, LANES, 2);
  private static final VectorShuffle<Integer> UP_4 = VectorShapes.shift(KEYS, LANES, 4);
  private static final VectorShuffle<Integer> UP_8 = VectorShapes.shift(KEYS, LANES, 8);

  private final int turn;
  private final int[] least = new int[LANES];
  private final int[] greatest = new int[LANES];
  private float[] plain = new float[0];

  VectorF32Keys(boolean greatest) {
    turn = greatest ? -1 : 0;
    forget();
  }

  private void forget() {
    Arrays.fill(least, Integer.MAX_VALUE);
    Arrays.fill(greatest, Integer.MIN_VALUE);
  }

  /** Returns whether any cell read since the last call was -0.0 or a negative NaN. */
  boolean takeOddities() {
    boolean odd = false;
    for (int lane = 0; lane < LANES; lane++) {
      odd |= least[lane] < LEAST || greatest[lane] == Integer.MAX_VALUE;
    }
    forget();
    return odd;
  }

  /**
   * Returns {@code n} cells with 0.0 for -0.0 and a single NaN for all; valid until the next call.
   */
  float[] plain(float[] x, int from, int n) {
    if (plain.length < n) {
      plain = new float[n];
    }
    for (int i = 0; i < n; i++) {
      float cell = x[from + i];
      plain[i] = Float.isNaN(cell) ? Float.NaN : cell + 0;
    }
    return plain;
  }

  @Override
  public void readLeast(Object x, int from, int second, int third, int fourth, int[] keys, int n) {
    readLeast((float[]) x, from, second, third, fourth, turn, keys, least, greatest, n);
  }

  private static void readLeast(
      float[] x,
      int from,
      int second,
      int third,
      int fourth,
      int turned,
      int[] keys,
      int[] least,
      int[] greatest,
      int n) {
    IntVector low = IntVector.fromArray(KEYS, least, 0);
    IntVector high = IntVector.fromArray(KEYS, greatest, 0);
    for (int i = 0; i < n; i += LANES) {
      int p = from + i;
      IntVector x0 = FloatVector.fromArray(CELLS, x, p).reinterpretAsInts();
      IntVector x1 = FloatVector.fromArray(CELLS, x, p + second).reinterpretAsInts();
      IntVector x2 = FloatVector.fromArray(CELLS, x, p + third).reinterpretAsInts();
      IntVector x3 = FloatVector.fromArray(CELLS, x, p + fourth).reinterpretAsInts();
      IntVector key =
          x0.lanewise(VectorOperators.ASHR, SIGN)
              .and(Integer.MAX_VALUE)
              .lanewise(VectorOperators.XOR, x0);
      low = key.min(low);
      high = x0.sub(1).max(high);
      key.lanewise(VectorOperators.XOR, turned)
          .min(
              x1.lanewise(VectorOperators.ASHR, SIGN)
                  .and(Integer.MAX_VALUE)
                  .lanewise(VectorOperators.XOR, x1)
                  .lanewise(VectorOperators.XOR, turned))
          .min(
              x2.lanewise(VectorOperators.ASHR, SIGN)
                  .and(Integer.MAX_VALUE)
                  .lanewise(VectorOperators.XOR, x2)
                  .lanewise(VectorOperators.XOR, turned)
                  .min(
                      x3.lanewise(VectorOperators.ASHR, SIGN)
                          .and(Integer.MAX_VALUE)
                          .lanewise(VectorOperators.XOR, x3)
                          .lanewise(VectorOperators.XOR, turned)))
          .intoArray(keys, i);
    }
    IntVector.fromArray(KEYS, least, 0).min(low).intoArray(least, 0);
    IntVector.fromArray(KEYS, greatest, 0).max(high).intoArray(greatest, 0);
  }

  @Override
  public void writeLeast(int[] keys, int second, int third, int fourth, Object y, int at, int n) {
    writeLeast(keys, second, third, fourth, turn, (float[]) y, at, n);
  }

  private static void writeLeast(
      int[] keys, int second, int third, int fourth, int turned, float[] cells, int at, int n) {
    for (int i = 0; i < n; i += LANES) {
      IntVector bits =
          IntVector.fromArray(KEYS, keys, i)
              .min(IntVector.fromArray(KEYS, keys, i + second))
              .min(
                  IntVector.fromArray(KEYS, keys, i + third)
                      .min(IntVector.fromArray(KEYS, keys, i + fourth)))
              .lanewise(VectorOperators.XOR, turned);
      bits.lanewise(VectorOperators.ASHR, SIGN)
          .and(Integer.MAX_VALUE)
          .lanewise(VectorOperators.XOR, bits)
          .reinterpretAsFloats()
          .intoArray(cells, at + i);
    }
  }

  @Override
  public void addSuffixes(
      Object x, int from, int[] keys, int at, int[] totals, int totalsAt, int n) {
    addSuffixes((float[]) x, from, turn, keys, at, totals, totalsAt, least, greatest, n);
  }

  private static void addSuffixes(
      float[] x,
      int from,
      int turned,
      int[] keys,
      int at,
      int[] totals,
      int totalsAt,
      int[] least,
      int[] greatest,
      int n) {
    IntVector low = IntVector.fromArray(KEYS, least, 0);
    IntVector high = IntVector.fromArray(KEYS, greatest, 0);
    IntVector butLast = IntVector.fromArray(KEYS, VectorI32Minimum.BUT_LAST, 0);
    for (int i = 0; i < n; i += LANES) {
      IntVector bits = FloatVector.fromArray(CELLS, x, from + i).reinterpretAsInts();
      IntVector next = FloatVector.fromArray(CELLS, x, from + i + 1).reinterpretAsInts();
      IntVector key =
          bits.lanewise(VectorOperators.ASHR, SIGN)
              .and(Integer.MAX_VALUE)
              .lanewise(VectorOperators.XOR, bits);
      low = key.min(low);
      high = bits.sub(1).max(high);
      key =
          key.lanewise(VectorOperators.XOR, turned)
              .min(
                  next.lanewise(VectorOperators.ASHR, SIGN)
                      .and(Integer.MAX_VALUE)
                      .lanewise(VectorOperators.XOR, next)
                      .lanewise(VectorOperators.XOR, turned)
                      .max(butLast));
      if (VectorI32Moves.AS_OTHER) {
        key =
            key.min(key.reinterpretAsLongs().rearrange(VectorI32Moves.DOWN_2).reinterpretAsInts());
      } else {
        key = key.min(key.rearrange(VectorI32Moves.SHORT_DOWN_2));
      }
      if (LANES >= 8) {
        key =
            key.min(key.reinterpretAsLongs().rearrange(VectorI32Moves.DOWN_4).reinterpretAsInts());
      }
      if (LANES >= 16) {
        key =
            key.min(key.reinterpretAsLongs().rearrange(VectorI32Moves.DOWN_8).reinterpretAsInts());
      }
      key.intoArray(keys, at + i);
      totals[totalsAt + i / LANES] = key.lane(0);
    }
    IntVector.fromArray(KEYS, least, 0).min(low).intoArray(least, 0);
    IntVector.fromArray(KEYS, greatest, 0).max(high).intoArray(greatest, 0);
  }

  @Override
  public void writeFrames(
      Object x,
      int from,
      int[] keys,
      int ringAt,
      int tailCells,
      int[] tailLanes,
      int[] wholes,
      int first,
      Object y,
      int at,
      int n) {
    float[] source = (float[]) x;
    float[] target = (float[]) y;
    int turned = turn;
    IntVector tail = IntVector.fromArray(KEYS, tailLanes, 0);
    for (int i = 0; i < n; i += LANES) {
      IntVector bits = FloatVector.fromArray(CELLS, source, from + i).reinterpretAsInts();
      IntVector key =
          bits.lanewise(VectorOperators.ASHR, SIGN)
              .and(Integer.MAX_VALUE)
              .lanewise(VectorOperators.XOR, bits)
              .lanewise(VectorOperators.XOR, turned);
      key = key.min(key.rearrange(UP_1));
      key = key.min(key.rearrange(UP_2));
      if (LANES >= 8) {
        key = key.min(key.rearrange(UP_4));
      }
      if (LANES >= 16) {
        key = key.min(key.rearrange(UP_8));
      }
      bits =
          key.min(IntVector.fromArray(KEYS, keys, ringAt - tailCells + i))
              .min(
                  IntVector.broadcast(KEYS, keys[ringAt + i])
                      .max(tail)
                      .min(IntVector.broadcast(KEYS, wholes[first + i / LANES])))
              .lanewise(VectorOperators.XOR, turned);
      bits.lanewise(VectorOperators.ASHR, SIGN)
          .and(Integer.MAX_VALUE)
          .lanewise(VectorOperators.XOR, bits)
          .reinterpretAsFloats()
          .intoArray(target, at + i);
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import java.util.Arrays;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * Sums within vectors of I32 cells, the inner loops of {@link VectorI32SlidingSums}. Lanes are
 * shifted as those of floats: the library checks a shuffle against a vector of zeros of its own
 * type, and the compiler takes that out of a loop only if the loop stores nothing in arrays of the
 * type.
 *
 * <p>What a scan is made of depends on {@code LANES}, a constant to the compiler.
 */
final class VectorI32Scans {
  private static final VectorSpecies<Integer> SPECIES = VectorShapes.I32;
  private static final VectorSpecies<Float> FLOATS = VectorShapes.F32;
  private static final int LANES = SPECIES.length();

  private static final VectorShuffle<Float> UP_1 = shift(1);
  private static final VectorShuffle<Float> UP_2 = shift(2);
  private static final VectorShuffle<Float> UP_4 = shift(4);
  private static final VectorShuffle<Float> UP_8 = shift(8);
  private static final VectorShuffle<Float> DOWN_1 = shift(-1);
  private static final VectorShuffle<Float> DOWN_2 = shift(-2);
  private static final VectorShuffle<Float> DOWN_4 = shift(-4);
  private static final VectorShuffle<Float> DOWN_8 = shift(-8);

  /** All bits of the lanes that have a cell after a shift up by 1, 2, 4, 8, then down. */
  private static final int[] SHIFTED = new int[8 * LANES];

  static {
    for (int shift = 0; shift < 4; shift++) {
      int lost = Math.min(LANES, 1 << shift);
      Arrays.fill(SHIFTED, shift * LANES + lost, (shift + 1) * LANES, -1);
      Arrays.fill(SHIFTED, (4 + shift) * LANES, (5 + shift) * LANES - lost, -1);
    }
  }

  private VectorI32Scans() {}

  private static VectorShuffle<Float> shift(int lanes) {
    return VectorShuffle.fromOp(FLOATS, lane -> (lane - lanes) & (LANES - 1));
  }

  /**
   * Writes, for each cell, the sum from it to the end of its vector, and the first of each vector
   * to {@code totals}.
   */
  static void addSuffixes(
      int[] x, int from, int[] sums, int at, int[] totals, int totalsAt, int n) {
    IntVector shifted1 = IntVector.fromArray(SPECIES, SHIFTED, 4 * LANES);
    IntVector shifted2 = IntVector.fromArray(SPECIES, SHIFTED, 5 * LANES);
    IntVector shifted4 = IntVector.fromArray(SPECIES, SHIFTED, 6 * LANES);
    IntVector shifted8 = IntVector.fromArray(SPECIES, SHIFTED, 7 * LANES);
    for (int i = 0; i < n; i += LANES) {
      IntVector cells = IntVector.fromArray(SPECIES, x, from + i);
      cells =
          cells.add(
              cells.reinterpretAsFloats().rearrange(DOWN_1).reinterpretAsInts().and(shifted1));
      cells =
          cells.add(
              cells.reinterpretAsFloats().rearrange(DOWN_2).reinterpretAsInts().and(shifted2));
      if (LANES >= 8) {
        cells =
            cells.add(
                cells.reinterpretAsFloats().rearrange(DOWN_4).reinterpretAsInts().and(shifted4));
      }
      if (LANES >= 16) {
        cells =
            cells.add(
                cells.reinterpretAsFloats().rearrange(DOWN_8).reinterpretAsInts().and(shifted8));
      }
      cells.intoArray(sums, at + i);
      totals[totalsAt + i / LANES] = cells.lane(0);
    }
  }

  /**
   * Writes sums: of suffixes at {@code ringAt - tailCells}, of the chunks' at {@code ringAt} in
   * tail lanes, of {@code wholes} and of the vector's own cells up to each.
   *
   * @param tailLanes all bits in tail lanes, none in others
   */
  static void writeFrames(
      int[] x,
      int from,
      int[] sums,
      int ringAt,
      int tailCells,
      int[] tailLanes,
      int[] wholes,
      int first,
      int[] y,
      int at,
      int n) {
    IntVector tail = IntVector.fromArray(SPECIES, tailLanes, 0);
    IntVector shifted1 = IntVector.fromArray(SPECIES, SHIFTED, 0);
    IntVector shifted2 = IntVector.fromArray(SPECIES, SHIFTED, LANES);
    IntVector shifted4 = IntVector.fromArray(SPECIES, SHIFTED, 2 * LANES);
    IntVector shifted8 = IntVector.fromArray(SPECIES, SHIFTED, 3 * LANES);
    for (int i = 0; i < n; i += LANES) {
      IntVector cells = IntVector.fromArray(SPECIES, x, from + i);
      cells =
          cells.add(cells.reinterpretAsFloats().rearrange(UP_1).reinterpretAsInts().and(shifted1));
      cells =
          cells.add(cells.reinterpretAsFloats().rearrange(UP_2).reinterpretAsInts().and(shifted2));
      if (LANES >= 8) {
        cells =
            cells.add(
                cells.reinterpretAsFloats().rearrange(UP_4).reinterpretAsInts().and(shifted4));
      }
      if (LANES >= 16) {
        cells =
            cells.add(
                cells.reinterpretAsFloats().rearrange(UP_8).reinterpretAsInts().and(shifted8));
      }
      cells
          .add(IntVector.fromArray(SPECIES, sums, ringAt - tailCells + i))
          .add(
              IntVector.broadcast(SPECIES, sums[ringAt + i])
                  .and(tail)
                  .add(IntVector.broadcast(SPECIES, wholes[first + i / LANES])))
          .intoArray(y, at + i);
    }
  }
}

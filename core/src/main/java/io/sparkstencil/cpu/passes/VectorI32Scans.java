/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

import java.util.Arrays;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * Sums within vectors of I32 cells, the inner loops of {@link VectorI32SlidingSums}. Cells are
 * shifted by one by reading from the next cell on, and by more in registers.
 *
 * <p>The steps of a scan depend on {@code LANES}, which is a constant for the compiler.
 */
final class VectorI32Scans {
  private static final VectorSpecies<Integer> SPECIES = VectorShapes.I32;
  private static final int LANES = SPECIES.length();

  /** No single instruction shuffles a vector of two lanes of another type. */
  private static final boolean MOVES_AS_OTHER = VectorShapes.I64.length() > 2;

  private static final VectorShuffle<Long> UP_2 = VectorShapes.shift(VectorShapes.I64, LANES, 2);

  private static final VectorShuffle<Long> UP_4 = VectorShapes.shift(VectorShapes.I64, LANES, 4);
  private static final VectorShuffle<Long> UP_8 = VectorShapes.shift(VectorShapes.I64, LANES, 8);
  private static final VectorShuffle<Long> DOWN_2 = VectorShapes.shift(VectorShapes.I64, LANES, -2);
  private static final VectorShuffle<Long> DOWN_4 = VectorShapes.shift(VectorShapes.I64, LANES, -4);
  private static final VectorShuffle<Long> DOWN_8 = VectorShapes.shift(VectorShapes.I64, LANES, -8);

  private static final VectorShuffle<Integer> SHORT_UP_2 = VectorShapes.shift(SPECIES, LANES, 2);

  private static final VectorShuffle<Integer> SHORT_DOWN_2 = VectorShapes.shift(SPECIES, LANES, -2);

  /** Masks of the lanes that hold a cell after a shift up by 1, 2, 4, 8, then down. */
  static final int[] SHIFTED = new int[8 * LANES];

  static {
    for (int shift = 0; shift < 4; shift++) {
      int lost = Math.min(LANES, 1 << shift);
      Arrays.fill(SHIFTED, shift * LANES + lost, (shift + 1) * LANES, -1);
      Arrays.fill(SHIFTED, (4 + shift) * LANES, (5 + shift) * LANES - lost, -1);
    }
  }

  private VectorI32Scans() {}

  /**
   * Writes, for each cell, the sum from that cell to the end of its vector. Writes the first sum of
   * each vector to {@code totals}. Reads one more cell.
   */
  static void addSuffixes(
      int[] x, int from, int[] sums, int at, int[] totals, int totalsAt, int n) {
    IntVector shifted1 = IntVector.fromArray(SPECIES, SHIFTED, 4 * LANES);
    IntVector shifted2 = IntVector.fromArray(SPECIES, SHIFTED, 5 * LANES);
    IntVector shifted4 = IntVector.fromArray(SPECIES, SHIFTED, 6 * LANES);
    IntVector shifted8 = IntVector.fromArray(SPECIES, SHIFTED, 7 * LANES);
    for (int i = 0; i < n; i += LANES) {
      IntVector cells =
          IntVector.fromArray(SPECIES, x, from + i)
              .add(IntVector.fromArray(SPECIES, x, from + i + 1).and(shifted1));
      if (MOVES_AS_OTHER) {
        cells =
            cells.add(
                cells.reinterpretAsLongs().rearrange(DOWN_2).reinterpretAsInts().and(shifted2));
      } else {
        cells = cells.add(cells.rearrange(SHORT_DOWN_2).and(shifted2));
      }
      if (LANES >= 8) {
        cells =
            cells.add(
                cells.reinterpretAsLongs().rearrange(DOWN_4).reinterpretAsInts().and(shifted4));
      }
      if (LANES >= 16) {
        cells =
            cells.add(
                cells.reinterpretAsLongs().rearrange(DOWN_8).reinterpretAsInts().and(shifted8));
      }
      cells.intoArray(sums, at + i);
      totals[totalsAt + i / LANES] = cells.lane(0);
    }
  }

  /**
   * Writes sums. Each adds up the suffixes at {@code ringAt - tailCells}, in tail lanes the chunks
   * at {@code ringAt}, {@code wholes}, and the vector's own cells up to that lane.
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
      IntVector cells =
          IntVector.fromArray(SPECIES, x, from + i)
              .add(IntVector.fromArray(SPECIES, x, from + i - 1).and(shifted1));
      if (MOVES_AS_OTHER) {
        cells =
            cells.add(cells.reinterpretAsLongs().rearrange(UP_2).reinterpretAsInts().and(shifted2));
      } else {
        cells = cells.add(cells.rearrange(SHORT_UP_2).and(shifted2));
      }
      if (LANES >= 8) {
        cells =
            cells.add(cells.reinterpretAsLongs().rearrange(UP_4).reinterpretAsInts().and(shifted4));
      }
      if (LANES >= 16) {
        cells =
            cells.add(cells.reinterpretAsLongs().rearrange(UP_8).reinterpretAsInts().and(shifted8));
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

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * Sums within vectors of F32 cells, the inner loops of {@link VectorF32SlidingSums}. Lanes are
 * shifted as integers; see {@link VectorShapes#shift}.
 *
 * <p>The steps of a scan depend on {@code LANES}, which is a constant for the compiler.
 */
final class VectorF32Scans {
  private static final VectorSpecies<Float> SPECIES = VectorShapes.F32;
  private static final VectorSpecies<Integer> BITS = VectorShapes.I32;
  private static final int LANES = SPECIES.length();

  private static final VectorShuffle<Integer> UP_1 = VectorShapes.shift(BITS, LANES, 1);
  private static final VectorShuffle<Integer> UP_2 = VectorShapes.shift(BITS, LANES, 2);
  private static final VectorShuffle<Integer> UP_4 = VectorShapes.shift(BITS, LANES, 4);
  private static final VectorShuffle<Integer> UP_8 = VectorShapes.shift(BITS, LANES, 8);
  private static final VectorShuffle<Integer> DOWN_1 = VectorShapes.shift(BITS, LANES, -1);
  private static final VectorShuffle<Integer> DOWN_2 = VectorShapes.shift(BITS, LANES, -2);
  private static final VectorShuffle<Integer> DOWN_4 = VectorShapes.shift(BITS, LANES, -4);
  private static final VectorShuffle<Integer> DOWN_8 = VectorShapes.shift(BITS, LANES, -8);

  private static final int[] SHIFTED = VectorI32Scans.SHIFTED;

  private VectorF32Scans() {}

  /**
   * Writes, for each cell, the sum from that cell to the end of its vector. Writes the first sum of
   * each vector to {@code totals}.
   */
  static void addSuffixes(
      float[] x, int from, float[] sums, int at, float[] totals, int totalsAt, int n) {
    IntVector shifted1 = IntVector.fromArray(BITS, SHIFTED, 4 * LANES);
    IntVector shifted2 = IntVector.fromArray(BITS, SHIFTED, 5 * LANES);
    IntVector shifted4 = IntVector.fromArray(BITS, SHIFTED, 6 * LANES);
    IntVector shifted8 = IntVector.fromArray(BITS, SHIFTED, 7 * LANES);
    for (int i = 0; i < n; i += LANES) {
      FloatVector cells = FloatVector.fromArray(SPECIES, x, from + i);
      cells =
          cells.add(
              cells.reinterpretAsInts().rearrange(DOWN_1).and(shifted1).reinterpretAsFloats());
      cells =
          cells.add(
              cells.reinterpretAsInts().rearrange(DOWN_2).and(shifted2).reinterpretAsFloats());
      if (LANES >= 8) {
        cells =
            cells.add(
                cells.reinterpretAsInts().rearrange(DOWN_4).and(shifted4).reinterpretAsFloats());
      }
      if (LANES >= 16) {
        cells =
            cells.add(
                cells.reinterpretAsInts().rearrange(DOWN_8).and(shifted8).reinterpretAsFloats());
      }
      cells.intoArray(sums, at + i);
      totals[totalsAt + i / LANES] = cells.lane(0);
    }
  }

  /**
   * Writes sums, multiplied by {@code scale}. Each adds up the suffixes at {@code ringAt -
   * tailCells}, in tail lanes the chunks at {@code ringAt}, {@code wholes}, and the vector's own
   * cells up to that lane.
   *
   * @param tailLanes all bits in tail lanes, none in others
   */
  static void writeFrames(
      float[] x,
      int from,
      float[] sums,
      int ringAt,
      int tailCells,
      int[] tailLanes,
      float[] wholes,
      int first,
      float scale,
      float[] y,
      int at,
      int n) {
    IntVector tail = IntVector.fromArray(BITS, tailLanes, 0);
    IntVector shifted1 = IntVector.fromArray(BITS, SHIFTED, 0);
    IntVector shifted2 = IntVector.fromArray(BITS, SHIFTED, LANES);
    IntVector shifted4 = IntVector.fromArray(BITS, SHIFTED, 2 * LANES);
    IntVector shifted8 = IntVector.fromArray(BITS, SHIFTED, 3 * LANES);
    for (int i = 0; i < n; i += LANES) {
      FloatVector cells = FloatVector.fromArray(SPECIES, x, from + i);
      cells =
          cells.add(cells.reinterpretAsInts().rearrange(UP_1).and(shifted1).reinterpretAsFloats());
      cells =
          cells.add(cells.reinterpretAsInts().rearrange(UP_2).and(shifted2).reinterpretAsFloats());
      if (LANES >= 8) {
        cells =
            cells.add(
                cells.reinterpretAsInts().rearrange(UP_4).and(shifted4).reinterpretAsFloats());
      }
      if (LANES >= 16) {
        cells =
            cells.add(
                cells.reinterpretAsInts().rearrange(UP_8).and(shifted8).reinterpretAsFloats());
      }
      cells
          .add(FloatVector.fromArray(SPECIES, sums, ringAt - tailCells + i))
          .add(
              FloatVector.broadcast(SPECIES, sums[ringAt + i])
                  .reinterpretAsInts()
                  .and(tail)
                  .reinterpretAsFloats()
                  .add(FloatVector.broadcast(SPECIES, wholes[first + i / LANES])))
          .mul(scale)
          .intoArray(y, at + i);
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector; // floats only
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Sums within vectors of F32 cells, the inner loops of {@link VectorF32SlidingSums}. Cells are
 * shifted by one by reading from the next cell on, and by more in registers.
 *
 * <p>The steps of a scan depend on {@code LANES}, which is a constant for the compiler.
 */
final class VectorF32Scans {
  private static final VectorSpecies<Float> SPECIES = VectorShapes.F32;
  private static final VectorSpecies<Integer> BITS = VectorShapes.I32;
  private static final int LANES = BITS.length();

  /** Masks of the lanes that hold a cell after a shift up by 1, 2, 4, 8, then down. */
  private static final int[] SHIFTED = new int[8 * LANES];

  static {
    for (int shift = 0; shift < 4; shift++) {
      int lost = Math.min(LANES, 1 << shift);
      Arrays.fill(SHIFTED, shift * LANES + lost, (shift + 1) * LANES, -1);
      Arrays.fill(SHIFTED, (4 + shift) * LANES, (5 + shift) * LANES - lost, -1);
    }
  }

  private VectorF32Scans() {}

  private static IntVector bits(FloatVector cells) {
    return cells.reinterpretAsInts(); // floats only
    // ints only: return cells;
  }

  private static FloatVector masked(IntVector bits, IntVector mask) {
    return bits.and(mask).reinterpretAsFloats(); // floats only
    // ints only: return bits.and(mask);
  }

  /**
   * Writes, for each cell, the sum from that cell to the end of its vector. Writes the first sum of
   * each vector to {@code totals}. Reads one more cell.
   */
  static void addSuffixes(
      float[] x, int from, float[] sums, int at, float[] totals, int totalsAt, int n) {
    IntVector shifted1 = IntVector.fromArray(BITS, SHIFTED, 4 * LANES);
    IntVector shifted2 = IntVector.fromArray(BITS, SHIFTED, 5 * LANES);
    IntVector shifted4 = IntVector.fromArray(BITS, SHIFTED, 6 * LANES);
    IntVector shifted8 = IntVector.fromArray(BITS, SHIFTED, 7 * LANES);
    for (int i = 0; i < n; i += LANES) {
      FloatVector next = FloatVector.fromArray(SPECIES, x, from + i + 1);
      FloatVector cells =
          FloatVector.fromArray(SPECIES, x, from + i).add(masked(bits(next), shifted1));
      cells = cells.add(masked(VectorI32Moves.down2(bits(cells)), shifted2));
      if (LANES >= 8) {
        cells = cells.add(masked(VectorI32Moves.down4(bits(cells)), shifted4));
      }
      if (LANES >= 16) {
        cells = cells.add(masked(VectorI32Moves.down8(bits(cells)), shifted8));
      }
      cells.intoArray(sums, at + i);
      totals[totalsAt + i / LANES] = cells.lane(0);
    }
  }

  /**
   * Writes sums, those of floating-point cells multiplied by {@code scale}. Each adds up the
   * suffixes at {@code ringAt - tailCells}, in tail lanes the chunks at {@code ringAt}, {@code
   * wholes}, and the vector's own cells up to that lane.
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
      float scale, // floats only
      float[] y,
      int at,
      int n) {
    IntVector tail = IntVector.fromArray(BITS, tailLanes, 0);
    IntVector shifted1 = IntVector.fromArray(BITS, SHIFTED, 0);
    IntVector shifted2 = IntVector.fromArray(BITS, SHIFTED, LANES);
    IntVector shifted4 = IntVector.fromArray(BITS, SHIFTED, 2 * LANES);
    IntVector shifted8 = IntVector.fromArray(BITS, SHIFTED, 3 * LANES);
    for (int i = 0; i < n; i += LANES) {
      FloatVector before = FloatVector.fromArray(SPECIES, x, from + i - 1);
      FloatVector cells =
          FloatVector.fromArray(SPECIES, x, from + i).add(masked(bits(before), shifted1));
      cells = cells.add(masked(VectorI32Moves.up2(bits(cells)), shifted2));
      if (LANES >= 8) {
        cells = cells.add(masked(VectorI32Moves.up4(bits(cells)), shifted4));
      }
      if (LANES >= 16) {
        cells = cells.add(masked(VectorI32Moves.up8(bits(cells)), shifted8));
      }
      FloatVector chunk = FloatVector.broadcast(SPECIES, sums[ringAt + i]);
      cells
          .add(FloatVector.fromArray(SPECIES, sums, ringAt - tailCells + i))
          .add(
              masked(bits(chunk), tail)
                  .add(FloatVector.broadcast(SPECIES, wholes[first + i / LANES])))
          .mul(scale) // floats only
          .intoArray(y, at + i);
    }
  }
}

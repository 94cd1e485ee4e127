/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector; // floats only
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * Sliding sums of F32 cells by blocks, with the Vector API: the method of van Herk (1992) and Gil
 * and Werman (1993), which costs the same for every width above that of a vector. No cell is ever
 * subtracted, so infinities and NaN stay within their frames.
 *
 * <p>Cells are cut into blocks as long as the whole vectors in one cell less than a frame. A frame
 * then ends in the block behind the one in which it begins, or in the first cells of the next but
 * one, and is a suffix of one block, perhaps a whole block, and a prefix of another. Suffixes are
 * made of a vector by shifting lanes by 1, 2, 4 and 8 and adding, and of a block by adding what the
 * vectors behind have in all. Prefixes are made likewise and at once become frames. Sums of whole
 * blocks are added to the few suffixes that are followed by one. Vectors are shifted as bits of
 * integers: the check of a shuffle of floats is made again for every vector.
 *
 * <p>Work goes by groups of blocks, of about {@link SlidingRows#PIECE_CELLS} cells, and by pieces
 * of groups. Frames of a group are made when suffixes of the next one are: a vector read back while
 * its store still waits behind stores to memory stalls. Suffixes need cells from the last to the
 * first, which is slow from memory (14 to 20 ms where it takes 8), so a word of each of their cache
 * lines is read ahead in ascending order.
 */
final class VectorF32BlockSums {
  private static final VectorSpecies<Float> SPECIES = VectorShapes.F32;
  private static final VectorSpecies<Integer> BITS = VectorShapes.I32;
  private static final int LANES = SPECIES.length();
  private static final int PIECE_CELLS = SlidingRows.PIECE_CELLS;

  /** Groups of suffixes in memory: being made, being used, and the end of the one before. */
  private static final int SLOTS = 3;

  private static final VectorShuffle<Integer> UP_1 = shift(1);
  private static final VectorShuffle<Integer> UP_2 = shift(2);
  private static final VectorShuffle<Integer> UP_4 = shift(4);
  private static final VectorShuffle<Integer> UP_8 = shift(8);
  private static final VectorShuffle<Integer> DOWN_1 = shift(-1);
  private static final VectorShuffle<Integer> DOWN_2 = shift(-2);
  private static final VectorShuffle<Integer> DOWN_4 = shift(-4);
  private static final VectorShuffle<Integer> DOWN_8 = shift(-8);
  private static final VectorShuffle<Integer> FIRST = VectorShuffle.fromOp(BITS, lane -> 0);
  private static final VectorShuffle<Integer> LAST = VectorShuffle.fromOp(BITS, lane -> LANES - 1);

  /** All bits of the lanes that have a cell after a shift up by 1, 2, 4, 8, then down. */
  private static final int[] SHIFTED = new int[8 * LANES];

  private static final float[] ZEROS = new float[LANES];

  static {
    for (int shift = 0; shift < 4; shift++) {
      int lost = Math.min(LANES, 1 << shift);
      Arrays.fill(SHIFTED, shift * LANES + lost, (shift + 1) * LANES, -1);
      Arrays.fill(SHIFTED, (4 + shift) * LANES, (5 + shift) * LANES - lost, -1);
    }
  }

  private final float[] prefix = new float[LANES];
  private final float[] suffix = new float[LANES];

  /** All bits of a block's last lanes, whose frames go beyond the next block. */
  private final int[] tailLanes = new int[LANES];

  /** No bits where a block begins or ends, where sums of vectors before begin anew. */
  private int[] afterFirst = new int[0];

  private int[] beforeLast = new int[0];

  /** Suffixes, behind a copy of the last vector. */
  private float[] suffixes = new float[0];

  /** What sums are multiplied by. */
  float scale; // floats only

  private int width;
  private int blockCells;
  private int groupCells;
  private int tailCells;
  private float readAhead;

  private static VectorShuffle<Integer> shift(int lanes) {
    return VectorShuffle.fromOp(BITS, lane -> (lane - lanes) & (LANES - 1));
  }

  /** Adds the cells of frames, more than a vector's. */
  void sum(float[] x, int from, int frameCells, float[] y, int at, int n) {
    plan(frameCells);
    firstTails(x, from);
    int cellsAt = from + tailCells;
    int end = n + width - 1 - tailCells;
    int pieces = Math.max(1, (groupCells + PIECE_CELLS / 2) / PIECE_CELLS);
    int piece = (groupCells / LANES + pieces - 1) / pieces * LANES;
    int last = (SLOTS - 1) * groupCells;
    int slot = 0;
    for (int group = 0; group - groupCells < n; group += groupCells) {
      for (int p = 0; p < groupCells; p += piece) {
        int cells = Math.min(piece, groupCells - p);
        makeSuffixes(x, cellsAt + group, n - group, slot, groupCells - p - cells, cells);
        int ahead = group + groupCells + p;
        touch(x, cellsAt + ahead, Math.min(cells, end - ahead));
        int done = group - groupCells + p;
        if (group > 0 && done < n) {
          int count = Math.min(cells, n - done);
          addFrames(
              x, cellsAt + blockCells + done, LANES + last + p - tailCells, p, y, at + done, count);
        }
      }
      last = slot;
      slot = slot == (SLOTS - 1) * groupCells ? 0 : slot + groupCells;
    }
  }

  private void plan(int frameCells) {
    if (width == frameCells) {
      return;
    }
    width = frameCells;
    blockCells = (width - 1) / LANES * LANES;
    tailCells = width - 1 - blockCells;
    groupCells = Math.max(1, (PIECE_CELLS + blockCells / 2) / blockCells) * blockCells;
    if (suffixes.length < LANES + SLOTS * groupCells) {
      suffixes = new float[LANES + SLOTS * groupCells];
      afterFirst = new int[groupCells];
      beforeLast = new int[groupCells];
    }
    Arrays.fill(afterFirst, 0, groupCells, -1);
    Arrays.fill(beforeLast, 0, groupCells, -1);
    for (int block = 0; block < groupCells; block += blockCells) {
      Arrays.fill(afterFirst, block, block + LANES, 0);
      Arrays.fill(beforeLast, block + blockCells - LANES, block + blockCells, 0);
    }
    Arrays.fill(tailLanes, 0, LANES - tailCells, 0);
    Arrays.fill(tailLanes, LANES - tailCells, LANES, -1);
  }

  /** Makes the suffixes that lie before the first block. */
  private void firstTails(float[] x, int from) {
    int end = LANES + SLOTS * groupCells;
    float sum = 0;
    for (int i = 1; i <= tailCells; i++) {
      sum += x[from + tailCells - i];
      suffixes[end - i] = sum;
    }
  }

  /**
   * Makes suffixes {@code first} to {@code first + n} of the group from {@code from} on. Blocks
   * behind the last of {@code frames} are not there.
   */
  private void makeSuffixes(float[] x, int from, int frames, int slot, int first, int n) {
    int blocks = (Math.min(groupCells, frames) + blockCells - 1) / blockCells;
    int count = Math.min(n, blocks * blockCells - first);
    if (count <= 0) {
      return;
    }
    addSuffixes(x, from + first, LANES + slot + first, first, count);
    if (first == 0) {
      int before = slot == 0 ? SLOTS * groupCells : slot;
      addBlocks(LANES + slot, before, blocks * blockCells);
      if (slot == 0) {
        System.arraycopy(suffixes, before, suffixes, 0, LANES);
      }
    }
  }

  /** Reads one cell of each cache line. */
  private void touch(float[] x, int from, int n) {
    float sum = readAhead;
    for (int i = 0; i < n; i += LANES) {
      sum += x[from + i];
    }
    readAhead = sum;
  }

  private void addSuffixes(float[] x, int from, int at, int first, int n) {
    float[] sums = suffixes;
    int[] keep = beforeLast;
    IntVector shifted1 = IntVector.fromArray(BITS, SHIFTED, 4 * LANES);
    IntVector shifted2 = IntVector.fromArray(BITS, SHIFTED, 5 * LANES);
    IntVector shifted4 = IntVector.fromArray(BITS, SHIFTED, 6 * LANES);
    IntVector shifted8 = IntVector.fromArray(BITS, SHIFTED, 7 * LANES);
    FloatVector sum = FloatVector.fromArray(SPECIES, suffix, 0);
    for (int i = n - LANES; i >= 0; i -= LANES) {
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
      FloatVector behind =
          IntVector.fromArray(BITS, keep, first + i)
              .and(sum.reinterpretAsInts())
              .reinterpretAsFloats();
      cells.add(behind).intoArray(sums, at + i);
      sum = cells.reinterpretAsInts().rearrange(FIRST).reinterpretAsFloats().add(behind);
    }
    FloatVector.fromArray(SPECIES, ZEROS, 0).add(sum).intoArray(suffix, 0);
  }

  /** Adds the sum of each block to the last suffixes of the block before. */
  private void addBlocks(int at, int beforeFirst, int n) {
    float[] sums = suffixes;
    IntVector lanes = IntVector.fromArray(BITS, tailLanes, 0);
    int before = beforeFirst;
    for (int block = at; block < at + n; block += blockCells) {
      FloatVector.broadcast(SPECIES, sums[block])
          .reinterpretAsInts()
          .and(lanes)
          .reinterpretAsFloats()
          .add(FloatVector.fromArray(SPECIES, sums, before))
          .intoArray(sums, before);
      before = block + blockCells - LANES;
    }
  }

  /** Adds prefixes, of the block that {@code from} begins or of its piece, to suffixes. */
  private void addFrames(float[] x, int from, int suffixAt, int first, float[] y, int at, int n) {
    float factor = scale; // floats only
    float[] sums = suffixes;
    int[] keep = afterFirst;
    IntVector shifted1 = IntVector.fromArray(BITS, SHIFTED, 0);
    IntVector shifted2 = IntVector.fromArray(BITS, SHIFTED, LANES);
    IntVector shifted4 = IntVector.fromArray(BITS, SHIFTED, 2 * LANES);
    IntVector shifted8 = IntVector.fromArray(BITS, SHIFTED, 3 * LANES);
    FloatVector sum = FloatVector.fromArray(SPECIES, prefix, 0);
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
      FloatVector before =
          IntVector.fromArray(BITS, keep, first + i)
              .and(sum.reinterpretAsInts())
              .reinterpretAsFloats();
      cells
          .add(FloatVector.fromArray(SPECIES, sums, suffixAt + i))
          .add(before)
          .mul(factor) // floats only
          .intoArray(y, at + i);
      sum = cells.reinterpretAsInts().rearrange(LAST).reinterpretAsFloats().add(before);
    }
    FloatVector.fromArray(SPECIES, ZEROS, 0).add(sum).intoArray(prefix, 0);
  }
}

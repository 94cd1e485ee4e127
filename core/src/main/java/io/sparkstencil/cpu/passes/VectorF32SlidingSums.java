/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector; // floats only
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Sliding sums of F32 cells by {@link SlidingScans} with the Vector API. Cells are shifted by one
 * by reading from the next cell on, and by more in registers.
 *
 * <p>The steps of a scan depend on {@code LANES}, which is a constant for the compiler.
 */
final class VectorF32SlidingSums extends SlidingScans {
  private static final VectorSpecies<Float> SPECIES = VectorShapes.F32;
  private static final VectorSpecies<Integer> BITS = VectorShapes.I32;
  private static final int LANES = BITS.length();

  private static final float[] ZEROS = new float[LANES];

  /** Masks of the lanes that hold a cell after a shift up by 1, 2, 4, 8, then down. */
  private static final int[] SHIFTED = new int[8 * LANES];

  static {
    for (int shift = 0; shift < 4; shift++) {
      int lost = Math.min(LANES, 1 << shift);
      Arrays.fill(SHIFTED, shift * LANES + lost, (shift + 1) * LANES, -1);
      Arrays.fill(SHIFTED, (4 + shift) * LANES, (5 + shift) * LANES - lost, -1);
    }
  }

  /** All bits of the tail lanes. */
  private final int[] tailLanes = new int[LANES];

  /** Sums of whole chunks, one for each vector of outputs of a piece. */
  private final float[] wholes = new float[PIECE_CHUNKS];

  private float[] suffixes = new float[0];
  private float[] totals = new float[0];

  /** Sums of the last chunks of a block, longest first, and of the first chunks of the next. */
  private float[] blockSuffixes = new float[0];

  private float blockPrefix;

  /** The factor by which sums are multiplied. */
  private float scale; // floats only

  VectorF32SlidingSums() {
    super(LANES);
  }

  /** Adds the cells of frames; sums of floating-point cells are multiplied by {@code scale}. */
  void sum(
      float[] x,
      int from,
      int width,
      float scale, // floats only
      float[] y,
      int at,
      int n) {
    this.scale = scale; // floats only
    slide(x, from, width, y, at, n);
  }

  @Override
  void reserve(int suffixCells, int totalCells, int tails) {
    if (suffixes.length < suffixCells) {
      suffixes = new float[suffixCells];
    }
    if (totals.length < totalCells) {
      totals = new float[totalCells];
    }
    Arrays.fill(tailLanes, 0, tails, -1);
    Arrays.fill(tailLanes, tails, LANES, 0);
  }

  @Override
  void addSuffixes(Object x, int from, int ringAt, int totalsAt, int n) {
    sumSuffixes((float[]) x, from, suffixes, ringAt, totals, totalsAt, n);
  }

  @Override
  void copyBeforeFirst(int last) {
    System.arraycopy(suffixes, last, suffixes, 0, LANES);
  }

  @Override
  void moveTotals(int from, int n) {
    System.arraycopy(totals, from, totals, 0, n);
  }

  @Override
  void joinChunks(int totalsAt, int chunks, int n) {
    if (chunks == 0) {
      Arrays.fill(wholes, 0);
    } else {
      joinChunks(totals, totalsAt, chunks, wholes, n);
    }
  }

  private static void joinChunks(float[] totals, int at, int chunks, float[] wholes, int n) {
    for (int i = 0; i < n; i += 2 * LANES) {
      FloatVector sum = FloatVector.fromArray(SPECIES, ZEROS, 0);
      FloatVector otherSum = sum;
      FloatVector next = sum;
      FloatVector otherNext = sum;
      int p = at + i;
      int end = p + chunks - 1;
      for (; p < end; p += 2) {
        sum = FloatVector.fromArray(SPECIES, totals, p).add(sum);
        otherSum = FloatVector.fromArray(SPECIES, totals, p + 1).add(otherSum);
        next = FloatVector.fromArray(SPECIES, totals, p + LANES).add(next);
        otherNext = FloatVector.fromArray(SPECIES, totals, p + LANES + 1).add(otherNext);
      }
      float[] last = p == end ? totals : ZEROS;
      int lastAt = p == end ? p : 0;
      FloatVector.fromArray(SPECIES, last, lastAt).add(sum).add(otherSum).intoArray(wholes, i);
      lastAt = p == end ? p + LANES : 0;
      FloatVector.fromArray(SPECIES, last, lastAt)
          .add(next)
          .add(otherNext)
          .intoArray(wholes, i + LANES);
    }
  }

  @Override
  void beginBlock(int totalsAt, int chunks, int at) {
    if (blockSuffixes.length < chunks) {
      blockSuffixes = new float[chunks];
    }
    addLast(totals, totalsAt, blockSuffixes, chunks);
    wholes[at] = blockSuffixes[0];
    blockPrefix = 0;
  }

  /** Computes {@code y[i]} from {@code x[at + i]} to {@code x[at + n - 1]}. */
  private static void addLast(float[] x, int at, float[] y, int n) {
    float sum = 0;
    for (int i = n - 1; i >= 0; i--) {
      sum += x[at + i];
      y[i] = sum;
    }
  }

  @Override
  void continueBlock(int totalsAt, int suffix, int at, int n) {
    blockPrefix = addFirst(totals, totalsAt, blockPrefix, blockSuffixes, suffix, wholes, at, n);
  }

  private static float addFirst(
      float[] x, int at, float before, float[] suffixes, int suffix, float[] y, int first, int n) {
    float sum = before;
    for (int i = 0; i < n; i++) {
      sum += x[at + i];
      y[first + i] = suffixes[suffix + i] + sum;
    }
    return sum;
  }

  @Override
  void writeFrames(
      Object x, int from, int ringAt, int tailCells, int first, Object y, int at, int n) {
    sumFrames(
        (float[]) x,
        from,
        suffixes,
        ringAt,
        tailCells,
        tailLanes,
        wholes,
        first,
        scale, // floats only
        (float[]) y,
        at,
        n);
  }

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
  private static void sumSuffixes(
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
  private static void sumFrames(
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

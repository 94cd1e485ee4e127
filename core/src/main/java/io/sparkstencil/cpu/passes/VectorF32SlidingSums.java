/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** Sliding sums of F32 cells by {@link SlidingScans} with the Vector API. */
final class VectorF32SlidingSums extends SlidingScans {
  private static final VectorSpecies<Float> SPECIES = VectorShapes.F32;
  private static final int LANES = SPECIES.length();

  private static final float[] ZEROS = new float[LANES];

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
    VectorF32Scans.addSuffixes((float[]) x, from, suffixes, ringAt, totals, totalsAt, n);
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
    VectorF32Scans.writeFrames(
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
}

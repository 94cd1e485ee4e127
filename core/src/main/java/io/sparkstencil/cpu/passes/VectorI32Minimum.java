/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

import java.util.Arrays;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Minimum keys of frames with the Vector API: by {@link SlidingScans}, or, for frames that fit into
 * a vector, by two stages of four keys each.
 */
final class VectorI32Minimum extends SlidingScans {
  private static final VectorSpecies<Integer> SPECIES = VectorShapes.I32;
  private static final int LANES = SPECIES.length();

  /** The maximum with these turns the last or first key into the largest, out of any minimum. */
  static final int[] BUT_LAST = new int[LANES];

  static final int[] BUT_FIRST = new int[LANES];

  private static final int PIECE_CELLS = 256;
  private static final int[] NONE = new int[LANES];

  static {
    Arrays.fill(NONE, Integer.MAX_VALUE);
    Arrays.fill(BUT_LAST, Integer.MIN_VALUE);
    Arrays.fill(BUT_FIRST, Integer.MIN_VALUE);
    BUT_LAST[LANES - 1] = Integer.MAX_VALUE;
    BUT_FIRST[0] = Integer.MAX_VALUE;
  }

  /** The source of keys and the destination of results: arrays of the element type. */
  interface Cells {
    /**
     * Writes {@code n} keys: the minimum of each cell from {@code from} on and of three cells at
     * offsets from it.
     */
    void readLeast(Object x, int from, int second, int third, int fourth, int[] keys, int n);

    /** Writes {@code n} cells: the minimum of each key and of three keys at offsets from it. */
    void writeLeast(int[] keys, int second, int third, int fourth, Object y, int at, int n);

    /**
     * Writes {@code n} keys, each the minimum from its cell to the end of its vector. Writes the
     * first key of each vector to {@code totals}. Reads one more cell.
     */
    void addSuffixes(Object x, int from, int[] keys, int at, int[] totals, int totalsAt, int n);

    /**
     * Writes {@code n} cells. Each is the minimum of the suffixes at {@code ringAt - tailCells}, in
     * tail lanes the chunks at {@code ringAt}, {@code wholes}, and the vector's own cells up to
     * that lane.
     *
     * @param tailLanes the smallest key in tail lanes, the largest in others
     */
    void writeFrames(
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
        int n);
  }

  private final int[] tailLanes = new int[LANES];
  private final int[] wholes = new int[PIECE_CHUNKS];
  private final int[] fours = new int[PIECE_CELLS + LANES];
  private final int[] otherFours = new int[PIECE_CELLS + LANES];
  private int[] suffixes = new int[0];
  private int[] totals = new int[0];

  /** Minima of the last chunks of a block, longest first. */
  private int[] blockSuffixes = new int[0];

  /**
   * The minimum of the first chunks of the next block; an array, since only arrays become longs.
   */
  private final int[] blockPrefix = new int[1];

  private Cells cells;

  VectorI32Minimum() {
    super(LANES);
  }

  /** Selects the minimum key of every frame. */
  void sliding(Cells type, Object x, int from, int width, Object y, int at, int n) {
    if (width <= LANES) {
      withinVector(type, x, from, width, y, at, n);
    } else {
      cells = type;
      slide(x, from, width, y, at, n);
      cells = null;
    }
  }

  /** Minimum keys of four cells are made two pieces ahead. */
  private void withinVector(Cells type, Object x, int from, int width, Object y, int at, int n) {
    int last = Math.max(0, width - 4);
    readFours(type, x, from, width, fours, n);
    readFours(type, x, from + PIECE_CELLS, width, otherFours, n - PIECE_CELLS);
    int[] next = fours;
    for (int done = 0; done < n; done += PIECE_CELLS) {
      int count = Math.min(PIECE_CELLS, n - done);
      type.writeLeast(next, Math.min(4, last), Math.min(8, last), last, y, at + done, count);
      int ahead = done + 2 * PIECE_CELLS;
      readFours(type, x, from + ahead, width, next, n - ahead);
      next = next == fours ? otherFours : fours;
    }
  }

  private static void readFours(Cells type, Object x, int from, int width, int[] keys, int left) {
    if (left > 0) {
      int last = Math.min(4, width) - 1;
      int count = Math.min(PIECE_CELLS, left) + LANES;
      type.readLeast(x, from, Math.min(1, last), Math.min(2, last), last, keys, count);
    }
  }

  @Override
  void reserve(int suffixCells, int totalCells, int tails) {
    if (suffixes.length < suffixCells) {
      suffixes = new int[suffixCells];
    }
    if (totals.length < totalCells) {
      totals = new int[totalCells];
    }
    Arrays.fill(tailLanes, 0, tails, Integer.MIN_VALUE);
    Arrays.fill(tailLanes, tails, LANES, Integer.MAX_VALUE);
  }

  @Override
  void addSuffixes(Object x, int from, int ringAt, int totalsAt, int n) {
    cells.addSuffixes(x, from, suffixes, ringAt, totals, totalsAt, n);
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
      Arrays.fill(wholes, Integer.MAX_VALUE);
    } else {
      leastOfChunks(totals, totalsAt, chunks, wholes, n);
    }
  }

  private static void leastOfChunks(int[] totals, int at, int chunks, int[] wholes, int n) {
    for (int i = 0; i < n; i += 2 * LANES) {
      int p = at + i;
      int end = p + chunks - 1;
      IntVector least = IntVector.fromArray(SPECIES, totals, end);
      IntVector otherLeast = least;
      IntVector next = IntVector.fromArray(SPECIES, totals, end + LANES);
      IntVector otherNext = next;
      for (; p < end; p += 2) {
        least = IntVector.fromArray(SPECIES, totals, p).min(least);
        otherLeast = IntVector.fromArray(SPECIES, totals, p + 1).min(otherLeast);
        next = IntVector.fromArray(SPECIES, totals, p + LANES).min(next);
        otherNext = IntVector.fromArray(SPECIES, totals, p + LANES + 1).min(otherNext);
      }
      IntVector.fromArray(SPECIES, NONE, 0).min(least).min(otherLeast).intoArray(wholes, i);
      IntVector.fromArray(SPECIES, NONE, 0).min(next).min(otherNext).intoArray(wholes, i + LANES);
    }
  }

  @Override
  void beginBlock(int totalsAt, int chunks, int at) {
    if (blockSuffixes.length < chunks) {
      blockSuffixes = new int[chunks];
    }
    leastOfLast(totals, totalsAt, blockSuffixes, chunks);
    wholes[at] = blockSuffixes[0];
    blockPrefix[0] = Integer.MAX_VALUE;
  }

  /** Computes {@code y[i]} from {@code x[at + i]} to {@code x[at + n - 1]}. */
  private static void leastOfLast(int[] x, int at, int[] y, int n) {
    int key = Integer.MAX_VALUE;
    for (int i = n - 1; i >= 0; i--) {
      key = Math.min(key, x[at + i]);
      y[i] = key;
    }
  }

  @Override
  void continueBlock(int totalsAt, int suffix, int at, int n) {
    leastOfFirst(totals, totalsAt, blockPrefix, blockSuffixes, suffix, wholes, at, n);
  }

  private static void leastOfFirst(
      int[] x, int at, int[] before, int[] suffixes, int suffix, int[] y, int first, int n) {
    int key = before[0];
    for (int i = 0; i < n; i++) {
      key = Math.min(key, x[at + i]);
      y[first + i] = Math.min(suffixes[suffix + i], key);
    }
    before[0] = key;
  }

  @Override
  void writeFrames(
      Object x, int from, int ringAt, int tailCells, int first, Object y, int at, int n) {
    cells.writeFrames(x, from, suffixes, ringAt, tailCells, tailLanes, wholes, first, y, at, n);
  }
}

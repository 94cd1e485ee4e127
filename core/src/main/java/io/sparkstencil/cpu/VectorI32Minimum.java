/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/** Least keys of frames with the Vector API; see {@link SlidingRows} for the plan. */
final class VectorI32Minimum {
  private static final VectorSpecies<Integer> SPECIES = VectorShapes.I32;
  private static final int LANES = SPECIES.length();

  /** Where keys come from and results go to: the type's own arrays. */
  interface Cells {
    /** Writes the keys of {@code n} cells from cell {@code from} of {@code x} on. */
    void readKeys(Object x, int from, int[] keys, int n);

    /**
     * Writes for {@code n} cells the least key of each and the three behind it, unless cells are
     * such that their keys take more work than a pass should do.
     *
     * @return whether it did
     */
    boolean readLeastOfFour(Object x, int from, int[] fours, int n);

    /** Writes the cells that {@code n} keys stand for to cell {@code at} of {@code y} on. */
    void writeCells(int[] keys, Object y, int at, int n);
  }

  private int[] keys = new int[0];
  private int[] fours = new int[0];
  private int[] rows = new int[0];
  private int[] suffixes = new int[0];
  private int[] chosen = new int[0];

  private static IntVector load(int[] x, int index) {
    return IntVector.fromArray(SPECIES, x, index);
  }

  /** Chooses the least key of every frame. */
  void sliding(Cells cells, Object x, int from, int width, Object y, int at, int n) {
    if (width < 2 * SlidingRows.ROW) {
      direct(cells, x, from, width, y, at, n);
    } else {
      byRows(cells, x, from, width, y, at, n);
    }
  }

  private void direct(Cells cells, Object x, int from, int width, Object y, int at, int n) {
    int chunk = SlidingRows.CHUNK_CELLS;
    reserve(0, 0, chunk);
    for (int done = 0; done < n; done += chunk) {
      int count = Math.min(chunk, n - done);
      if (width < 4) {
        cells.readKeys(x, from + done, keys, count + SlidingRows.ROW);
        chain(keys, 1, width, 0, chosen, count);
      } else {
        readFours(cells, x, from + done, count + 2 * SlidingRows.ROW);
        chain(fours, 4, width / 4, width - 4, chosen, count);
      }
      cells.writeCells(chosen, y, at + done, count);
    }
  }

  private void reserve(int foursCapacity, int rowsCapacity, int chunk) {
    int cells = Math.max(foursCapacity, chunk + 2 * SlidingRows.ROW);
    if (fours.length < cells) {
      fours = new int[cells];
      keys = new int[cells + SlidingRows.ROW];
    }
    if (rows.length < rowsCapacity) {
      rows = new int[rowsCapacity];
    }
    if (chosen.length < chunk) {
      chosen = new int[chunk];
    }
  }

  /** The least of {@code count} keys, {@code stride} apart, and of the one at {@code last}. */
  private static void chain(int[] x, int stride, int count, int last, int[] y, int n) {
    for (int i = 0; i < n; i += LANES) {
      IntVector least = load(x, i + last);
      for (int t = 0; t < count; t++) {
        least = least.min(load(x, i + t * stride));
      }
      least.intoArray(y, i);
    }
  }

  private static void leastOfFour(int[] x, int from, int stride, int[] y, int at, int n) {
    for (int i = 0; i < n; i += LANES) {
      int p = from + i;
      load(x, p)
          .min(load(x, p + stride))
          .min(load(x, p + 2 * stride).min(load(x, p + 3 * stride)))
          .intoArray(y, at + i);
    }
  }

  private void byRows(Cells cells, Object x, int from, int width, Object y, int at, int n) {
    SlidingRows plan = new SlidingRows(width);
    reserve(plan.foursCapacity(), plan.rowsCapacity(), plan.chunkCells());
    if (suffixes.length < plan.frameCells()) {
      suffixes = new int[plan.frameCells()];
    }
    advance(cells, x, from, 0, plan.carriedCells());
    for (int done = 0; done < n; done += plan.chunkCells()) {
      int count = Math.min(plan.chunkCells(), n - done);
      advance(cells, x, from + done + plan.carriedCells(), plan.carriedCells(), count);
      for (int block = 0; block < count; block += plan.frameCells()) {
        int blockCells = Math.min(plan.frameCells(), count - block);
        for (int strip = 0; strip < SlidingRows.ROW; strip += LANES) {
          suffix(block + strip, plan.frameCells());
          combine(block + strip, plan, blockCells);
        }
      }
      cells.writeCells(chosen, y, at + done, count);
      System.arraycopy(rows, count, rows, 0, plan.carriedCells());
    }
  }

  private void advance(Cells cells, Object x, int from, int at, int n) {
    readFours(cells, x, from, n + SlidingRows.ROW);
    leastOfFour(fours, 0, 4, rows, at, n);
  }

  private void readFours(Cells cells, Object x, int from, int n) {
    if (!cells.readLeastOfFour(x, from, fours, n)) {
      cells.readKeys(x, from, keys, n + SlidingRows.ROW);
      leastOfFour(keys, 0, 1, fours, 0, n);
    }
  }

  private void suffix(int first, int cells) {
    IntVector least = load(rows, first + cells - SlidingRows.ROW);
    least.intoArray(suffixes, cells - SlidingRows.ROW);
    for (int p = cells - 2 * SlidingRows.ROW; p >= 0; p -= SlidingRows.ROW) {
      least = load(rows, first + p).min(least);
      least.intoArray(suffixes, p);
    }
  }

  private void combine(int first, SlidingRows plan, int n) {
    int frameCells = plan.frameCells();
    // The last row of a frame may overlap the one before: no matter to a minimum.
    int last = first + frameCells - SlidingRows.ROW + plan.tailCells();
    IntVector prefix = IntVector.broadcast(SPECIES, Integer.MAX_VALUE);
    for (int p = 0; p < n; p += SlidingRows.ROW) {
      load(suffixes, p).min(prefix).min(load(rows, last + p)).intoArray(chosen, first + p);
      prefix = prefix.min(load(rows, first + frameCells + p));
    }
  }
}

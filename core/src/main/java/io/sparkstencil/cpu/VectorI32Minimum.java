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

    /** Writes the cells that {@code n} keys stand for to cell {@code at} of {@code y} on. */
    void writeCells(int[] keys, Object y, int at, int n);

    /** Writes {@code n} cells: the least of the key at each position and at three offsets to it. */
    void writeLeast(int[] keys, int second, int third, int fourth, Object y, int at, int n);
  }

  private int[] keys = new int[0];
  private int[] fours = new int[0];
  private int[] rows = new int[0];
  private int[] suffixes = new int[0];
  private int[] chosen = new int[0];

  /** Chooses the least key of every frame. */
  void sliding(Cells cells, Object x, int from, int width, Object y, int at, int n) {
    if (width < SlidingRows.WIDE_CELLS) {
      bySteps(cells, x, from, width, y, at, n);
    } else {
      byRows(cells, x, from, width, y, at, n);
    }
  }

  /** Each step makes the least of four times as many cells, in place; frames are up to four. */
  private void bySteps(Cells cells, Object x, int from, int width, Object y, int at, int n) {
    int chunk = SlidingRows.stepChunkCells(width);
    reserve(SlidingRows.stepCapacity(width), 0, 0);
    for (int done = 0; done < n; done += chunk) {
      int count = Math.min(chunk, n - done);
      cells.readKeys(x, from + done, keys, SlidingRows.groups(count + width - 1));
      int made = 1;
      for (; 4 * made <= width; made *= 4) {
        int positions = count + width - 4 * made;
        if (made == SlidingRows.ROW) {
          leastOfFourRows(keys, SlidingRows.groups(positions));
        } else {
          leastOfFour(keys, 0, made, keys, 0, positions);
        }
      }
      int last = width - made;
      cells.writeLeast(
          keys, Math.min(made, last), Math.min(2 * made, last), last, y, at + done, count);
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

  private static void leastOfFour(int[] x, int from, int stride, int[] y, int at, int n) {
    for (int i = 0; i < n; i += LANES) {
      int p = from + i;
      IntVector.fromArray(SPECIES, x, p)
          .min(IntVector.fromArray(SPECIES, x, p + stride))
          .min(
              IntVector.fromArray(SPECIES, x, p + 2 * stride)
                  .min(IntVector.fromArray(SPECIES, x, p + 3 * stride)))
          .intoArray(y, at + i);
    }
  }

  /** As with a stride of a row, in place: what four outputs have in common is loaded once. */
  private static void leastOfFourRows(int[] x, int n) {
    for (int strip = 0; strip < SlidingRows.ROW; strip += LANES) {
      for (int p = strip; p < n; p += 4 * SlidingRows.ROW) {
        IntVector x1 = IntVector.fromArray(SPECIES, x, p + SlidingRows.ROW);
        IntVector x2 = IntVector.fromArray(SPECIES, x, p + 2 * SlidingRows.ROW);
        IntVector x3 = IntVector.fromArray(SPECIES, x, p + 3 * SlidingRows.ROW);
        IntVector x4 = IntVector.fromArray(SPECIES, x, p + 4 * SlidingRows.ROW);
        IntVector x5 = IntVector.fromArray(SPECIES, x, p + 5 * SlidingRows.ROW);
        IntVector x12 = x1.min(x2);
        IntVector x34 = x3.min(x4);
        IntVector x23 = x2.min(x3);
        IntVector x45 = x4.min(x5);
        IntVector.fromArray(SPECIES, x, p).min(x1).min(x23).intoArray(x, p);
        x12.min(x34).intoArray(x, p + SlidingRows.ROW);
        x23.min(x45).intoArray(x, p + 2 * SlidingRows.ROW);
        x34.min(x5.min(IntVector.fromArray(SPECIES, x, p + 6 * SlidingRows.ROW)))
            .intoArray(x, p + 3 * SlidingRows.ROW);
      }
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
    cells.readKeys(x, from, keys, n + 2 * SlidingRows.ROW);
    leastOfFour(keys, 0, 1, fours, 0, n + SlidingRows.ROW);
    leastOfFour(fours, 0, 4, rows, at, n);
  }

  private void suffix(int first, int cells) {
    IntVector least = IntVector.fromArray(SPECIES, rows, first + cells - SlidingRows.ROW);
    least.intoArray(suffixes, cells - SlidingRows.ROW);
    for (int p = cells - 2 * SlidingRows.ROW; p >= 0; p -= SlidingRows.ROW) {
      least = IntVector.fromArray(SPECIES, rows, first + p).min(least);
      least.intoArray(suffixes, p);
    }
  }

  private void combine(int first, SlidingRows plan, int n) {
    int frameCells = plan.frameCells();
    // The last row of a frame may overlap the one before: no matter to a minimum.
    int last = first + frameCells - SlidingRows.ROW + plan.tailCells();
    IntVector prefix = IntVector.broadcast(SPECIES, Integer.MAX_VALUE);
    for (int p = 0; p < n; p += SlidingRows.ROW) {
      IntVector.fromArray(SPECIES, suffixes, p)
          .min(prefix)
          .min(IntVector.fromArray(SPECIES, rows, last + p))
          .intoArray(chosen, first + p);
      prefix = prefix.min(IntVector.fromArray(SPECIES, rows, first + frameCells + p));
    }
  }
}

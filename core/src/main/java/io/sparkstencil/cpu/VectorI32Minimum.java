/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import java.util.Arrays;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Least keys of frames with the Vector API; see {@link SlidingRows} for the plan. Values may
 * overlap, which is no matter to a minimum: a frame of few rows is four values of rows, and where
 * there are many, the last row has the tail.
 */
final class VectorI32Minimum {
  private static final VectorSpecies<Integer> SPECIES = VectorShapes.I32;
  private static final int LANES = SPECIES.length();
  private static final int PIECE_CELLS = SlidingRows.PIECE_CELLS;
  private static final int ROWS_AT = SlidingRows.ROWS_AT;
  private static final int MANY_AT = ROWS_AT + PIECE_CELLS + 7 * LANES;

  /** Where keys come from and results go to: the type's own arrays. */
  interface Cells {
    /**
     * Writes {@code n} keys: the least of each cell from {@code from} on and of three cells at
     * offsets to it.
     */
    void readLeast(Object x, int from, int second, int third, int fourth, int[] keys, int n);

    /**
     * Writes {@code n} cells: the least of each key from {@code first} on and of three keys at
     * offsets.
     */
    void writeLeast(
        int[] keys, int first, int second, int third, int fourth, Object y, int at, int n);

    /**
     * Writes {@code n} cells: the least of a suffix, of the rows so far, whose least keys {@code
     * prefix} has before and after, and of a frame's last row.
     */
    void writeBlocks(
        int[] keys, int suffixAt, int rowAt, int lastAt, int[] prefix, Object y, int at, int n);
  }

  private final int[] prefix = new int[LANES];
  private final int[] suffix = new int[LANES];
  private final int[] otherFours = new int[PIECE_CELLS + 2 * LANES];
  private int frameCells;

  /** Values of four cells, of rows, and of four or eight rows or suffixes of rows. */
  private int[] scratch = new int[MANY_AT + 6 * PIECE_CELLS];

  /** Chooses the least key of every frame. */
  void sliding(Cells cells, Object x, int from, int width, Object y, int at, int n) {
    frameCells = Math.min(4, width);
    if (width <= LANES) {
      withinRow(cells, x, from, width, y, at, n);
    } else if (width <= 4 * LANES) {
      fewRows(cells, x, from, width, y, at, n);
    } else if (width <= 16 * LANES) {
      moreRows(4, cells, x, from, width, y, at, n);
    } else if (width <= 32 * LANES + 16) {
      moreRows(8, cells, x, from, width, y, at, n);
    } else {
      manyRows(cells, new SlidingRows(width, LANES), x, from, y, at, n);
    }
  }

  private static int clip(int cells, int most) {
    return Math.max(0, Math.min(cells, most));
  }

  private void withinRow(Cells cells, Object x, int from, int width, Object y, int at, int n) {
    int last = Math.max(0, width - 4);
    readFours(cells, x, from, scratch, clip(n, PIECE_CELLS));
    readFours(cells, x, from + PIECE_CELLS, otherFours, clip(n - PIECE_CELLS, PIECE_CELLS));
    int[] next = scratch;
    for (int done = 0; done < n; done += PIECE_CELLS) {
      int count = Math.min(PIECE_CELLS, n - done);
      cells.writeLeast(next, 0, Math.min(4, last), Math.min(8, last), last, y, at + done, count);
      int ahead = done + 2 * PIECE_CELLS;
      readFours(cells, x, from + ahead, next, clip(n - ahead, PIECE_CELLS));
      next = next == scratch ? otherFours : scratch;
    }
  }

  /** The rows of a piece begin with those of the last one that reach into it. */
  private void fewRows(Cells cells, Object x, int from, int width, Object y, int at, int n) {
    int last = width - LANES;
    int second = Math.min(LANES, last);
    int third = Math.min(2 * LANES, last);
    int left = 3 * LANES;
    int limit = n + last;
    readFours(cells, x, from, scratch, roundUp(clip(limit, left)));
    leastOfRow(ROWS_AT, left);
    readFours(cells, x, from + left, scratch, roundUp(clip(limit - left, PIECE_CELLS)));
    leastOfRow(ROWS_AT + left, PIECE_CELLS);
    int read = left + PIECE_CELLS;
    readFours(cells, x, from + read, scratch, roundUp(clip(limit - read, PIECE_CELLS)));
    for (int done = 0; done < n; done += PIECE_CELLS) {
      int count = Math.min(PIECE_CELLS, n - done);
      cells.writeLeast(scratch, ROWS_AT, second, third, last, y, at + done, count);
      System.arraycopy(scratch, ROWS_AT + PIECE_CELLS, scratch, ROWS_AT, left);
      leastOfRow(ROWS_AT + left, PIECE_CELLS);
      read += PIECE_CELLS;
      readFours(cells, x, from + read, scratch, roundUp(clip(limit - read, PIECE_CELLS)));
    }
  }

  private static int roundUp(int cells) {
    return (cells + LANES - 1) / LANES * LANES;
  }

  /**
   * Values of four or eight rows are made of values of a row. In every round each stage makes one
   * piece, of what the stage behind it has made in the round before; the last one also holds what
   * frames of the present piece need of those before. Where frames are too wide for four values,
   * rows are of four cells more.
   */
  private void moreRows(
      int rows, Cells cells, Object x, int from, int width, Object y, int at, int n) {
    boolean longRows = width > 4 * rows * LANES;
    int valueCells = rows * LANES + (longRows ? 4 : 0);
    int last = width - valueCells;
    int second = Math.min(valueCells, last);
    int third = Math.min(2 * valueCells, last);
    int before = (rows - 1) * LANES;
    int pieces = rows == 4 ? 1 : 2;
    int left = pieces * PIECE_CELLS - before;
    int limit = n + width;
    int read = 0;
    int many = MANY_AT;
    for (int done = -(3 + pieces) * PIECE_CELLS; done < n; done += PIECE_CELLS) {
      if (done >= 0) {
        int count = Math.min(PIECE_CELLS, n - done);
        cells.writeLeast(scratch, many, second, third, last, y, at + done, count);
      }
      many += PIECE_CELLS;
      if (many + left + PIECE_CELLS > scratch.length) {
        System.arraycopy(scratch, many, scratch, MANY_AT, left);
        many = MANY_AT;
      }
      if (rows == 4) {
        leastOfFourRows(scratch, ROWS_AT, many + left, PIECE_CELLS);
      } else {
        leastOfEightRows(scratch, ROWS_AT, many + left, PIECE_CELLS);
      }
      System.arraycopy(scratch, ROWS_AT + PIECE_CELLS, scratch, ROWS_AT, before);
      if (longRows) {
        leastOfLongRow(scratch, ROWS_AT + before, PIECE_CELLS);
      } else {
        leastOfRow(ROWS_AT + before, PIECE_CELLS);
      }
      readFours(cells, x, from + read, scratch, roundUp(clip(limit - read, PIECE_CELLS)));
      read += PIECE_CELLS;
    }
  }

  private void manyRows(
      Cells cells, SlidingRows plan, Object x, int from, Object y, int at, int n) {
    int group = plan.groupCells();
    int piece = plan.pieceCells();
    if (scratch.length < plan.scratchCells()) {
      scratch = new int[plan.scratchCells()];
    }
    int limit = n + plan.frameCells();
    makeGroup(cells, plan, x, from, 0, limit);
    makeSuffixes(plan, 0, 0, 0, group);
    makeGroup(cells, plan, x, from, group, limit);
    readFours(cells, x, from + 2 * group, scratch, clip(limit - 2 * group, piece));
    int slot = 0;
    int half = 0;
    for (int done = 0; done < n; done += group) {
      int next = slot == 2 ? 0 : slot + 1;
      int last = next == 2 ? 0 : next + 1;
      for (int p = 0; p < group; p += piece) {
        int count = Math.min(piece, group - p);
        writePiece(cells, plan, slot, half, y, at + done, p, clip(n - done - p, count));
        makeSuffixes(plan, next * group, group - half, p, count);
        int made = done + 2 * group + p;
        leastOfRow(ROWS_AT + last * group + p, clip(limit - made, count));
        if (last == 2 && p + piece >= group) {
          System.arraycopy(scratch, ROWS_AT + 3 * group - LANES, scratch, ROWS_AT - LANES, LANES);
        }
        int ahead = Math.min(piece, p + piece < group ? group - p - piece : piece);
        readFours(cells, x, from + made + count, scratch, clip(limit - made - count, ahead));
      }
      slot = next;
      half = group - half;
    }
  }

  private void makeGroup(Cells cells, SlidingRows plan, Object x, int from, int start, int limit) {
    for (int p = start; p < start + plan.groupCells(); p += plan.pieceCells()) {
      int count = Math.min(plan.pieceCells(), start + plan.groupCells() - p);
      count = clip(limit - p, count);
      readFours(cells, x, from + p, scratch, count);
      leastOfRow(ROWS_AT + p, count);
    }
  }

  /** Reads what the values of {@code n} rows, with their tails, are made of. */
  private void readFours(Cells cells, Object x, int from, int[] fours, int n) {
    if (n > 0) {
      int last = frameCells - 1;
      cells.readLeast(x, from, Math.min(1, last), Math.min(2, last), last, fours, n + LANES);
    }
  }

  /** Writes outputs {@code p} to {@code p + n} of a group. */
  private void writePiece(
      Cells cells, SlidingRows plan, int slot, int half, Object y, int at, int p, int n) {
    int group = plan.groupCells();
    int block = plan.frameCells();
    int step = plan.stepCells();
    for (int i = p; i < p + n; i += step) {
      if (i % block == 0) {
        Arrays.fill(prefix, Integer.MAX_VALUE);
      }
      int position = slot * group + i + block;
      int row = position < 3 * group ? position : position - 3 * group;
      int count = Math.min(step, p + n - i);
      int rowAt = ROWS_AT + row;
      int lastAt = rowAt - LANES + plan.tailCells();
      int suffixAt = plan.suffixesAt() + half + i;
      cells.writeBlocks(scratch, suffixAt, rowAt, lastAt, prefix, y, at + i, count);
    }
  }

  /** Makes suffixes from the end of a group: {@code n} cells before the last {@code p}. */
  private void makeSuffixes(SlidingRows plan, int groupAt, int half, int p, int n) {
    int block = plan.frameCells();
    int step = plan.stepCells();
    for (int i = p; i < p + n; i += step) {
      if (i % block == 0) {
        Arrays.fill(suffix, Integer.MAX_VALUE);
      }
      int count = Math.min(step, p + n - i);
      int first = plan.groupCells() - i - count;
      leastOfSuffix(
          scratch, ROWS_AT + groupAt + first, suffix, plan.suffixesAt() + half + first, count);
    }
  }

  /** Makes the least keys of rows at {@code n} positions. */
  private void leastOfRow(int at, int n) {
    leastOfFour(scratch, Math.min(4, LANES - 4), Math.min(8, LANES - 4), LANES - 4, at, n);
  }

  private static void leastOfFour(int[] x, int second, int third, int fourth, int at, int n) {
    for (int i = 0; i < n; i += LANES) {
      IntVector.fromArray(SPECIES, x, i)
          .min(IntVector.fromArray(SPECIES, x, i + second))
          .min(
              IntVector.fromArray(SPECIES, x, i + third)
                  .min(IntVector.fromArray(SPECIES, x, i + fourth)))
          .intoArray(x, at + i);
    }
  }

  /** A row and the four cells behind it. */
  private static void leastOfLongRow(int[] x, int at, int n) {
    int second = Math.min(4, LANES - 4);
    int third = Math.min(8, LANES - 4);
    for (int i = 0; i < n; i += LANES) {
      IntVector.fromArray(SPECIES, x, i)
          .min(IntVector.fromArray(SPECIES, x, i + second))
          .min(
              IntVector.fromArray(SPECIES, x, i + third)
                  .min(IntVector.fromArray(SPECIES, x, i + LANES - 4)))
          .min(IntVector.fromArray(SPECIES, x, i + LANES))
          .intoArray(x, at + i);
    }
  }

  /** What four outputs have in common is loaded once. */
  private static void leastOfFourRows(int[] x, int from, int at, int n) {
    for (int i = 0; i < n; i += 4 * LANES) {
      int p = from + i;
      IntVector x1 = IntVector.fromArray(SPECIES, x, p + LANES);
      IntVector x2 = IntVector.fromArray(SPECIES, x, p + 2 * LANES);
      IntVector x3 = IntVector.fromArray(SPECIES, x, p + 3 * LANES);
      IntVector x4 = IntVector.fromArray(SPECIES, x, p + 4 * LANES);
      IntVector x5 = IntVector.fromArray(SPECIES, x, p + 5 * LANES);
      IntVector x12 = x1.min(x2);
      IntVector x34 = x3.min(x4);
      IntVector x23 = x2.min(x3);
      IntVector x45 = x4.min(x5);
      IntVector.fromArray(SPECIES, x, p).min(x1).min(x23).intoArray(x, at + i);
      x12.min(x34).intoArray(x, at + i + LANES);
      x23.min(x45).intoArray(x, at + i + 2 * LANES);
      x34.min(x5.min(IntVector.fromArray(SPECIES, x, p + 6 * LANES)))
          .intoArray(x, at + i + 3 * LANES);
    }
  }

  private static void leastOfEightRows(int[] x, int from, int at, int n) {
    for (int i = 0; i < n; i += 4 * LANES) {
      int p = from + i;
      IntVector x2 = IntVector.fromArray(SPECIES, x, p + 2 * LANES);
      IntVector x8 = IntVector.fromArray(SPECIES, x, p + 8 * LANES);
      IntVector x12 = IntVector.fromArray(SPECIES, x, p + LANES).min(x2);
      IntVector x89 = IntVector.fromArray(SPECIES, x, p + 9 * LANES).min(x8);
      IntVector common =
          IntVector.fromArray(SPECIES, x, p + 3 * LANES)
              .min(IntVector.fromArray(SPECIES, x, p + 4 * LANES))
              .min(
                  IntVector.fromArray(SPECIES, x, p + 5 * LANES)
                      .min(IntVector.fromArray(SPECIES, x, p + 6 * LANES)))
              .min(IntVector.fromArray(SPECIES, x, p + 7 * LANES));
      IntVector.fromArray(SPECIES, x, p).min(x12).min(common).intoArray(x, at + i);
      x12.min(x8).min(common).intoArray(x, at + i + LANES);
      x2.min(x89).min(common).intoArray(x, at + i + 2 * LANES);
      IntVector.fromArray(SPECIES, x, p + 10 * LANES)
          .min(x89)
          .min(common)
          .intoArray(x, at + i + 3 * LANES);
    }
  }

  private static void leastOfSuffix(int[] x, int from, int[] suffix, int at, int n) {
    IntVector least = IntVector.fromArray(SPECIES, suffix, 0);
    for (int i = n - LANES; i >= 0; i -= LANES) {
      IntVector next = IntVector.fromArray(SPECIES, x, from + i).min(least);
      next.intoArray(x, at + i);
      least = next;
    }
    System.arraycopy(x, at, suffix, 0, LANES);
  }
}

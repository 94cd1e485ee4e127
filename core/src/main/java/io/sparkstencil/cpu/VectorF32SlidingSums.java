/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Sliding sums of float cells with the Vector API, for frames of at least one row, which is as many
 * cells as a vector has lanes. No cell is ever subtracted, so infinities and NaN stay within their
 * frames. A running sum is added to what was just read, never the other way round; see {@link
 * VectorProfiles}.
 *
 * <p>Every position gets the sum of the four cells that begin there, then, of these, the sum of the
 * row that begins there. A frame of one or two rows is put together of them and of a tail, if that
 * is made of sums of four and at most one cell. Other frames are left to {@link
 * VectorF32BlockSums}.
 *
 * <p>What rows and tails are made of depends on {@code LANES}, a constant to the compiler; passes
 * for tails that a type is too short for are never called.
 */
final class VectorF32SlidingSums {
  private static final VectorSpecies<Float> SPECIES = VectorShapes.F32;
  private static final int LANES = SPECIES.length();
  private static final int PIECE_CELLS = SlidingRows.PIECE_CELLS;
  private static final int ROWS_AT = SlidingRows.ROWS_AT;
  private static final float[] ZEROS = new float[PIECE_CELLS];

  private final VectorF32BlockSums blockSums = new VectorF32BlockSums();

  /** Sums of four cells and of rows. */
  private final float[] scratch = new float[ROWS_AT + 2 * LANES + PIECE_CELLS];

  private final float[] tails = new float[2 * LANES + PIECE_CELLS];
  private float scale; // floats only
  private int tailMade;

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
    int tailCells = width % LANES;
    if (width < 3 * LANES && tailCells % 4 <= 1) {
      rows(width / LANES, tailCells, x, from, y, at, n);
    } else {
      blockSums.scale = scale; // floats only
      blockSums.sum(x, from, width, y, at, n);
    }
  }

  /**
   * Rows and tails begin with what the last piece has left: the rows of the first frames but their
   * last.
   */
  private void rows(int rows, int tailCells, float[] x, int from, float[] y, int at, int n) {
    int piece = PIECE_CELLS;
    int left = rows * LANES;
    tailMade = tailCells > 1 ? tailCells : 0;
    makeFours(x, from, left);
    makeRows(x, from, 0, left);
    makeFours(x, from + left, Math.min(n, piece));
    makeRows(x, from + left, left, Math.min(n, piece));
    makeFours(x, from + left + piece, clip(n - piece, piece));
    for (int done = 0; done < n; done += piece) {
      int count = Math.min(piece, n - done);
      int second = rows == 2 ? ROWS_AT + LANES : 0;
      float[] secondRow = rows == 2 ? scratch : ZEROS;
      if (tailMade > 0) {
        addTerms(secondRow, second, tails, left, y, at + done, count);
      } else if (tailCells == 1) {
        addTerms(secondRow, second, x, from + done + left, y, at + done, count);
      } else {
        addTerms(secondRow, second, ZEROS, 0, y, at + done, count);
      }
      System.arraycopy(scratch, ROWS_AT + piece, scratch, ROWS_AT, left);
      System.arraycopy(tails, piece, tails, 0, left);
      int next = done + piece;
      makeRows(x, from + left + next, left, clip(n - next, piece));
      makeFours(x, from + left + next + piece, clip(n - next - piece, piece));
    }
  }

  private static int clip(int cells, int most) {
    return Math.max(0, Math.min(cells, most));
  }

  /** Makes the sums of four cells that rows of {@code n} positions are made of. */
  private void makeFours(float[] x, int from, int n) {
    if (n > 0) {
      addFour(x, from, scratch, n + LANES);
    }
  }

  /**
   * Makes the sums of rows, and tails if any, of the {@code n} positions from {@code from} on, of
   * which the fours are there.
   */
  private void makeRows(float[] x, int from, int at, int n) {
    int fours = tailMade / 4;
    float[] rest = tailMade % 4 == 0 ? ZEROS : x;
    int restAt = tailMade % 4 == 0 ? 0 : from + 4 * fours;
    if (fours == 0) {
      addFours(scratch, ROWS_AT + at, n);
    } else if (fours == 1) {
      addFoursAndOne(scratch, rest, restAt, tails, at, n);
    } else if (fours == 2) {
      addFoursAndTwo(scratch, rest, restAt, tails, at, n);
    } else {
      addFoursAndThree(scratch, rest, restAt, tails, at, n);
    }
  }

  private static void addFour(float[] x, int from, float[] y, int n) {
    for (int i = 0; i < n; i += LANES) {
      int p = from + i;
      FloatVector.fromArray(SPECIES, x, p)
          .add(FloatVector.fromArray(SPECIES, x, p + 1))
          .add(
              FloatVector.fromArray(SPECIES, x, p + 2)
                  .add(FloatVector.fromArray(SPECIES, x, p + 3)))
          .intoArray(y, i);
    }
  }

  private static void addFours(float[] x, int at, int n) {
    for (int i = 0; i < n; i += LANES) {
      FloatVector sum = FloatVector.fromArray(SPECIES, x, i);
      if (LANES >= 8) {
        sum = sum.add(FloatVector.fromArray(SPECIES, x, i + 4));
      }
      if (LANES >= 16) {
        sum =
            sum.add(
                FloatVector.fromArray(SPECIES, x, i + 8)
                    .add(FloatVector.fromArray(SPECIES, x, i + 12)));
      }
      sum.intoArray(x, at + i);
    }
  }

  /** Tails with one sum of four. */
  private static void addFoursAndOne(
      float[] x, float[] rest, int restAt, float[] tails, int at, int n) {
    for (int i = 0; i < n; i += LANES) {
      FloatVector first = FloatVector.fromArray(SPECIES, x, i);
      FloatVector sum = first.add(FloatVector.fromArray(SPECIES, x, i + 4));
      if (LANES >= 16) {
        sum =
            sum.add(
                FloatVector.fromArray(SPECIES, x, i + 8)
                    .add(FloatVector.fromArray(SPECIES, x, i + 12)));
      }
      sum.intoArray(x, ROWS_AT + at + i);
      first.add(FloatVector.fromArray(SPECIES, rest, restAt + i)).intoArray(tails, at + i);
    }
  }

  /** Tails with two sums of four: a row is four of them. */
  private static void addFoursAndTwo(
      float[] x, float[] rest, int restAt, float[] tails, int at, int n) {
    for (int i = 0; i < n; i += LANES) {
      FloatVector two =
          FloatVector.fromArray(SPECIES, x, i).add(FloatVector.fromArray(SPECIES, x, i + 4));
      two.add(
              FloatVector.fromArray(SPECIES, x, i + 8)
                  .add(FloatVector.fromArray(SPECIES, x, i + 12)))
          .intoArray(x, ROWS_AT + at + i);
      two.add(FloatVector.fromArray(SPECIES, rest, restAt + i)).intoArray(tails, at + i);
    }
  }

  /** Tails with three sums of four: a row is four of them. */
  private static void addFoursAndThree(
      float[] x, float[] rest, int restAt, float[] tails, int at, int n) {
    for (int i = 0; i < n; i += LANES) {
      FloatVector three =
          FloatVector.fromArray(SPECIES, x, i)
              .add(FloatVector.fromArray(SPECIES, x, i + 4))
              .add(FloatVector.fromArray(SPECIES, x, i + 8));
      three.add(FloatVector.fromArray(SPECIES, x, i + 12)).intoArray(x, ROWS_AT + at + i);
      three.add(FloatVector.fromArray(SPECIES, rest, restAt + i)).intoArray(tails, at + i);
    }
  }

  /** Adds the first row, a second one and a tail. */
  private void addTerms(
      float[] second, int secondAt, float[] tail, int tailAt, float[] y, int at, int n) {
    float factor = scale; // floats only
    float[] first = scratch;
    for (int i = 0; i < n; i += LANES) {
      FloatVector.fromArray(SPECIES, first, ROWS_AT + i)
          .add(FloatVector.fromArray(SPECIES, second, secondAt + i))
          .add(FloatVector.fromArray(SPECIES, tail, tailAt + i))
          .mul(factor) // floats only
          .intoArray(y, at + i);
    }
  }
}

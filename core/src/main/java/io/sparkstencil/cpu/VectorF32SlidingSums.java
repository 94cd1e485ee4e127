/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Sliding sums of float cells with the Vector API, for frames of at least one row; see {@link
 * SlidingRows} for the plan. No cell is ever subtracted, so infinities and NaN stay within their
 * frames. A running sum is added to what was just read, never the other way round; see {@link
 * VectorProfiles}.
 *
 * <p>A tail is up to three sums of four cells, which the sum of a row is made of as well, and up to
 * three cells: one is read again, and {@code some} has the sums of two or three, which the sum of
 * four has passed through. It is made into {@code tails} where it is more than one cell.
 *
 * <p>What rows and tails are made of depends on {@code LANES}, a constant to the compiler; passes
 * for tails that a type is too short for are never called.
 */
final class VectorF32SlidingSums {
  private static final VectorSpecies<Float> SPECIES = VectorShapes.F32;
  private static final int LANES = SPECIES.length();

  private static final int ROWS_AT = SlidingRows.ROWS_AT;
  private static final int MOST_TERMS = 6;
  private static final float[] ZEROS = new float[SlidingRows.MOST_PIECE_CELLS];

  private final float[] prefix = new float[LANES];
  private final float[] suffix = new float[LANES];
  private final float[][] termCells = new float[MOST_TERMS][];
  private float scale; // floats only
  private int tailMade;
  private final int[] termStarts = new int[MOST_TERMS];
  private float[] some = new float[0];

  /** Sums of four cells, of rows, and of suffixes of rows. */
  private float[] scratch = new float[0];

  private float[] tails = new float[0];

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
    SlidingRows plan = new SlidingRows(width, LANES);
    if (plan.isFewRows()) {
      fewRows(plan, x, from, y, at, n);
    } else {
      manyRows(plan, x, from, y, at, n);
    }
  }

  private void reserve(int foursCells, int tailsCells, int scratchCells) {
    if (some.length < foursCells) {
      some = new float[foursCells];
    }
    if (tails.length < tailsCells) {
      tails = new float[tailsCells];
    }
    if (scratch.length < scratchCells) {
      scratch = new float[scratchCells];
    }
  }

  /**
   * Rows and tails begin with what the last piece has left: the rows of the first frames but their
   * last.
   */
  private void fewRows(SlidingRows plan, float[] x, int from, float[] y, int at, int n) {
    int piece = SlidingRows.PIECE_CELLS;
    int frameCells = plan.frameCells();
    int left = frameCells;
    int direct = plan.tailCells() + frameCells / LANES <= MOST_TERMS ? 3 : 1;
    tailMade = plan.tailCells() > direct ? plan.tailCells() : 0;
    reserve(piece + LANES, left + piece, ROWS_AT + left + piece);
    makeFours(x, from, left);
    makeRows(x, from, 0, left);
    makeFours(x, from + left, Math.min(n, piece));
    makeRows(x, from + left, left, Math.min(n, piece));
    makeFours(x, from + left + piece, clip(n - piece, piece));
    for (int done = 0; done < n; done += piece) {
      int count = Math.min(piece, n - done);
      int terms = 0;
      for (int row = 0; row < frameCells; row += LANES) {
        terms = addTerm(terms, scratch, ROWS_AT + row);
      }
      if (tailMade > 0) {
        terms = addTerm(terms, tails, frameCells);
      } else {
        for (int t = 0; t < plan.tailCells(); t++) {
          terms = addTerm(terms, x, from + done + frameCells + t);
        }
      }
      addTerms(terms, y, at + done, count);
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

  private void manyRows(SlidingRows plan, float[] x, int from, float[] y, int at, int n) {
    int group = plan.groupCells();
    int piece = plan.pieceCells();
    tailMade = plan.tailCells() > 1 ? plan.tailCells() : 0;
    reserve(piece + LANES, 3 * group, plan.scratchCells());
    int limit = n + plan.frameCells();
    makeGroup(plan, x, from, 0, 0, limit);
    makeSuffixes(plan, 0, 0, 0, group);
    makeGroup(plan, x, from, group, group, limit);
    makeFours(x, from + 2 * group, clip(limit - 2 * group, piece));
    int slot = 0;
    int half = 0;
    for (int done = 0; done < n; done += group) {
      int next = slot == 2 ? 0 : slot + 1;
      int last = next == 2 ? 0 : next + 1;
      for (int p = 0; p < group; p += piece) {
        int cells = Math.min(piece, group - p);
        addPiece(plan, slot, half, x, from + done, y, at + done, p, clip(n - done - p, cells));
        makeSuffixes(plan, next * group, group - half, p, cells);
        int made = done + 2 * group + p;
        makeRows(x, from + made, last * group + p, clip(limit - made, cells));
        int ahead = Math.min(piece, p + piece < group ? group - p - piece : piece);
        makeFours(x, from + made + cells, clip(limit - made - cells, ahead));
      }
      slot = next;
      half = group - half;
    }
  }

  private void makeGroup(SlidingRows plan, float[] x, int from, int start, int at, int limit) {
    for (int p = 0; p < plan.groupCells(); p += plan.pieceCells()) {
      int cells = Math.min(plan.pieceCells(), plan.groupCells() - p);
      int count = clip(limit - start - p, cells);
      makeFours(x, from + start + p, count);
      makeRows(x, from + start + p, at + p, count);
    }
  }

  /** Makes outputs {@code p} to {@code p + n} of a group. */
  private void addPiece(
      SlidingRows plan, int slot, int half, float[] x, int from, float[] y, int at, int p, int n) {
    int group = plan.groupCells();
    int block = plan.frameCells();
    int step = plan.stepCells();
    for (int i = p; i < p + n; i += step) {
      if (i % block == 0) {
        Arrays.fill(prefix, 0);
      }
      int position = slot * group + i + block;
      int row = position < 3 * group ? position : position - 3 * group;
      float[] tail = tails;
      int tailAt = row;
      if (plan.tailCells() <= 1) {
        tail = plan.tailCells() == 0 ? ZEROS : x;
        tailAt = plan.tailCells() == 0 ? 0 : from + i + block;
      }
      int count = Math.min(step, p + n - i);
      int suffixAt = plan.suffixesAt() + half + i;
      addBlocks(suffixAt, ROWS_AT + row, tail, tailAt, y, at + i, count);
    }
  }

  /** Makes suffixes from the end of a group: {@code n} cells before the last {@code p}. */
  private void makeSuffixes(SlidingRows plan, int groupAt, int half, int p, int n) {
    int block = plan.frameCells();
    int step = plan.stepCells();
    for (int i = p; i < p + n; i += step) {
      if (i % block == 0) {
        Arrays.fill(suffix, 0);
      }
      int count = Math.min(step, p + n - i);
      int first = plan.groupCells() - i - count;
      addSuffixes(
          scratch, ROWS_AT + groupAt + first, suffix, plan.suffixesAt() + half + first, count);
    }
  }

  /** Makes the sums of four cells that rows of {@code n} positions are made of. */
  private void makeFours(float[] x, int from, int n) {
    if (n == 0) {
      return;
    }
    switch (tailMade % 4) {
      case 2 -> addFourAndTwo(x, from, scratch, some, n + LANES);
      case 3 -> addFourAndThree(x, from, scratch, some, n + LANES);
      default -> addFour(x, from, scratch, n + LANES);
    }
  }

  /**
   * Makes the sums of rows, and tails if any, of the {@code n} positions from {@code from} on, of
   * which the fours are there.
   */
  private void makeRows(float[] x, int from, int at, int n) {
    int fours = tailMade / 4;
    float[] rest = some;
    int restAt = 4 * fours;
    if (tailMade % 4 == 0) {
      rest = ZEROS;
      restAt = 0;
    } else if (tailMade % 4 == 1) {
      rest = x;
      restAt = from + 4 * fours;
    }
    if (tailMade == 0) {
      addFours(scratch, ROWS_AT + at, n);
    } else if (fours == 0) {
      addFoursAndRest(scratch, rest, restAt, tails, at, n);
    } else if (fours == 1) {
      addFoursAndOne(scratch, rest, restAt, tails, at, n);
    } else if (fours == 2) {
      addFoursAndTwo(scratch, rest, restAt, tails, at, n);
    } else {
      addFoursAndThree(scratch, rest, restAt, tails, at, n);
    }
  }

  private int addTerm(int terms, float[] cells, int start) {
    termCells[terms] = cells;
    termStarts[terms] = start;
    return terms + 1;
  }

  private void addTerms(int terms, float[] y, int at, int n) {
    Arrays.fill(termCells, terms, MOST_TERMS, ZEROS);
    Arrays.fill(termStarts, terms, MOST_TERMS, 0);
    if (terms <= 3) {
      addThreeTerms(y, at, n);
    } else {
      addSixTerms(y, at, n);
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

  /** Also makes the sums of two cells. */
  private static void addFourAndTwo(float[] x, int from, float[] y, float[] some, int n) {
    for (int i = 0; i < n; i += LANES) {
      int p = from + i;
      FloatVector two =
          FloatVector.fromArray(SPECIES, x, p).add(FloatVector.fromArray(SPECIES, x, p + 1));
      two.intoArray(some, i);
      two.add(
              FloatVector.fromArray(SPECIES, x, p + 2)
                  .add(FloatVector.fromArray(SPECIES, x, p + 3)))
          .intoArray(y, i);
    }
  }

  /** Also makes the sums of three cells. */
  private static void addFourAndThree(float[] x, int from, float[] y, float[] some, int n) {
    for (int i = 0; i < n; i += LANES) {
      int p = from + i;
      FloatVector three =
          FloatVector.fromArray(SPECIES, x, p)
              .add(FloatVector.fromArray(SPECIES, x, p + 1))
              .add(FloatVector.fromArray(SPECIES, x, p + 2));
      three.intoArray(some, i);
      three.add(FloatVector.fromArray(SPECIES, x, p + 3)).intoArray(y, i);
    }
  }

  /** Tails without a sum of four. */
  private static void addFoursAndRest(
      float[] x, float[] rest, int restAt, float[] tails, int at, int n) {
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
      sum.intoArray(x, ROWS_AT + at + i);
      FloatVector.fromArray(SPECIES, rest, restAt + i).intoArray(tails, at + i);
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

  private void addThreeTerms(float[] y, int at, int n) {
    float factor = scale; // floats only
    float[] x0 = termCells[0];
    float[] x1 = termCells[1];
    float[] x2 = termCells[2];
    int from0 = termStarts[0];
    int from1 = termStarts[1];
    int from2 = termStarts[2];
    for (int i = 0; i < n; i += LANES) {
      FloatVector.fromArray(SPECIES, x0, from0 + i)
          .add(FloatVector.fromArray(SPECIES, x1, from1 + i))
          .add(FloatVector.fromArray(SPECIES, x2, from2 + i))
          .mul(factor) // floats only
          .intoArray(y, at + i);
    }
  }

  private void addSixTerms(float[] y, int at, int n) {
    float factor = scale; // floats only
    float[] x0 = termCells[0];
    float[] x1 = termCells[1];
    float[] x2 = termCells[2];
    float[] x3 = termCells[3];
    float[] x4 = termCells[4];
    float[] x5 = termCells[5];
    int from0 = termStarts[0];
    int from1 = termStarts[1];
    int from2 = termStarts[2];
    int from3 = termStarts[3];
    int from4 = termStarts[4];
    int from5 = termStarts[5];
    for (int i = 0; i < n; i += LANES) {
      FloatVector.fromArray(SPECIES, x0, from0 + i)
          .add(FloatVector.fromArray(SPECIES, x1, from1 + i))
          .add(
              FloatVector.fromArray(SPECIES, x2, from2 + i)
                  .add(FloatVector.fromArray(SPECIES, x3, from3 + i)))
          .add(
              FloatVector.fromArray(SPECIES, x4, from4 + i)
                  .add(FloatVector.fromArray(SPECIES, x5, from5 + i)))
          .mul(factor) // floats only
          .intoArray(y, at + i);
    }
  }

  /** Frames are a suffix, the rows that this block's {@code prefix} has, and a tail. */
  private void addBlocks(
      int suffixAt, int rowAt, float[] tail, int tailAt, float[] y, int at, int n) {
    float[] x = scratch;
    float factor = scale; // floats only
    FloatVector sum = FloatVector.fromArray(SPECIES, prefix, 0);
    for (int i = 0; i < n; i += LANES) {
      FloatVector.fromArray(SPECIES, x, suffixAt + i)
          .add(sum)
          .add(FloatVector.fromArray(SPECIES, tail, tailAt + i))
          .mul(factor) // floats only
          .intoArray(y, at + i);
      sum = FloatVector.fromArray(SPECIES, x, rowAt + i).add(sum);
    }
    FloatVector.fromArray(SPECIES, ZEROS, 0).add(sum).intoArray(prefix, 0);
  }

  private static void addSuffixes(float[] x, int from, float[] suffix, int at, int n) {
    FloatVector sum = FloatVector.fromArray(SPECIES, suffix, 0);
    for (int i = n - LANES; i >= 0; i -= LANES) {
      FloatVector next = FloatVector.fromArray(SPECIES, x, from + i).add(sum);
      next.intoArray(x, at + i);
      sum = next;
    }
    System.arraycopy(x, at, suffix, 0, LANES);
  }
}

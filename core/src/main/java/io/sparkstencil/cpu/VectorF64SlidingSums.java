/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import java.util.Arrays;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Sliding sums of double cells with the Vector API, for frames of at least one row; see {@link
 * SlidingRows} for the plan. No cell is ever subtracted, so infinities and NaN stay within their
 * frames. A running sum is added to what was just read, never the other way round; see {@link
 * VectorProfiles}.
 *
 * <p>A tail is up to one sum of four cells, which the sum of a row is made of as well, and up to
 * three cells: one is read again, and {@code some} has the sums of two or three, which the sum of
 * four has passed through. It is made into {@code tails} where it is more than one cell.
 */
final class VectorF64SlidingSums {
  private static final VectorSpecies<Double> SPECIES = VectorShapes.F64;
  private static final int LANES = SPECIES.length();

  private static final int ROWS_AT = SlidingRows.ROWS_AT;
  private static final int MOST_TERMS = 6;
  private static final double[] ZEROS = new double[SlidingRows.MOST_PIECE_CELLS];

  private final double[] partial = new double[SlidingRows.PIECE_CELLS];
  private final double[] prefix = new double[LANES];
  private final double[] suffix = new double[LANES];
  private final double[][] termCells = new double[MOST_TERMS][];
  private int tailMade;
  private final int[] termStarts = new int[MOST_TERMS];
  private double[] some = new double[0];

  /** Sums of four cells, of rows, and of suffixes of rows. */
  private double[] scratch = new double[0];

  private double[] tails = new double[0];

  /** Adds the cells of frames and multiplies by {@code scale}. */
  void sum(double[] x, int from, int width, double scale, double[] y, int at, int n) {
    SlidingRows plan = new SlidingRows(width, LANES);
    if (plan.isFewRows()) {
      fewRows(plan, x, from, scale, y, at, n);
    } else {
      manyRows(plan, x, from, scale, y, at, n);
    }
  }

  private void reserve(int foursCells, int tailsCells, int scratchCells) {
    if (some.length < foursCells) {
      some = new double[foursCells];
    }
    if (tails.length < tailsCells) {
      tails = new double[tailsCells];
    }
    if (scratch.length < scratchCells) {
      scratch = new double[scratchCells];
    }
  }

  /**
   * Rows and tails begin with what the last piece has left: the rows of the first frames but their
   * last.
   */
  private void fewRows(
      SlidingRows plan, double[] x, int from, double scale, double[] y, int at, int n) {
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
      addTerms(terms, scale, y, at + done, count);
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

  private void manyRows(
      SlidingRows plan, double[] x, int from, double scale, double[] y, int at, int n) {
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
        addPiece(
            plan, slot, half, x, from + done, scale, y, at + done, p, clip(n - done - p, cells));
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

  private void makeGroup(SlidingRows plan, double[] x, int from, int start, int at, int limit) {
    for (int p = 0; p < plan.groupCells(); p += plan.pieceCells()) {
      int cells = Math.min(plan.pieceCells(), plan.groupCells() - p);
      int count = clip(limit - start - p, cells);
      makeFours(x, from + start + p, count);
      makeRows(x, from + start + p, at + p, count);
    }
  }

  /** Makes outputs {@code p} to {@code p + n} of a group. */
  private void addPiece(
      SlidingRows plan,
      int slot,
      int half,
      double[] x,
      int from,
      double scale,
      double[] y,
      int at,
      int p,
      int n) {
    int group = plan.groupCells();
    int block = plan.frameCells();
    int step = plan.stepCells();
    for (int i = p; i < p + n; i += step) {
      if (i % block == 0) {
        Arrays.fill(prefix, 0);
      }
      int position = slot * group + i + block;
      int row = position < 3 * group ? position : position - 3 * group;
      double[] tail = tails;
      int tailAt = row;
      if (plan.tailCells() <= 1) {
        tail = plan.tailCells() == 0 ? ZEROS : x;
        tailAt = plan.tailCells() == 0 ? 0 : from + i + block;
      }
      int count = Math.min(step, p + n - i);
      int suffixAt = plan.suffixesAt() + half + i;
      addBlocks(scratch, suffixAt, ROWS_AT + row, tail, tailAt, prefix, scale, y, at + i, count);
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
  private void makeFours(double[] x, int from, int n) {
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
  private void makeRows(double[] x, int from, int at, int n) {
    int fours = tailMade / 4;
    double[] rest = some;
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
    } else {
      addFoursAndOne(scratch, rest, restAt, tails, at, n);
    }
  }

  private int addTerm(int terms, double[] cells, int start) {
    termCells[terms] = cells;
    termStarts[terms] = start;
    return terms + 1;
  }

  private void addTerms(int terms, double scale, double[] y, int at, int n) {
    Arrays.fill(termCells, terms, MOST_TERMS, ZEROS);
    Arrays.fill(termStarts, terms, MOST_TERMS, 0);
    if (terms <= 3) {
      addThreeTerms(scale, y, at, n);
    } else {
      addSixTerms(scale, y, at, n);
    }
  }

  private static void addFour(double[] x, int from, double[] y, int n) {
    for (int i = 0; i < n; i += LANES) {
      int p = from + i;
      DoubleVector.fromArray(SPECIES, x, p)
          .add(DoubleVector.fromArray(SPECIES, x, p + 1))
          .add(
              DoubleVector.fromArray(SPECIES, x, p + 2)
                  .add(DoubleVector.fromArray(SPECIES, x, p + 3)))
          .intoArray(y, i);
    }
  }

  private static void addFours(double[] x, int at, int n) {
    for (int i = 0; i < n; i += LANES) {
      DoubleVector sum = DoubleVector.fromArray(SPECIES, x, i);
      if (LANES >= 8) {
        sum = sum.add(DoubleVector.fromArray(SPECIES, x, i + 4));
      }
      sum.intoArray(x, at + i);
    }
  }

  /** Also makes the sums of two cells. */
  private static void addFourAndTwo(double[] x, int from, double[] y, double[] some, int n) {
    for (int i = 0; i < n; i += LANES) {
      int p = from + i;
      DoubleVector two =
          DoubleVector.fromArray(SPECIES, x, p).add(DoubleVector.fromArray(SPECIES, x, p + 1));
      two.intoArray(some, i);
      two.add(
              DoubleVector.fromArray(SPECIES, x, p + 2)
                  .add(DoubleVector.fromArray(SPECIES, x, p + 3)))
          .intoArray(y, i);
    }
  }

  /** Also makes the sums of three cells. */
  private static void addFourAndThree(double[] x, int from, double[] y, double[] some, int n) {
    for (int i = 0; i < n; i += LANES) {
      int p = from + i;
      DoubleVector three =
          DoubleVector.fromArray(SPECIES, x, p)
              .add(DoubleVector.fromArray(SPECIES, x, p + 1))
              .add(DoubleVector.fromArray(SPECIES, x, p + 2));
      three.intoArray(some, i);
      three.add(DoubleVector.fromArray(SPECIES, x, p + 3)).intoArray(y, i);
    }
  }

  /** Tails without a sum of four. */
  private static void addFoursAndRest(
      double[] x, double[] rest, int restAt, double[] tails, int at, int n) {
    for (int i = 0; i < n; i += LANES) {
      DoubleVector sum = DoubleVector.fromArray(SPECIES, x, i);
      if (LANES >= 8) {
        sum = sum.add(DoubleVector.fromArray(SPECIES, x, i + 4));
      }
      sum.intoArray(x, ROWS_AT + at + i);
      DoubleVector.fromArray(SPECIES, rest, restAt + i).intoArray(tails, at + i);
    }
  }

  /** Tails with a sum of four. */
  private static void addFoursAndOne(
      double[] x, double[] rest, int restAt, double[] tails, int at, int n) {
    for (int i = 0; i < n; i += LANES) {
      DoubleVector first = DoubleVector.fromArray(SPECIES, x, i);
      DoubleVector sum = first.add(DoubleVector.fromArray(SPECIES, x, i + 4));
      sum.intoArray(x, ROWS_AT + at + i);
      first.add(DoubleVector.fromArray(SPECIES, rest, restAt + i)).intoArray(tails, at + i);
    }
  }

  private void addThreeTerms(double scale, double[] y, int at, int n) {
    double[] x0 = termCells[0];
    double[] x1 = termCells[1];
    double[] x2 = termCells[2];
    int from0 = termStarts[0];
    int from1 = termStarts[1];
    int from2 = termStarts[2];
    for (int i = 0; i < n; i += LANES) {
      DoubleVector.fromArray(SPECIES, x0, from0 + i)
          .add(DoubleVector.fromArray(SPECIES, x1, from1 + i))
          .add(DoubleVector.fromArray(SPECIES, x2, from2 + i))
          .mul(scale)
          .intoArray(y, at + i);
    }
  }

  private void addSixTerms(double scale, double[] y, int at, int n) {
    double[] x0 = termCells[0];
    double[] x1 = termCells[1];
    double[] x2 = termCells[2];
    double[] x3 = termCells[3];
    double[] x4 = termCells[4];
    double[] x5 = termCells[5];
    int from0 = termStarts[0];
    int from1 = termStarts[1];
    int from2 = termStarts[2];
    int from3 = termStarts[3];
    int from4 = termStarts[4];
    int from5 = termStarts[5];
    for (int i = 0; i < n; i += LANES) {
      DoubleVector.fromArray(SPECIES, x0, from0 + i)
          .add(DoubleVector.fromArray(SPECIES, x1, from1 + i))
          .add(
              DoubleVector.fromArray(SPECIES, x2, from2 + i)
                  .add(DoubleVector.fromArray(SPECIES, x3, from3 + i)))
          .add(
              DoubleVector.fromArray(SPECIES, x4, from4 + i)
                  .add(DoubleVector.fromArray(SPECIES, x5, from5 + i)))
          .mul(scale)
          .intoArray(y, at + i);
    }
  }

  /** Frames are a suffix, the rows that this block's {@code prefix} has, and a tail. */
  private static void addBlocks(
      double[] scratch,
      int suffixAt,
      int rowAt,
      double[] tails,
      int tailAt,
      double[] prefix,
      double scale,
      double[] y,
      int at,
      int n) {
    DoubleVector sum = DoubleVector.fromArray(SPECIES, prefix, 0);
    for (int i = 0; i < n; i += LANES) {
      DoubleVector.fromArray(SPECIES, scratch, suffixAt + i)
          .add(sum)
          .add(DoubleVector.fromArray(SPECIES, tails, tailAt + i))
          .mul(scale)
          .intoArray(y, at + i);
      sum = DoubleVector.fromArray(SPECIES, scratch, rowAt + i).add(sum);
    }
    DoubleVector.fromArray(SPECIES, ZEROS, 0).add(sum).intoArray(prefix, 0);
  }

  private static void addSuffixes(double[] x, int from, double[] suffix, int at, int n) {
    DoubleVector sum = DoubleVector.fromArray(SPECIES, suffix, 0);
    for (int i = n - LANES; i >= 0; i -= LANES) {
      DoubleVector next = DoubleVector.fromArray(SPECIES, x, from + i).add(sum);
      next.intoArray(x, at + i);
      sum = next;
    }
    System.arraycopy(x, at, suffix, 0, LANES);
  }
}

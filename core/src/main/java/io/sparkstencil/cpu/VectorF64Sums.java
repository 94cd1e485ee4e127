/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/** Sums of double cells with the Vector API. */
final class VectorF64Sums {
  private static final VectorSpecies<Double> SPECIES = VectorShapes.F64;
  private static final int LANES = SPECIES.length();

  /** Frames below this are cheaper tap by tap. */
  private static final int NARROW_CELLS = 12;

  private final double[][] steps = {{}, {}, {}, {}};
  private final double[][] termCells = new double[4][];
  private final int[] termStarts = new int[4];
  private final double[] zeros = new double[SlidingRows.CHUNK_CELLS];
  private final double[] partial = new double[SlidingRows.CHUNK_CELLS];
  private double[] fours = new double[0];
  private double[] rows = new double[0];
  private double[] suffixes = new double[0];

  /** Four vectors of outputs at a time, four taps a step: the sums stay in registers. */
  static void sum(double[] x, int from, int width, int divisor, double[] y, int at, int n) {
    int whole = width & -4;
    for (int i = 0; i < n; i += 4 * LANES) {
      DoubleVector sum0 = DoubleVector.zero(SPECIES);
      DoubleVector sum1 = sum0;
      DoubleVector sum2 = sum0;
      DoubleVector sum3 = sum0;
      int first = from + i;
      for (int t = 0; t < whole; t += 4) {
        int p = first + t;
        sum0 =
            sum0.add(DoubleVector.fromArray(SPECIES, x, p))
                .add(DoubleVector.fromArray(SPECIES, x, p + 1))
                .add(DoubleVector.fromArray(SPECIES, x, p + 2))
                .add(DoubleVector.fromArray(SPECIES, x, p + 3));
        p += LANES;
        sum1 =
            sum1.add(DoubleVector.fromArray(SPECIES, x, p))
                .add(DoubleVector.fromArray(SPECIES, x, p + 1))
                .add(DoubleVector.fromArray(SPECIES, x, p + 2))
                .add(DoubleVector.fromArray(SPECIES, x, p + 3));
        p += LANES;
        sum2 =
            sum2.add(DoubleVector.fromArray(SPECIES, x, p))
                .add(DoubleVector.fromArray(SPECIES, x, p + 1))
                .add(DoubleVector.fromArray(SPECIES, x, p + 2))
                .add(DoubleVector.fromArray(SPECIES, x, p + 3));
        p += LANES;
        sum3 =
            sum3.add(DoubleVector.fromArray(SPECIES, x, p))
                .add(DoubleVector.fromArray(SPECIES, x, p + 1))
                .add(DoubleVector.fromArray(SPECIES, x, p + 2))
                .add(DoubleVector.fromArray(SPECIES, x, p + 3));
      }
      for (int t = whole; t < width; t++) {
        sum0 = sum0.add(DoubleVector.fromArray(SPECIES, x, first + t));
        sum1 = sum1.add(DoubleVector.fromArray(SPECIES, x, first + t + LANES));
        sum2 = sum2.add(DoubleVector.fromArray(SPECIES, x, first + t + 2 * LANES));
        sum3 = sum3.add(DoubleVector.fromArray(SPECIES, x, first + t + 3 * LANES));
      }
      if (divisor != 1) {
        sum0 = sum0.div(divisor);
        sum1 = sum1.div(divisor);
        sum2 = sum2.div(divisor);
        sum3 = sum3.div(divisor);
      }
      sum0.intoArray(y, at + i);
      sum1.intoArray(y, at + i + LANES);
      sum2.intoArray(y, at + i + 2 * LANES);
      sum3.intoArray(y, at + i + 3 * LANES);
    }
  }

  static void weightedSum(
      double[] x, int from, double[] weights, int first, int width, double[] y, int at, int n) {
    for (int i = 0; i < n; i += 4 * LANES) {
      DoubleVector sum0 = DoubleVector.zero(SPECIES);
      DoubleVector sum1 = sum0;
      DoubleVector sum2 = sum0;
      DoubleVector sum3 = sum0;
      for (int t = 0; t < width; t++) {
        int p = from + i + t;
        DoubleVector weight = DoubleVector.broadcast(SPECIES, weights[first + t]);
        sum0 = sum0.add(DoubleVector.fromArray(SPECIES, x, p).mul(weight));
        sum1 = sum1.add(DoubleVector.fromArray(SPECIES, x, p + LANES).mul(weight));
        sum2 = sum2.add(DoubleVector.fromArray(SPECIES, x, p + 2 * LANES).mul(weight));
        sum3 = sum3.add(DoubleVector.fromArray(SPECIES, x, p + 3 * LANES).mul(weight));
      }
      sum0.intoArray(y, at + i);
      sum1.intoArray(y, at + i + LANES);
      sum2.intoArray(y, at + i + 2 * LANES);
      sum3.intoArray(y, at + i + 3 * LANES);
    }
  }

  /** {@code y[at + i]} becomes the sum of four cells of {@code x}, {@code stride} apart. */
  private static void addFour(double[] x, int from, int stride, double[] y, int at, int n) {
    for (int i = 0; i < n; i += LANES) {
      int p = from + i;
      DoubleVector.fromArray(SPECIES, x, p)
          .add(DoubleVector.fromArray(SPECIES, x, p + stride))
          .add(
              DoubleVector.fromArray(SPECIES, x, p + 2 * stride)
                  .add(DoubleVector.fromArray(SPECIES, x, p + 3 * stride)))
          .intoArray(y, at + i);
    }
  }

  /** The sum over any frame; wide ones go by rows, others by steps of four. */
  void sliding(double[] x, int from, int width, int divisor, double[] y, int at, int n) {
    if (width < NARROW_CELLS) {
      sum(x, from, width, divisor, y, at, n);
    } else if (width < SlidingRows.WIDE_SUM_CELLS) {
      bySteps(x, from, width, divisor, y, at, n);
    } else {
      byRows(x, from, width, divisor, y, at, n);
    }
  }

  /**
   * Each step makes sums of four times as many cells; a frame is what the digits of its width to
   * base four say, at most three sums of each step.
   */
  private void bySteps(double[] x, int from, int width, int divisor, double[] y, int at, int n) {
    if (steps[0].length < SlidingRows.stepCapacity(width)) {
      for (int step = 0; step < steps.length; step++) {
        steps[step] = new double[SlidingRows.stepCapacity(width)];
      }
    }
    int chunk = SlidingRows.stepChunkCells(width);
    for (int done = 0; done < n; done += chunk) {
      int count = Math.min(chunk, n - done);
      int step = 0;
      int made = 4;
      addFour(x, from + done, 1, steps[0], 0, SlidingRows.groups(count + width - made));
      for (; 4 * made <= width; made *= 4) {
        int positions = SlidingRows.groups(count + width - 4 * made);
        if (made == SlidingRows.ROW) {
          addFourRows(steps[step], steps[step + 1], positions);
        } else {
          addFour(steps[step], 0, made, steps[step + 1], 0, positions);
        }
        step++;
      }
      addDigits(x, from + done, width, step, made, divisor, y, at + done, count);
    }
  }

  private void addDigits(
      double[] x, int from, int width, int step, int made, int divisor, double[] y, int at, int n) {
    int terms = 0;
    int offset = 0;
    int digitStep = step;
    int digitCells = made;
    while (offset < width) {
      if (width - offset < digitCells) {
        digitStep--;
        digitCells /= 4;
        continue;
      }
      if (terms == termCells.length) {
        addTerms(partial, 0, 1, n);
        termCells[0] = partial;
        termStarts[0] = 0;
        terms = 1;
      }
      termCells[terms] = digitStep < 0 ? x : steps[digitStep];
      termStarts[terms] = offset + (digitStep < 0 ? from : 0);
      terms++;
      offset += digitCells;
    }
    double scale = 1 / (double) divisor;
    if (terms <= 2) {
      endTerms(terms, 2);
      addTwoTerms(y, at, scale, n);
    } else {
      endTerms(terms, 4);
      addTerms(y, at, scale, n);
    }
  }

  private void endTerms(int from, int to) {
    for (int term = from; term < to; term++) {
      termCells[term] = zeros;
      termStarts[term] = 0;
    }
  }

  private void addTwoTerms(double[] y, int at, double scale, int n) {
    addTwoTerms(termCells[0], termStarts[0], termCells[1], termStarts[1], y, at, scale, n);
  }

  private static void addTwoTerms(
      double[] x0, int from0, double[] x1, int from1, double[] y, int at, double scale, int n) {
    for (int i = 0; i < n; i += LANES) {
      DoubleVector.fromArray(SPECIES, x0, from0 + i)
          .add(DoubleVector.fromArray(SPECIES, x1, from1 + i))
          .mul(scale)
          .intoArray(y, at + i);
    }
  }

  private void addTerms(double[] y, int at, double scale, int n) {
    double[] x0 = termCells[0];
    double[] x1 = termCells[1];
    double[] x2 = termCells[2];
    double[] x3 = termCells[3];
    int from0 = termStarts[0];
    int from1 = termStarts[1];
    int from2 = termStarts[2];
    int from3 = termStarts[3];
    for (int i = 0; i < n; i += LANES) {
      DoubleVector.fromArray(SPECIES, x0, from0 + i)
          .add(DoubleVector.fromArray(SPECIES, x1, from1 + i))
          .add(
              DoubleVector.fromArray(SPECIES, x2, from2 + i)
                  .add(DoubleVector.fromArray(SPECIES, x3, from3 + i)))
          .mul(scale)
          .intoArray(y, at + i);
    }
  }

  /**
   * As {@link #addFour} with a stride of a row: what four outputs have in common is loaded once.
   */
  private static void addFourRows(double[] x, double[] y, int n) {
    for (int strip = 0; strip < SlidingRows.ROW; strip += LANES) {
      for (int p = strip; p < n; p += 4 * SlidingRows.ROW) {
        DoubleVector x1 = DoubleVector.fromArray(SPECIES, x, p + SlidingRows.ROW);
        DoubleVector x2 = DoubleVector.fromArray(SPECIES, x, p + 2 * SlidingRows.ROW);
        DoubleVector x3 = DoubleVector.fromArray(SPECIES, x, p + 3 * SlidingRows.ROW);
        DoubleVector x4 = DoubleVector.fromArray(SPECIES, x, p + 4 * SlidingRows.ROW);
        DoubleVector x5 = DoubleVector.fromArray(SPECIES, x, p + 5 * SlidingRows.ROW);
        DoubleVector x12 = x1.add(x2);
        DoubleVector x34 = x3.add(x4);
        DoubleVector x23 = x2.add(x3);
        DoubleVector x45 = x4.add(x5);
        DoubleVector.fromArray(SPECIES, x, p).add(x1).add(x23).intoArray(y, p);
        x12.add(x34).intoArray(y, p + SlidingRows.ROW);
        x23.add(x45).intoArray(y, p + 2 * SlidingRows.ROW);
        x34.add(x5.add(DoubleVector.fromArray(SPECIES, x, p + 6 * SlidingRows.ROW)))
            .intoArray(y, p + 3 * SlidingRows.ROW);
      }
    }
  }

  /**
   * The sum over frames of at least two rows: see {@link SlidingRows} for the plan. No cell is ever
   * subtracted, so infinities and NaN stay within their frames.
   */
  private void byRows(double[] x, int from, int width, int divisor, double[] y, int at, int n) {
    SlidingRows plan = new SlidingRows(width);
    if (fours.length < plan.foursCapacity()) {
      fours = new double[plan.foursCapacity()];
    }
    if (rows.length < plan.rowsCapacity()) {
      rows = new double[plan.rowsCapacity()];
    }
    if (suffixes.length < plan.frameCells()) {
      suffixes = new double[plan.frameCells()];
    }
    advance(x, from, 0, plan.carriedCells());
    for (int done = 0; done < n; done += plan.chunkCells()) {
      int cells = Math.min(plan.chunkCells(), n - done);
      advance(x, from + done + plan.carriedCells(), plan.carriedCells(), cells);
      for (int block = 0; block < cells; block += plan.frameCells()) {
        int count = Math.min(plan.frameCells(), cells - block);
        for (int strip = 0; strip < SlidingRows.ROW; strip += LANES) {
          suffix(block + strip, plan.frameCells());
          combine(x, from + done, plan, block + strip, count, divisor, y, at + done);
        }
      }
      System.arraycopy(rows, cells, rows, 0, plan.carriedCells());
    }
  }

  /**
   * Makes sums of {@link SlidingRows#ROW} cells for {@code n} positions, the first of which is
   * {@code x[from]}. The sums of four of a chunk begin a row before, which is where the tail of its
   * first frame begins.
   */
  private void advance(double[] x, int from, int at, int n) {
    int before = at == 0 ? 0 : SlidingRows.ROW;
    addFour(x, from - before, 1, fours, 0, n + before + SlidingRows.ROW);
    addFour(fours, before, 4, rows, at, n);
  }

  private void suffix(int first, int cells) {
    DoubleVector sum = DoubleVector.fromArray(SPECIES, rows, first + cells - SlidingRows.ROW);
    sum.intoArray(suffixes, cells - SlidingRows.ROW);
    for (int p = cells - 2 * SlidingRows.ROW; p >= 0; p -= SlidingRows.ROW) {
      sum = DoubleVector.fromArray(SPECIES, rows, first + p).add(sum);
      sum.intoArray(suffixes, p);
    }
  }

  private void combine(
      double[] x, int from, SlidingRows plan, int first, int n, int divisor, double[] y, int at) {
    int frameCells = plan.frameCells();
    int tail = plan.tailCells();
    int tailFours = tail & -4;
    double scale = 1 / (double) divisor;
    DoubleVector prefix = DoubleVector.zero(SPECIES);
    for (int p = 0; p < n; p += SlidingRows.ROW) {
      DoubleVector sum = DoubleVector.fromArray(SPECIES, suffixes, p).add(prefix);
      for (int t = 0; t < tailFours; t += 4) {
        sum = sum.add(DoubleVector.fromArray(SPECIES, fours, first + p + t));
      }
      for (int t = tailFours; t < tail; t++) {
        sum = sum.add(DoubleVector.fromArray(SPECIES, x, from + first + p + frameCells + t));
      }
      sum.mul(scale).intoArray(y, at + first + p);
      prefix = prefix.add(DoubleVector.fromArray(SPECIES, rows, first + frameCells + p));
    }
  }
}

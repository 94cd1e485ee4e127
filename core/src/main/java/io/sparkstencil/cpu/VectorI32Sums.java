/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/** Sums of int cells with the Vector API. */
final class VectorI32Sums {
  private static final VectorSpecies<Integer> SPECIES = VectorShapes.I32;
  private static final int LANES = SPECIES.length();

  /** Frames below this are cheaper tap by tap. */
  private static final int NARROW_CELLS = 12;

  private final int[][] steps = {{}, {}, {}, {}};
  private final int[][] termCells = new int[4][];
  private final int[] termStarts = new int[4];
  private final int[] zeros = new int[SlidingRows.CHUNK_CELLS];
  private final int[] partial = new int[SlidingRows.CHUNK_CELLS];
  private int[] fours = new int[0];
  private int[] rows = new int[0];
  private int[] suffixes = new int[0];

  /** Four vectors of outputs at a time, four taps a step: the sums stay in registers. */
  static void sum(int[] x, int from, int width, int divisor, int[] y, int at, int n) {
    int whole = width & -4;
    for (int i = 0; i < n; i += 4 * LANES) {
      IntVector sum0 = IntVector.zero(SPECIES);
      IntVector sum1 = sum0;
      IntVector sum2 = sum0;
      IntVector sum3 = sum0;
      int first = from + i;
      for (int t = 0; t < whole; t += 4) {
        int p = first + t;
        sum0 =
            sum0.add(IntVector.fromArray(SPECIES, x, p))
                .add(IntVector.fromArray(SPECIES, x, p + 1))
                .add(IntVector.fromArray(SPECIES, x, p + 2))
                .add(IntVector.fromArray(SPECIES, x, p + 3));
        p += LANES;
        sum1 =
            sum1.add(IntVector.fromArray(SPECIES, x, p))
                .add(IntVector.fromArray(SPECIES, x, p + 1))
                .add(IntVector.fromArray(SPECIES, x, p + 2))
                .add(IntVector.fromArray(SPECIES, x, p + 3));
        p += LANES;
        sum2 =
            sum2.add(IntVector.fromArray(SPECIES, x, p))
                .add(IntVector.fromArray(SPECIES, x, p + 1))
                .add(IntVector.fromArray(SPECIES, x, p + 2))
                .add(IntVector.fromArray(SPECIES, x, p + 3));
        p += LANES;
        sum3 =
            sum3.add(IntVector.fromArray(SPECIES, x, p))
                .add(IntVector.fromArray(SPECIES, x, p + 1))
                .add(IntVector.fromArray(SPECIES, x, p + 2))
                .add(IntVector.fromArray(SPECIES, x, p + 3));
      }
      for (int t = whole; t < width; t++) {
        sum0 = sum0.add(IntVector.fromArray(SPECIES, x, first + t));
        sum1 = sum1.add(IntVector.fromArray(SPECIES, x, first + t + LANES));
        sum2 = sum2.add(IntVector.fromArray(SPECIES, x, first + t + 2 * LANES));
        sum3 = sum3.add(IntVector.fromArray(SPECIES, x, first + t + 3 * LANES));
      }
      sum0.intoArray(y, at + i);
      sum1.intoArray(y, at + i + LANES);
      sum2.intoArray(y, at + i + 2 * LANES);
      sum3.intoArray(y, at + i + 3 * LANES);
    }
    LoopDivision.divide(y, at, n, divisor);
  }

  static void weightedSum(
      int[] x, int from, int[] weights, int first, int width, int[] y, int at, int n) {
    for (int i = 0; i < n; i += 4 * LANES) {
      IntVector sum0 = IntVector.zero(SPECIES);
      IntVector sum1 = sum0;
      IntVector sum2 = sum0;
      IntVector sum3 = sum0;
      for (int t = 0; t < width; t++) {
        int p = from + i + t;
        IntVector weight = IntVector.broadcast(SPECIES, weights[first + t]);
        sum0 = sum0.add(IntVector.fromArray(SPECIES, x, p).mul(weight));
        sum1 = sum1.add(IntVector.fromArray(SPECIES, x, p + LANES).mul(weight));
        sum2 = sum2.add(IntVector.fromArray(SPECIES, x, p + 2 * LANES).mul(weight));
        sum3 = sum3.add(IntVector.fromArray(SPECIES, x, p + 3 * LANES).mul(weight));
      }
      sum0.intoArray(y, at + i);
      sum1.intoArray(y, at + i + LANES);
      sum2.intoArray(y, at + i + 2 * LANES);
      sum3.intoArray(y, at + i + 3 * LANES);
    }
  }

  /** {@code y[at + i]} becomes the sum of four cells of {@code x}, {@code stride} apart. */
  private static void addFour(int[] x, int from, int stride, int[] y, int at, int n) {
    for (int i = 0; i < n; i += LANES) {
      int p = from + i;
      IntVector.fromArray(SPECIES, x, p)
          .add(IntVector.fromArray(SPECIES, x, p + stride))
          .add(
              IntVector.fromArray(SPECIES, x, p + 2 * stride)
                  .add(IntVector.fromArray(SPECIES, x, p + 3 * stride)))
          .intoArray(y, at + i);
    }
  }

  /** The sum over any frame; wide ones go by rows, others by steps of four. */
  void sliding(int[] x, int from, int width, int divisor, int[] y, int at, int n) {
    if (width < NARROW_CELLS) {
      sum(x, from, width, divisor, y, at, n);
    } else if (width < SlidingRows.WIDE_SUM_CELLS) {
      bySteps(x, from, width, y, at, n);
      LoopDivision.divide(y, at, n, divisor);
    } else {
      byRows(x, from, width, divisor, y, at, n);
    }
  }

  /**
   * Each step makes sums of four times as many cells; a frame is what the digits of its width to
   * base four say, at most three sums of each step.
   */
  private void bySteps(int[] x, int from, int width, int[] y, int at, int n) {
    if (steps[0].length < SlidingRows.stepCapacity(width)) {
      for (int step = 0; step < steps.length; step++) {
        steps[step] = new int[SlidingRows.stepCapacity(width)];
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
      addDigits(x, from + done, width, step, made, y, at + done, count);
    }
  }

  private void addDigits(int[] x, int from, int width, int step, int made, int[] y, int at, int n) {
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
        addTerms(partial, 0, n);
        termCells[0] = partial;
        termStarts[0] = 0;
        terms = 1;
      }
      termCells[terms] = digitStep < 0 ? x : steps[digitStep];
      termStarts[terms] = offset + (digitStep < 0 ? from : 0);
      terms++;
      offset += digitCells;
    }
    if (terms <= 2) {
      endTerms(terms, 2);
      addTwoTerms(y, at, n);
    } else {
      endTerms(terms, 4);
      addTerms(y, at, n);
    }
  }

  private void endTerms(int from, int to) {
    for (int term = from; term < to; term++) {
      termCells[term] = zeros;
      termStarts[term] = 0;
    }
  }

  private void addTwoTerms(int[] y, int at, int n) {
    addTwoTerms(termCells[0], termStarts[0], termCells[1], termStarts[1], y, at, n);
  }

  private static void addTwoTerms(
      int[] x0, int from0, int[] x1, int from1, int[] y, int at, int n) {
    for (int i = 0; i < n; i += LANES) {
      IntVector.fromArray(SPECIES, x0, from0 + i)
          .add(IntVector.fromArray(SPECIES, x1, from1 + i))
          .intoArray(y, at + i);
    }
  }

  private void addTerms(int[] y, int at, int n) {
    int[] x0 = termCells[0];
    int[] x1 = termCells[1];
    int[] x2 = termCells[2];
    int[] x3 = termCells[3];
    int from0 = termStarts[0];
    int from1 = termStarts[1];
    int from2 = termStarts[2];
    int from3 = termStarts[3];
    for (int i = 0; i < n; i += LANES) {
      IntVector.fromArray(SPECIES, x0, from0 + i)
          .add(IntVector.fromArray(SPECIES, x1, from1 + i))
          .add(
              IntVector.fromArray(SPECIES, x2, from2 + i)
                  .add(IntVector.fromArray(SPECIES, x3, from3 + i)))
          .intoArray(y, at + i);
    }
  }

  /**
   * As {@link #addFour} with a stride of a row: what four outputs have in common is loaded once.
   */
  private static void addFourRows(int[] x, int[] y, int n) {
    for (int strip = 0; strip < SlidingRows.ROW; strip += LANES) {
      for (int p = strip; p < n; p += 4 * SlidingRows.ROW) {
        IntVector x1 = IntVector.fromArray(SPECIES, x, p + SlidingRows.ROW);
        IntVector x2 = IntVector.fromArray(SPECIES, x, p + 2 * SlidingRows.ROW);
        IntVector x3 = IntVector.fromArray(SPECIES, x, p + 3 * SlidingRows.ROW);
        IntVector x4 = IntVector.fromArray(SPECIES, x, p + 4 * SlidingRows.ROW);
        IntVector x5 = IntVector.fromArray(SPECIES, x, p + 5 * SlidingRows.ROW);
        IntVector x12 = x1.add(x2);
        IntVector x34 = x3.add(x4);
        IntVector x23 = x2.add(x3);
        IntVector x45 = x4.add(x5);
        IntVector.fromArray(SPECIES, x, p).add(x1).add(x23).intoArray(y, p);
        x12.add(x34).intoArray(y, p + SlidingRows.ROW);
        x23.add(x45).intoArray(y, p + 2 * SlidingRows.ROW);
        x34.add(x5.add(IntVector.fromArray(SPECIES, x, p + 6 * SlidingRows.ROW)))
            .intoArray(y, p + 3 * SlidingRows.ROW);
      }
    }
  }

  /**
   * The sum over frames of at least two rows: see {@link SlidingRows} for the plan. No cell is ever
   * subtracted, so infinities and NaN stay within their frames.
   */
  private void byRows(int[] x, int from, int width, int divisor, int[] y, int at, int n) {
    SlidingRows plan = new SlidingRows(width);
    if (fours.length < plan.foursCapacity()) {
      fours = new int[plan.foursCapacity()];
    }
    if (rows.length < plan.rowsCapacity()) {
      rows = new int[plan.rowsCapacity()];
    }
    if (suffixes.length < plan.frameCells()) {
      suffixes = new int[plan.frameCells()];
    }
    advance(x, from, 0, plan.carriedCells());
    for (int done = 0; done < n; done += plan.chunkCells()) {
      int cells = Math.min(plan.chunkCells(), n - done);
      advance(x, from + done + plan.carriedCells(), plan.carriedCells(), cells);
      for (int block = 0; block < cells; block += plan.frameCells()) {
        int count = Math.min(plan.frameCells(), cells - block);
        for (int strip = 0; strip < SlidingRows.ROW; strip += LANES) {
          suffix(block + strip, plan.frameCells());
          combine(x, from + done, plan, block + strip, count, y, at + done);
        }
      }
      System.arraycopy(rows, cells, rows, 0, plan.carriedCells());
    }
    LoopDivision.divide(y, at, n, divisor);
  }

  /**
   * Makes sums of {@link SlidingRows#ROW} cells for {@code n} positions, the first of which is
   * {@code x[from]}. The sums of four of a chunk begin a row before, which is where the tail of its
   * first frame begins.
   */
  private void advance(int[] x, int from, int at, int n) {
    int before = at == 0 ? 0 : SlidingRows.ROW;
    addFour(x, from - before, 1, fours, 0, n + before + SlidingRows.ROW);
    addFour(fours, before, 4, rows, at, n);
  }

  private void suffix(int first, int cells) {
    IntVector sum = IntVector.fromArray(SPECIES, rows, first + cells - SlidingRows.ROW);
    sum.intoArray(suffixes, cells - SlidingRows.ROW);
    for (int p = cells - 2 * SlidingRows.ROW; p >= 0; p -= SlidingRows.ROW) {
      sum = IntVector.fromArray(SPECIES, rows, first + p).add(sum);
      sum.intoArray(suffixes, p);
    }
  }

  private void combine(int[] x, int from, SlidingRows plan, int first, int n, int[] y, int at) {
    int frameCells = plan.frameCells();
    int tail = plan.tailCells();
    int tailFours = tail & -4;
    IntVector prefix = IntVector.zero(SPECIES);
    for (int p = 0; p < n; p += SlidingRows.ROW) {
      IntVector sum = IntVector.fromArray(SPECIES, suffixes, p).add(prefix);
      for (int t = 0; t < tailFours; t += 4) {
        sum = sum.add(IntVector.fromArray(SPECIES, fours, first + p + t));
      }
      for (int t = tailFours; t < tail; t++) {
        sum = sum.add(IntVector.fromArray(SPECIES, x, from + first + p + frameCells + t));
      }
      sum.intoArray(y, at + first + p);
      prefix = prefix.add(IntVector.fromArray(SPECIES, rows, first + frameCells + p));
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** Sums of float cells with the Vector API. */
final class VectorF32Sums {
  private static final VectorSpecies<Float> SPECIES = VectorShapes.F32;
  private static final int LANES = SPECIES.length();

  /** Frames below this are cheaper tap by tap. */
  private static final int NARROW_CELLS = 12;

  private final float[][] steps = {{}, {}, {}, {}};
  private final float[][] termCells = new float[4][];
  private final int[] termStarts = new int[4];
  private final float[] zeros = new float[SlidingRows.CHUNK_CELLS];
  private final float[] partial = new float[SlidingRows.CHUNK_CELLS];
  private float[] fours = new float[0];
  private float[] rows = new float[0];
  private float[] suffixes = new float[0];

  /** Four vectors of outputs at a time, four taps a step: the sums stay in registers. */
  static void sum(float[] x, int from, int width, int divisor, float[] y, int at, int n) {
    int whole = width & -4;
    for (int i = 0; i < n; i += 4 * LANES) {
      FloatVector sum0 = FloatVector.zero(SPECIES);
      FloatVector sum1 = sum0;
      FloatVector sum2 = sum0;
      FloatVector sum3 = sum0;
      int first = from + i;
      for (int t = 0; t < whole; t += 4) {
        int p = first + t;
        sum0 =
            sum0.add(FloatVector.fromArray(SPECIES, x, p))
                .add(FloatVector.fromArray(SPECIES, x, p + 1))
                .add(FloatVector.fromArray(SPECIES, x, p + 2))
                .add(FloatVector.fromArray(SPECIES, x, p + 3));
        p += LANES;
        sum1 =
            sum1.add(FloatVector.fromArray(SPECIES, x, p))
                .add(FloatVector.fromArray(SPECIES, x, p + 1))
                .add(FloatVector.fromArray(SPECIES, x, p + 2))
                .add(FloatVector.fromArray(SPECIES, x, p + 3));
        p += LANES;
        sum2 =
            sum2.add(FloatVector.fromArray(SPECIES, x, p))
                .add(FloatVector.fromArray(SPECIES, x, p + 1))
                .add(FloatVector.fromArray(SPECIES, x, p + 2))
                .add(FloatVector.fromArray(SPECIES, x, p + 3));
        p += LANES;
        sum3 =
            sum3.add(FloatVector.fromArray(SPECIES, x, p))
                .add(FloatVector.fromArray(SPECIES, x, p + 1))
                .add(FloatVector.fromArray(SPECIES, x, p + 2))
                .add(FloatVector.fromArray(SPECIES, x, p + 3));
      }
      for (int t = whole; t < width; t++) {
        sum0 = sum0.add(FloatVector.fromArray(SPECIES, x, first + t));
        sum1 = sum1.add(FloatVector.fromArray(SPECIES, x, first + t + LANES));
        sum2 = sum2.add(FloatVector.fromArray(SPECIES, x, first + t + 2 * LANES));
        sum3 = sum3.add(FloatVector.fromArray(SPECIES, x, first + t + 3 * LANES));
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
      float[] x, int from, float[] weights, int first, int width, float[] y, int at, int n) {
    for (int i = 0; i < n; i += 4 * LANES) {
      FloatVector sum0 = FloatVector.zero(SPECIES);
      FloatVector sum1 = sum0;
      FloatVector sum2 = sum0;
      FloatVector sum3 = sum0;
      for (int t = 0; t < width; t++) {
        int p = from + i + t;
        FloatVector weight = FloatVector.broadcast(SPECIES, weights[first + t]);
        sum0 = sum0.add(FloatVector.fromArray(SPECIES, x, p).mul(weight));
        sum1 = sum1.add(FloatVector.fromArray(SPECIES, x, p + LANES).mul(weight));
        sum2 = sum2.add(FloatVector.fromArray(SPECIES, x, p + 2 * LANES).mul(weight));
        sum3 = sum3.add(FloatVector.fromArray(SPECIES, x, p + 3 * LANES).mul(weight));
      }
      sum0.intoArray(y, at + i);
      sum1.intoArray(y, at + i + LANES);
      sum2.intoArray(y, at + i + 2 * LANES);
      sum3.intoArray(y, at + i + 3 * LANES);
    }
  }

  /** {@code y[at + i]} becomes the sum of four cells of {@code x}, {@code stride} apart. */
  private static void addFour(float[] x, int from, int stride, float[] y, int at, int n) {
    for (int i = 0; i < n; i += LANES) {
      int p = from + i;
      FloatVector.fromArray(SPECIES, x, p)
          .add(FloatVector.fromArray(SPECIES, x, p + stride))
          .add(
              FloatVector.fromArray(SPECIES, x, p + 2 * stride)
                  .add(FloatVector.fromArray(SPECIES, x, p + 3 * stride)))
          .intoArray(y, at + i);
    }
  }

  /** The sum over any frame; wide ones go by rows, others by steps of four. */
  void sliding(float[] x, int from, int width, int divisor, float[] y, int at, int n) {
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
  private void bySteps(float[] x, int from, int width, int divisor, float[] y, int at, int n) {
    if (steps[0].length < SlidingRows.stepCapacity(width)) {
      for (int step = 0; step < steps.length; step++) {
        steps[step] = new float[SlidingRows.stepCapacity(width)];
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
      float[] x, int from, int width, int step, int made, int divisor, float[] y, int at, int n) {
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
    float scale = 1 / (float) divisor;
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

  private void addTwoTerms(float[] y, int at, float scale, int n) {
    addTwoTerms(termCells[0], termStarts[0], termCells[1], termStarts[1], y, at, scale, n);
  }

  private static void addTwoTerms(
      float[] x0, int from0, float[] x1, int from1, float[] y, int at, float scale, int n) {
    for (int i = 0; i < n; i += LANES) {
      FloatVector.fromArray(SPECIES, x0, from0 + i)
          .add(FloatVector.fromArray(SPECIES, x1, from1 + i))
          .mul(scale)
          .intoArray(y, at + i);
    }
  }

  private void addTerms(float[] y, int at, float scale, int n) {
    float[] x0 = termCells[0];
    float[] x1 = termCells[1];
    float[] x2 = termCells[2];
    float[] x3 = termCells[3];
    int from0 = termStarts[0];
    int from1 = termStarts[1];
    int from2 = termStarts[2];
    int from3 = termStarts[3];
    for (int i = 0; i < n; i += LANES) {
      FloatVector.fromArray(SPECIES, x0, from0 + i)
          .add(FloatVector.fromArray(SPECIES, x1, from1 + i))
          .add(
              FloatVector.fromArray(SPECIES, x2, from2 + i)
                  .add(FloatVector.fromArray(SPECIES, x3, from3 + i)))
          .mul(scale)
          .intoArray(y, at + i);
    }
  }

  /**
   * As {@link #addFour} with a stride of a row: what four outputs have in common is loaded once.
   */
  private static void addFourRows(float[] x, float[] y, int n) {
    for (int strip = 0; strip < SlidingRows.ROW; strip += LANES) {
      for (int p = strip; p < n; p += 4 * SlidingRows.ROW) {
        FloatVector x1 = FloatVector.fromArray(SPECIES, x, p + SlidingRows.ROW);
        FloatVector x2 = FloatVector.fromArray(SPECIES, x, p + 2 * SlidingRows.ROW);
        FloatVector x3 = FloatVector.fromArray(SPECIES, x, p + 3 * SlidingRows.ROW);
        FloatVector x4 = FloatVector.fromArray(SPECIES, x, p + 4 * SlidingRows.ROW);
        FloatVector x5 = FloatVector.fromArray(SPECIES, x, p + 5 * SlidingRows.ROW);
        FloatVector x12 = x1.add(x2);
        FloatVector x34 = x3.add(x4);
        FloatVector x23 = x2.add(x3);
        FloatVector x45 = x4.add(x5);
        FloatVector.fromArray(SPECIES, x, p).add(x1).add(x23).intoArray(y, p);
        x12.add(x34).intoArray(y, p + SlidingRows.ROW);
        x23.add(x45).intoArray(y, p + 2 * SlidingRows.ROW);
        x34.add(x5.add(FloatVector.fromArray(SPECIES, x, p + 6 * SlidingRows.ROW)))
            .intoArray(y, p + 3 * SlidingRows.ROW);
      }
    }
  }

  /**
   * The sum over frames of at least two rows: see {@link SlidingRows} for the plan. No cell is ever
   * subtracted, so infinities and NaN stay within their frames.
   */
  private void byRows(float[] x, int from, int width, int divisor, float[] y, int at, int n) {
    SlidingRows plan = new SlidingRows(width);
    if (fours.length < plan.foursCapacity()) {
      fours = new float[plan.foursCapacity()];
    }
    if (rows.length < plan.rowsCapacity()) {
      rows = new float[plan.rowsCapacity()];
    }
    if (suffixes.length < plan.frameCells()) {
      suffixes = new float[plan.frameCells()];
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
  private void advance(float[] x, int from, int at, int n) {
    int before = at == 0 ? 0 : SlidingRows.ROW;
    addFour(x, from - before, 1, fours, 0, n + before + SlidingRows.ROW);
    addFour(fours, before, 4, rows, at, n);
  }

  private void suffix(int first, int cells) {
    FloatVector sum = FloatVector.fromArray(SPECIES, rows, first + cells - SlidingRows.ROW);
    sum.intoArray(suffixes, cells - SlidingRows.ROW);
    for (int p = cells - 2 * SlidingRows.ROW; p >= 0; p -= SlidingRows.ROW) {
      sum = FloatVector.fromArray(SPECIES, rows, first + p).add(sum);
      sum.intoArray(suffixes, p);
    }
  }

  private void combine(
      float[] x, int from, SlidingRows plan, int first, int n, int divisor, float[] y, int at) {
    int frameCells = plan.frameCells();
    int tail = plan.tailCells();
    int tailFours = tail & -4;
    float scale = 1 / (float) divisor;
    FloatVector prefix = FloatVector.zero(SPECIES);
    for (int p = 0; p < n; p += SlidingRows.ROW) {
      FloatVector sum = FloatVector.fromArray(SPECIES, suffixes, p).add(prefix);
      for (int t = 0; t < tailFours; t += 4) {
        sum = sum.add(FloatVector.fromArray(SPECIES, fours, first + p + t));
      }
      for (int t = tailFours; t < tail; t++) {
        sum = sum.add(FloatVector.fromArray(SPECIES, x, from + first + p + frameCells + t));
      }
      sum.mul(scale).intoArray(y, at + first + p);
      prefix = prefix.add(FloatVector.fromArray(SPECIES, rows, first + frameCells + p));
    }
  }
}

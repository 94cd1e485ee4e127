/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/** Sums of int cells with the Vector API. */
final class VectorI32Sums {
  private static final VectorSpecies<Integer> SPECIES = VectorShapes.I32;
  private static final int LANES = SPECIES.length();

  private int[] fours = new int[0];
  private int[] rows = new int[0];
  private int[] suffixes = new int[0];

  private static IntVector load(int[] x, int index) {
    return IntVector.fromArray(SPECIES, x, index);
  }

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
        sum0 = sum0.add(load(x, p)).add(load(x, p + 1)).add(load(x, p + 2)).add(load(x, p + 3));
        p += LANES;
        sum1 = sum1.add(load(x, p)).add(load(x, p + 1)).add(load(x, p + 2)).add(load(x, p + 3));
        p += LANES;
        sum2 = sum2.add(load(x, p)).add(load(x, p + 1)).add(load(x, p + 2)).add(load(x, p + 3));
        p += LANES;
        sum3 = sum3.add(load(x, p)).add(load(x, p + 1)).add(load(x, p + 2)).add(load(x, p + 3));
      }
      for (int t = whole; t < width; t++) {
        sum0 = sum0.add(load(x, first + t));
        sum1 = sum1.add(load(x, first + t + LANES));
        sum2 = sum2.add(load(x, first + t + 2 * LANES));
        sum3 = sum3.add(load(x, first + t + 3 * LANES));
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
        sum0 = sum0.add(load(x, p).mul(weight));
        sum1 = sum1.add(load(x, p + LANES).mul(weight));
        sum2 = sum2.add(load(x, p + 2 * LANES).mul(weight));
        sum3 = sum3.add(load(x, p + 3 * LANES).mul(weight));
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
      load(x, p)
          .add(load(x, p + stride))
          .add(load(x, p + 2 * stride).add(load(x, p + 3 * stride)))
          .intoArray(y, at + i);
    }
  }

  /**
   * The sum over frames of at least two rows: see {@link SlidingRows} for the plan. No cell is ever
   * subtracted, so infinities and NaN stay within their frames.
   */
  void sliding(int[] x, int from, int width, int divisor, int[] y, int at, int n) {
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
    IntVector sum = load(rows, first + cells - SlidingRows.ROW);
    sum.intoArray(suffixes, cells - SlidingRows.ROW);
    for (int p = cells - 2 * SlidingRows.ROW; p >= 0; p -= SlidingRows.ROW) {
      sum = load(rows, first + p).add(sum);
      sum.intoArray(suffixes, p);
    }
  }

  private void combine(int[] x, int from, SlidingRows plan, int first, int n, int[] y, int at) {
    int frameCells = plan.frameCells();
    int tail = plan.tailCells();
    int tailFours = tail & -4;
    IntVector prefix = IntVector.zero(SPECIES);
    for (int p = 0; p < n; p += SlidingRows.ROW) {
      IntVector sum = load(suffixes, p).add(prefix);
      for (int t = 0; t < tailFours; t += 4) {
        sum = sum.add(load(fours, first + p + t));
      }
      for (int t = tailFours; t < tail; t++) {
        sum = sum.add(load(x, from + first + p + frameCells + t));
      }
      sum.intoArray(y, at + first + p);
      prefix = prefix.add(load(rows, first + frameCells + p));
    }
  }
}

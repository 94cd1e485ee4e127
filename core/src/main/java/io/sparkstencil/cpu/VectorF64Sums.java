/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/** Sums of double cells with the Vector API. */
final class VectorF64Sums {
  private static final VectorSpecies<Double> SPECIES = VectorShapes.F64;
  private static final int LANES = SPECIES.length();

  private double[] fours = new double[0];
  private double[] rows = new double[0];
  private double[] suffixes = new double[0];

  private static DoubleVector load(double[] x, int index) {
    return DoubleVector.fromArray(SPECIES, x, index);
  }

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
  private static void addFour(double[] x, int from, int stride, double[] y, int at, int n) {
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
  void sliding(double[] x, int from, int width, int divisor, double[] y, int at, int n) {
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
    DoubleVector sum = load(rows, first + cells - SlidingRows.ROW);
    sum.intoArray(suffixes, cells - SlidingRows.ROW);
    for (int p = cells - 2 * SlidingRows.ROW; p >= 0; p -= SlidingRows.ROW) {
      sum = load(rows, first + p).add(sum);
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
      DoubleVector sum = load(suffixes, p).add(prefix);
      for (int t = 0; t < tailFours; t += 4) {
        sum = sum.add(load(fours, first + p + t));
      }
      for (int t = tailFours; t < tail; t++) {
        sum = sum.add(load(x, from + first + p + frameCells + t));
      }
      sum.mul(scale).intoArray(y, at + first + p);
      prefix = prefix.add(load(rows, first + frameCells + p));
    }
  }
}

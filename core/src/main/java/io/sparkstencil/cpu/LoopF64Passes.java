/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import io.sparkstencil.model.CellOrder;
import java.util.Arrays;

/**
 * Passes over double cells as plain loops: what runs where the Vector API is absent. Sums are
 * written so that the compiler can vectorise them; offsets between taps come in as variables
 * because it refuses constant offsets that overlap.
 */
final class LoopF64Passes extends CellPasses {
  private static final int CHUNK_CELLS = 2048;

  /** Frames below this are cheaper tap by tap. */
  private static final int NARROW_CELLS = 16;

  private double[] prefixes = new double[0];
  private double[] suffixes = new double[0];

  @Override
  void sum(Object x, int from, int width, int divisor, Object y, int at, int n) {
    double[] cells = (double[]) x;
    double[] sums = (double[]) y;
    for (int done = 0; done < n; done += CHUNK_CELLS) {
      int count = Math.min(CHUNK_CELLS, n - done);
      Arrays.fill(sums, at + done, at + done + count, 0);
      int t = 0;
      for (; t + 8 <= width; t += 8) {
        addEight(cells, from + done + t, 1, sums, at + done, count);
      }
      for (; t < width; t++) {
        addOne(cells, from + done + t, sums, at + done, count);
      }
      LoopDivision.divide(sums, at + done, count, divisor);
    }
  }

  private static void addEight(double[] x, int from, int stride, double[] y, int at, int n) {
    for (int i = 0; i < n; i++) {
      int p = from + i;
      y[at + i] =
          y[at + i]
              + x[p]
              + x[p + stride]
              + x[p + 2 * stride]
              + x[p + 3 * stride]
              + x[p + 4 * stride]
              + x[p + 5 * stride]
              + x[p + 6 * stride]
              + x[p + 7 * stride];
    }
  }

  private static void addOne(double[] x, int from, double[] y, int at, int n) {
    for (int i = 0; i < n; i++) {
      y[at + i] += x[from + i];
    }
  }

  @Override
  void weightedSum(
      Object x, int from, Object weights, int first, int width, Object y, int at, int n) {
    double[] sums = (double[]) y;
    for (int done = 0; done < n; done += CHUNK_CELLS) {
      int count = Math.min(CHUNK_CELLS, n - done);
      Arrays.fill(sums, at + done, at + done + count, 0);
      for (int t = 0; t < width; t++) {
        double weight = ((double[]) weights)[first + t];
        addProduct((double[]) x, from + done + t, weight, sums, at + done, count);
      }
    }
  }

  private static void addProduct(double[] x, int from, double weight, double[] y, int at, int n) {
    for (int i = 0; i < n; i++) {
      y[at + i] += weight * x[from + i];
    }
  }

  @Override
  void slidingSum(Object x, int from, int width, int divisor, Object y, int at, int n) {
    if (width < NARROW_CELLS) {
      sum(x, from, width, divisor, y, at, n);
      return;
    }
    double[] cells = (double[]) x;
    double[] sums = (double[]) y;
    reserve(width);
    // Blocks of one frame: a frame is a suffix of one block and a prefix of the next.
    for (int block = 0; block < n; block += width) {
      double sum = 0;
      for (int i = width - 1; i >= 0; i--) {
        sum += cells[from + block + i];
        suffixes[i] = sum;
      }
      int count = Math.min(width, n - block);
      sum = 0;
      sums[at + block] = suffixes[0];
      for (int i = 1; i < count; i++) {
        sum += cells[from + block + width + i - 1];
        sums[at + block + i] = suffixes[i] + sum;
      }
    }
    LoopDivision.divide(sums, at, n, divisor);
  }

  private void reserve(int width) {
    if (suffixes.length < width) {
      suffixes = new double[width];
      prefixes = new double[width];
    }
  }

  @Override
  void slidingExtremum(Object x, int from, int width, boolean greatest, Object y, int at, int n) {
    double[] cells = (double[]) x;
    double[] chosen = (double[]) y;
    reserve(width);
    for (int block = 0; block < n; block += width) {
      int count = Math.min(width, n - block);
      if (greatest) {
        greatestOfBlock(cells, from + block, width, count);
      } else {
        leastOfBlock(cells, from + block, width, count);
      }
      for (int i = 0; i < count; i++) {
        double earlier = suffixes[i];
        double later = prefixes[i];
        boolean takeLater =
            i > 0 && (greatest ? CellOrder.less(earlier, later) : CellOrder.less(later, earlier));
        chosen[at + block + i] = takeLater ? later : earlier;
      }
    }
  }

  private void leastOfBlock(double[] x, int from, int width, int count) {
    double least = x[from + width - 1];
    suffixes[width - 1] = least;
    for (int i = width - 2; i >= 0; i--) {
      double cell = x[from + i];
      least = CellOrder.less(least, cell) ? least : cell;
      suffixes[i] = least;
    }
    least = x[from + width];
    for (int i = 1; i < count; i++) {
      double cell = x[from + width + i - 1];
      least = CellOrder.less(cell, least) ? cell : least;
      prefixes[i] = least;
    }
  }

  private void greatestOfBlock(double[] x, int from, int width, int count) {
    double greatest = x[from + width - 1];
    suffixes[width - 1] = greatest;
    for (int i = width - 2; i >= 0; i--) {
      double cell = x[from + i];
      greatest = CellOrder.less(cell, greatest) ? greatest : cell;
      suffixes[i] = greatest;
    }
    greatest = x[from + width];
    for (int i = 1; i < count; i++) {
      double cell = x[from + width + i - 1];
      greatest = CellOrder.less(greatest, cell) ? cell : greatest;
      prefixes[i] = greatest;
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import java.util.Arrays;

/**
 * Passes over int cells as plain loops: what runs where the Vector API is absent. Sums are written
 * so that the compiler can vectorise them; offsets between taps come in as variables because it
 * refuses constant offsets that overlap.
 */
final class LoopI32Passes extends CellPasses {
  private static final int CHUNK_CELLS = 2048;

  /** Frames below this are cheaper tap by tap. */
  private static final int NARROW_CELLS = 16;

  private int[] prefixes = new int[0];
  private int[] suffixes = new int[0];

  @Override
  void sum(Object x, int from, int width, int divisor, Object y, int at, int n) {
    int[] cells = (int[]) x;
    int[] sums = (int[]) y;
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

  private static void addEight(int[] x, int from, int stride, int[] y, int at, int n) {
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

  private static void addOne(int[] x, int from, int[] y, int at, int n) {
    for (int i = 0; i < n; i++) {
      y[at + i] += x[from + i];
    }
  }

  @Override
  void weightedSum(
      Object x, int from, Object weights, int first, int width, Object y, int at, int n) {
    int[] sums = (int[]) y;
    for (int done = 0; done < n; done += CHUNK_CELLS) {
      int count = Math.min(CHUNK_CELLS, n - done);
      Arrays.fill(sums, at + done, at + done + count, 0);
      for (int t = 0; t < width; t++) {
        int weight = ((int[]) weights)[first + t];
        addProduct((int[]) x, from + done + t, weight, sums, at + done, count);
      }
    }
  }

  private static void addProduct(int[] x, int from, int weight, int[] y, int at, int n) {
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
    int[] cells = (int[]) x;
    int[] sums = (int[]) y;
    reserve(width);
    // Blocks of one frame: a frame is a suffix of one block and a prefix of the next.
    for (int block = 0; block < n; block += width) {
      int sum = 0;
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
      suffixes = new int[width];
      prefixes = new int[width];
    }
  }

  @Override
  void slidingExtremum(Object x, int from, int width, boolean greatest, Object y, int at, int n) {
    int[] cells = (int[]) x;
    int[] chosen = (int[]) y;
    reserve(width);
    for (int block = 0; block < n; block += width) {
      int count = Math.min(width, n - block);
      if (greatest) {
        greatestOfBlock(cells, from + block, width, count);
      } else {
        leastOfBlock(cells, from + block, width, count);
      }
      for (int i = 0; i < count; i++) {
        int earlier = suffixes[i];
        int later = prefixes[i];
        boolean takeLater = i > 0 && (greatest ? earlier < later : later < earlier);
        chosen[at + block + i] = takeLater ? later : earlier;
      }
    }
  }

  private void leastOfBlock(int[] x, int from, int width, int count) {
    int least = x[from + width - 1];
    suffixes[width - 1] = least;
    for (int i = width - 2; i >= 0; i--) {
      int cell = x[from + i];
      least = least < cell ? least : cell;
      suffixes[i] = least;
    }
    least = x[from + width];
    for (int i = 1; i < count; i++) {
      int cell = x[from + width + i - 1];
      least = cell < least ? cell : least;
      prefixes[i] = least;
    }
  }

  private void greatestOfBlock(int[] x, int from, int width, int count) {
    int greatest = x[from + width - 1];
    suffixes[width - 1] = greatest;
    for (int i = width - 2; i >= 0; i--) {
      int cell = x[from + i];
      greatest = cell < greatest ? greatest : cell;
      suffixes[i] = greatest;
    }
    greatest = x[from + width];
    for (int i = 1; i < count; i++) {
      int cell = x[from + width + i - 1];
      greatest = greatest < cell ? cell : greatest;
      prefixes[i] = greatest;
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

import io.sparkstencil.model.CellOrder; // floats only
import java.util.Arrays;

/**
 * Passes over float cells as plain loops, for JVMs without the Vector API. Sums are written so that
 * the compiler can vectorise them: offsets between taps are variables, because the compiler does
 * not vectorise constant offsets that overlap.
 */
final class LoopF32Passes extends CellPasses {
  private static final int CHUNK_CELLS = 2048;

  /** Narrower frames are cheaper tap by tap. */
  private static final int NARROW_CELLS = 16;

  private float[] prefixes = new float[0];
  private float[] suffixes = new float[0];

  @Override
  public void sum(Object x, int from, int width, int divisor, Object y, int at, int n) {
    float[] cells = (float[]) x;
    float[] sums = (float[]) y;
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
      LoopDivision.divide(sums, at + done, count, divisor); // floats only
    }
  }

  private static void addEight(float[] x, int from, int stride, float[] y, int at, int n) {
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

  private static void addOne(float[] x, int from, float[] y, int at, int n) {
    for (int i = 0; i < n; i++) {
      y[at + i] += x[from + i];
    }
  }

  @Override
  public void weightedSum(
      Object x, int from, Object weights, int first, int width, Object y, int at, int n) {
    float[] sums = (float[]) y;
    for (int done = 0; done < n; done += CHUNK_CELLS) {
      int count = Math.min(CHUNK_CELLS, n - done);
      Arrays.fill(sums, at + done, at + done + count, 0);
      for (int t = 0; t < width; t++) {
        float weight = ((float[]) weights)[first + t];
        addProduct((float[]) x, from + done + t, weight, sums, at + done, count);
      }
    }
  }

  private static void addProduct(float[] x, int from, float weight, float[] y, int at, int n) {
    for (int i = 0; i < n; i++) {
      y[at + i] += weight * x[from + i];
    }
  }

  @Override
  public void slidingSum(Object x, int from, int width, int divisor, Object y, int at, int n) {
    if (width < NARROW_CELLS) {
      sum(x, from, width, divisor, y, at, n);
      return;
    }
    float[] cells = (float[]) x;
    float[] sums = (float[]) y;
    reserve(width);
    // Blocks as long as a frame: a frame is a suffix of one block and a prefix of the next.
    for (int block = 0; block < n; block += width) {
      float sum = 0;
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
    LoopDivision.divide(sums, at, n, divisor); // floats only
  }

  private void reserve(int width) {
    if (suffixes.length < width) {
      suffixes = new float[width];
      prefixes = new float[width];
    }
  }

  @Override
  public void slidingExtremum(
      Object x, int from, int width, boolean greatest, Object y, int at, int n) {
    float[] cells = (float[]) x;
    float[] chosen = (float[]) y;
    reserve(width);
    for (int block = 0; block < n; block += width) {
      int count = Math.min(width, n - block);
      if (greatest) {
        greatestOfBlock(cells, from + block, width, count);
      } else {
        leastOfBlock(cells, from + block, width, count);
      }
      for (int i = 0; i < count; i++) {
        float earlier = suffixes[i];
        float later = prefixes[i];
        boolean takeLater;
        if (greatest) {
          takeLater = CellOrder.less(earlier, later); // floats only
          // ints only: takeLater = earlier < later;
        } else {
          takeLater = CellOrder.less(later, earlier); // floats only
          // ints only: takeLater = later < earlier;
        }
        chosen[at + block + i] = i > 0 && takeLater ? later : earlier;
      }
    }
  }

  private void leastOfBlock(float[] x, int from, int width, int count) {
    float least = x[from + width - 1];
    suffixes[width - 1] = least;
    for (int i = width - 2; i >= 0; i--) {
      float cell = x[from + i];
      least = CellOrder.less(least, cell) ? least : cell; // floats only
      // ints only: least = least < cell ? least : cell;
      suffixes[i] = least;
    }
    least = x[from + width];
    for (int i = 1; i < count; i++) {
      float cell = x[from + width + i - 1];
      least = CellOrder.less(cell, least) ? cell : least; // floats only
      // ints only: least = cell < least ? cell : least;
      prefixes[i] = least;
    }
  }

  private void greatestOfBlock(float[] x, int from, int width, int count) {
    float greatest = x[from + width - 1];
    suffixes[width - 1] = greatest;
    for (int i = width - 2; i >= 0; i--) {
      float cell = x[from + i];
      greatest = CellOrder.less(cell, greatest) ? greatest : cell; // floats only
      // ints only: greatest = cell < greatest ? greatest : cell;
      suffixes[i] = greatest;
    }
    greatest = x[from + width];
    for (int i = 1; i < count; i++) {
      float cell = x[from + width + i - 1];
      greatest = CellOrder.less(greatest, cell) ? cell : greatest; // floats only
      // ints only: greatest = greatest < cell ? cell : greatest;
      prefixes[i] = greatest;
    }
  }
}

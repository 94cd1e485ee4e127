/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

import io.sparkstencil.error.Cancellation;
import io.sparkstencil.model.CellOrder; // floats only
import java.util.Arrays;

/**
 * Passes over float cells as plain loops, for JVMs without the Vector API. Sums are written so that
 * the compiler can vectorise them: offsets between taps are variables, because the compiler does
 * not vectorise constant offsets that overlap.
 */
class LoopF32Passes extends CellPasses {
  private static final int CHUNK_CELLS = 2048;

  /** What takes some hundredths of a second. */
  private static final int ADDITIONS_PER_QUESTION = 1 << 23;

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
      addTaps(cells, from + done, width, sums, at + done, count);
      divide(y, at + done, count, divisor); // floats only
    }
  }

  private static void addTaps(float[] x, int from, int width, float[] y, int at, int n) {
    int t = 0;
    int asking = tapsPerQuestion(n);
    for (; t + 8 <= width; t += 8) {
      if ((t & (asking - 1)) == asking - 8) {
        Cancellation.ask();
      }
      addEight(x, from + t, 1, y, at, n);
    }
    for (; t < width; t++) {
      addOne(x, from + t, y, at, n);
    }
  }

  /** Returns after how many taps it is asked whether they are wanted, a power of two from 8 on. */
  private static int tapsPerQuestion(int n) {
    return Math.max(8, Integer.highestOneBit(ADDITIONS_PER_QUESTION / Math.max(1, n)));
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

  /** Adds the product of a weight and each of {@code n} cells to as many sums. */
  void addProduct(float[] x, int from, float weight, float[] y, int at, int n) {
    for (int i = 0; i < n; i++) {
      y[at + i] += weight * x[from + i];
    }
  }

  @Override
  public void addTo(
      Object y, int at, int n, Object x, int from, int width, Object weights, int first) {
    if (weights == null) {
      addTaps((float[]) x, from, width, (float[]) y, at, n);
      return;
    }
    int asking = tapsPerQuestion(n);
    for (int t = 0; t < width; t++) {
      if ((t & (asking - 1)) == asking - 1) {
        Cancellation.ask();
      }
      addProduct((float[]) x, from + t, ((float[]) weights)[first + t], (float[]) y, at, n);
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
    divide(y, at, n, divisor); // floats only
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
      // A constant each, so that the compiler makes a loop of each.
      if (greatest) {
        chooseInBlock(cells, from + block, width, count, true);
      } else {
        chooseInBlock(cells, from + block, width, count, false);
      }
      for (int i = 0; i < count; i++) {
        float earlier = suffixes[i];
        float later = prefixes[i];
        boolean takeLater = greatest ? less(earlier, later) : less(later, earlier);
        chosen[at + block + i] = i > 0 && takeLater ? later : earlier;
      }
    }
  }

  /** Chooses among the last cells of a block, longest first, and the first cells of the next. */
  private void chooseInBlock(float[] x, int from, int width, int count, boolean greatest) {
    float chosen = x[from + width - 1];
    suffixes[width - 1] = chosen;
    for (int i = width - 2; i >= 0; i--) {
      float cell = x[from + i];
      chosen = (greatest ? less(cell, chosen) : less(chosen, cell)) ? chosen : cell;
      suffixes[i] = chosen;
    }
    chosen = x[from + width];
    for (int i = 1; i < count; i++) {
      float cell = x[from + width + i - 1];
      chosen = (greatest ? less(chosen, cell) : less(cell, chosen)) ? cell : chosen;
      prefixes[i] = chosen;
    }
  }

  private static boolean less(float a, float b) {
    return CellOrder.less(a, b); // floats only
    // ints only: return a < b;
  }

  @Override
  public void select(Object x, int from, byte[] validity, double identity, Object y, int n) {
    float[] cells = (float[]) x;
    float[] selected = (float[]) y;
    float none = (float) identity;
    for (int i = 0; i < n; i++) {
      selected[i] = validity[from + i] != 0 ? cells[from + i] : none;
    }
  }

  @Override
  public void divide(Object y, int at, int n, int divisor) {
    float[] sums = (float[]) y;
    if (divisor != 1) {
      for (int i = 0; i < n; i++) {
        sums[at + i] /= divisor;
      }
    }
  }

  @Override
  void divide(Object y, int at, int n, int[] counts) {
    float[] sums = (float[]) y;
    for (int i = 0; i < n; i++) {
      sums[at + i] = counts[i] == 0 ? 0 : sums[at + i] / counts[i];
    }
  }

  @Override
  void clearWhereNone(Object y, int at, int n, int[] counts) {
    float[] cells = (float[]) y;
    for (int i = 0; i < n; i++) {
      if (counts[i] == 0) {
        cells[at + i] = 0;
      }
    }
  }

  @Override
  void copyCounts(Object y, int at, int n, int[] counts) {
    float[] cells = (float[]) y;
    for (int i = 0; i < n; i++) {
      cells[at + i] = counts[i];
    }
  }
}

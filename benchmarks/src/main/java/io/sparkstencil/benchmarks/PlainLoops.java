/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks;

import io.sparkstencil.model.Reduction;
import java.util.Arrays;

/**
 * A stencil as one writes it in Java without a library, in the way that compilers turn into vector
 * instructions: tap by tap, each over as many cells as the first-level cache holds. Taps come from
 * left to right and sums begin at zero, so that results have the bits of exact accuracy.
 */
final class PlainLoops {
  private static final int CHUNK = 2048;

  private PlainLoops() {}

  /**
   * Returns one output for each position of the frame within {@code cells}.
   *
   * @param weights one for each tap; only their number matters but for weighted sums
   */
  static float[] apply(Reduction reduction, double[] weights, float[] cells) {
    float[] outputs = new float[cells.length - weights.length + 1];
    float[] chunk = new float[CHUNK];
    for (int from = 0; from < outputs.length; from += CHUNK) {
      int count = Math.min(CHUNK, outputs.length - from);
      begin(reduction, chunk, cells, from, count);
      for (int tap = 0; tap < weights.length; tap++) {
        switch (reduction) {
          case MIN -> min(chunk, cells, from + tap, count);
          case MAX -> max(chunk, cells, from + tap, count);
          case WEIGHTED_SUM -> addProducts(chunk, cells, from + tap, (float) weights[tap], count);
          default -> add(chunk, cells, from + tap, count);
        }
      }
      if (reduction == Reduction.MEAN) {
        divide(chunk, weights.length, count);
      }
      System.arraycopy(chunk, 0, outputs, from, count);
    }
    return outputs;
  }

  private static void begin(
      Reduction reduction, float[] chunk, float[] cells, int from, int count) {
    if (reduction == Reduction.MIN || reduction == Reduction.MAX) {
      System.arraycopy(cells, from, chunk, 0, count);
    } else {
      Arrays.fill(chunk, 0, count, 0);
    }
  }

  private static void add(float[] chunk, float[] cells, int first, int count) {
    for (int i = 0; i < count; i++) {
      chunk[i] += cells[first + i];
    }
  }

  private static void addProducts(
      float[] chunk, float[] cells, int first, float weight, int count) {
    for (int i = 0; i < count; i++) {
      chunk[i] += weight * cells[first + i];
    }
  }

  private static void min(float[] chunk, float[] cells, int first, int count) {
    for (int i = 0; i < count; i++) {
      chunk[i] = Math.min(chunk[i], cells[first + i]);
    }
  }

  private static void max(float[] chunk, float[] cells, int first, int count) {
    for (int i = 0; i < count; i++) {
      chunk[i] = Math.max(chunk[i], cells[first + i]);
    }
  }

  private static void divide(float[] chunk, float divisor, int count) {
    for (int i = 0; i < count; i++) {
      chunk[i] /= divisor;
    }
  }

  /** The same for doubles. */
  static double[] apply(Reduction reduction, double[] weights, double[] cells) {
    double[] outputs = new double[cells.length - weights.length + 1];
    double[] chunk = new double[CHUNK];
    for (int from = 0; from < outputs.length; from += CHUNK) {
      int count = Math.min(CHUNK, outputs.length - from);
      begin(reduction, chunk, cells, from, count);
      for (int tap = 0; tap < weights.length; tap++) {
        switch (reduction) {
          case MIN -> min(chunk, cells, from + tap, count);
          case MAX -> max(chunk, cells, from + tap, count);
          case WEIGHTED_SUM -> addProducts(chunk, cells, from + tap, weights[tap], count);
          default -> add(chunk, cells, from + tap, count);
        }
      }
      if (reduction == Reduction.MEAN) {
        divide(chunk, weights.length, count);
      }
      System.arraycopy(chunk, 0, outputs, from, count);
    }
    return outputs;
  }

  private static void begin(
      Reduction reduction, double[] chunk, double[] cells, int from, int count) {
    if (reduction == Reduction.MIN || reduction == Reduction.MAX) {
      System.arraycopy(cells, from, chunk, 0, count);
    } else {
      Arrays.fill(chunk, 0, count, 0);
    }
  }

  private static void add(double[] chunk, double[] cells, int first, int count) {
    for (int i = 0; i < count; i++) {
      chunk[i] += cells[first + i];
    }
  }

  private static void addProducts(
      double[] chunk, double[] cells, int first, double weight, int count) {
    for (int i = 0; i < count; i++) {
      chunk[i] += weight * cells[first + i];
    }
  }

  private static void min(double[] chunk, double[] cells, int first, int count) {
    for (int i = 0; i < count; i++) {
      chunk[i] = Math.min(chunk[i], cells[first + i]);
    }
  }

  private static void max(double[] chunk, double[] cells, int first, int count) {
    for (int i = 0; i < count; i++) {
      chunk[i] = Math.max(chunk[i], cells[first + i]);
    }
  }

  private static void divide(double[] chunk, double divisor, int count) {
    for (int i = 0; i < count; i++) {
      chunk[i] /= divisor;
    }
  }
}

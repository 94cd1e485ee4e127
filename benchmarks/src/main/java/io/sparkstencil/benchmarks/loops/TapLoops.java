/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.loops;

import io.sparkstencil.model.Reduction;
import java.util.Arrays;

/**
 * A stencil as one writes it in Java for a compiler that makes vector instructions of loops: tap by
 * tap, each over as many cells as the first-level cache holds, which are moved to the results' own
 * indices first, as HotSpot leaves loops over shifted indices scalar. Taps come from left to right
 * and sums begin at zero, so that results have the bits of exact accuracy.
 */
public final class TapLoops {
  private static final int CHUNK = 2048;

  private TapLoops() {}

  /**
   * Returns one output for each position of the frame within {@code cells}.
   *
   * @param weights one for each tap; only their number matters but for weighted sums
   */
  public static float[] apply(Reduction reduction, double[] weights, float[] cells) {
    float[] outputs = new float[cells.length - weights.length + 1];
    float[] results = new float[CHUNK];
    float[] shifted = new float[CHUNK];
    for (int from = 0; from < outputs.length; from += CHUNK) {
      int count = Math.min(CHUNK, outputs.length - from);
      if (reduction == Reduction.MIN || reduction == Reduction.MAX) {
        System.arraycopy(cells, from, results, 0, count);
      } else {
        Arrays.fill(results, 0, count, 0);
      }
      for (int tap = 0; tap < weights.length; tap++) {
        System.arraycopy(cells, from + tap, shifted, 0, count);
        switch (reduction) {
          case MIN -> min(results, shifted, count);
          case MAX -> max(results, shifted, count);
          case WEIGHTED_SUM -> addProducts(results, shifted, (float) weights[tap], count);
          default -> add(results, shifted, count);
        }
      }
      if (reduction == Reduction.MEAN) {
        divide(results, weights.length, count);
      }
      System.arraycopy(results, 0, outputs, from, count);
    }
    return outputs;
  }

  private static void add(float[] results, float[] cells, int count) {
    for (int i = 0; i < count; i++) {
      results[i] += cells[i];
    }
  }

  private static void addProducts(float[] results, float[] cells, float weight, int count) {
    for (int i = 0; i < count; i++) {
      results[i] += weight * cells[i];
    }
  }

  private static void min(float[] results, float[] cells, int count) {
    for (int i = 0; i < count; i++) {
      results[i] = Math.min(results[i], cells[i]);
    }
  }

  private static void max(float[] results, float[] cells, int count) {
    for (int i = 0; i < count; i++) {
      results[i] = Math.max(results[i], cells[i]);
    }
  }

  private static void divide(float[] results, float divisor, int count) {
    for (int i = 0; i < count; i++) {
      results[i] /= divisor;
    }
  }

  /**
   * Returns one output for each position of the frame within {@code cells}.
   *
   * @param weights one for each tap; only their number matters but for weighted sums
   */
  public static double[] apply(Reduction reduction, double[] weights, double[] cells) {
    double[] outputs = new double[cells.length - weights.length + 1];
    double[] results = new double[CHUNK];
    double[] shifted = new double[CHUNK];
    for (int from = 0; from < outputs.length; from += CHUNK) {
      int count = Math.min(CHUNK, outputs.length - from);
      if (reduction == Reduction.MIN || reduction == Reduction.MAX) {
        System.arraycopy(cells, from, results, 0, count);
      } else {
        Arrays.fill(results, 0, count, 0);
      }
      for (int tap = 0; tap < weights.length; tap++) {
        System.arraycopy(cells, from + tap, shifted, 0, count);
        switch (reduction) {
          case MIN -> min(results, shifted, count);
          case MAX -> max(results, shifted, count);
          case WEIGHTED_SUM -> addProducts(results, shifted, weights[tap], count);
          default -> add(results, shifted, count);
        }
      }
      if (reduction == Reduction.MEAN) {
        divide(results, weights.length, count);
      }
      System.arraycopy(results, 0, outputs, from, count);
    }
    return outputs;
  }

  private static void add(double[] results, double[] cells, int count) {
    for (int i = 0; i < count; i++) {
      results[i] += cells[i];
    }
  }

  private static void addProducts(double[] results, double[] cells, double weight, int count) {
    for (int i = 0; i < count; i++) {
      results[i] += weight * cells[i];
    }
  }

  private static void min(double[] results, double[] cells, int count) {
    for (int i = 0; i < count; i++) {
      results[i] = Math.min(results[i], cells[i]);
    }
  }

  private static void max(double[] results, double[] cells, int count) {
    for (int i = 0; i < count; i++) {
      results[i] = Math.max(results[i], cells[i]);
    }
  }

  private static void divide(double[] results, double divisor, int count) {
    for (int i = 0; i < count; i++) {
      results[i] /= divisor;
    }
  }
}

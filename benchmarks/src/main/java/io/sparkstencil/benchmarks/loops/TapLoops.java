/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.loops;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import java.lang.reflect.Array;

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
   * Returns one output for each position of the frame within {@code cells}, in an array of the same
   * class: {@code float[]} or {@code double[]}.
   *
   * @param fused whether a weighted sum rounds a product and its addition as one
   * @param weights one for each tap; only their number matters but for weighted sums
   */
  public static Object apply(Reduction reduction, boolean fused, double[] weights, Object cells) {
    ElementType type = ElementType.ofArrays(cells.getClass());
    int length = Array.getLength(cells) - weights.length + 1;
    Object outputs = type.newArray(length);
    Object results = type.newArray(CHUNK);
    Object shifted = type.newArray(CHUNK);
    Object zeros = type.newArray(CHUNK);
    boolean extremum = reduction == Reduction.MIN || reduction == Reduction.MAX;
    for (int from = 0; from < length; from += CHUNK) {
      int count = Math.min(CHUNK, length - from);
      System.arraycopy(extremum ? cells : zeros, extremum ? from : 0, results, 0, count);
      for (int tap = 0; tap < weights.length; tap++) {
        System.arraycopy(cells, from + tap, shifted, 0, count);
        if (fused) {
          fuse(results, shifted, weights[tap], count);
        } else if (results instanceof float[] floats) {
          take(reduction, floats, (float[]) shifted, (float) weights[tap], count);
        } else {
          take(reduction, (double[]) results, (double[]) shifted, weights[tap], count);
        }
      }
      if (reduction == Reduction.MEAN) {
        divide(results, weights.length, count);
      }
      System.arraycopy(results, 0, outputs, from, count);
    }
    return outputs;
  }

  private static void fuse(Object results, Object cells, double weight, int count) {
    if (results instanceof float[] floats) {
      float[] from = (float[]) cells;
      float narrow = (float) weight;
      for (int i = 0; i < count; i++) {
        floats[i] = Math.fma(narrow, from[i], floats[i]);
      }
    } else {
      double[] sums = (double[]) results;
      double[] from = (double[]) cells;
      for (int i = 0; i < count; i++) {
        sums[i] = Math.fma(weight, from[i], sums[i]);
      }
    }
  }

  private static void take(
      Reduction reduction, float[] results, float[] cells, float weight, int count) {
    switch (reduction) {
      case MIN -> {
        for (int i = 0; i < count; i++) {
          results[i] = Math.min(results[i], cells[i]);
        }
      }
      case MAX -> {
        for (int i = 0; i < count; i++) {
          results[i] = Math.max(results[i], cells[i]);
        }
      }
      case WEIGHTED_SUM -> {
        for (int i = 0; i < count; i++) {
          results[i] += weight * cells[i];
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          results[i] += cells[i];
        }
      }
    }
  }

  private static void take(
      Reduction reduction, double[] results, double[] cells, double weight, int count) {
    switch (reduction) {
      case MIN -> {
        for (int i = 0; i < count; i++) {
          results[i] = Math.min(results[i], cells[i]);
        }
      }
      case MAX -> {
        for (int i = 0; i < count; i++) {
          results[i] = Math.max(results[i], cells[i]);
        }
      }
      case WEIGHTED_SUM -> {
        for (int i = 0; i < count; i++) {
          results[i] += weight * cells[i];
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          results[i] += cells[i];
        }
      }
    }
  }

  private static void divide(Object results, int divisor, int count) {
    for (int i = 0; i < count; i++) {
      if (results instanceof float[] floats) {
        floats[i] /= divisor;
      } else {
        ((double[]) results)[i] /= divisor;
      }
    }
  }
}

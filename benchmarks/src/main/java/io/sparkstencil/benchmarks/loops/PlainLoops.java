/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.loops;

import io.sparkstencil.model.Reduction;

/**
 * A stencil as its definition says: a loop over outputs with a loop over taps inside. Taps come
 * from left to right, as in exact accuracy.
 */
final class PlainLoops {
  private PlainLoops() {}

  /**
   * Returns one output for each position of the frame within {@code cells}, in an array of the same
   * class: {@code float[]} or {@code double[]}.
   *
   * @param fused whether a weighted sum rounds a product and its addition as one
   * @param weights one for each tap; only their number matters but for weighted sums
   */
  static Object apply(Reduction reduction, boolean fused, double[] weights, Object cells) {
    if (cells instanceof double[] doubles) {
      double[] outputs = new double[doubles.length - weights.length + 1];
      for (int i = 0; i < outputs.length; i++) {
        outputs[i] = fused ? fused(weights, doubles, i) : output(reduction, weights, doubles, i);
      }
      return outputs;
    }
    float[] floats = (float[]) cells;
    float[] narrow = new float[weights.length];
    for (int tap = 0; tap < narrow.length; tap++) {
      narrow[tap] = (float) weights[tap];
    }
    float[] outputs = new float[floats.length - weights.length + 1];
    for (int i = 0; i < outputs.length; i++) {
      outputs[i] = fused ? fused(narrow, floats, i) : output(reduction, narrow, floats, i);
    }
    return outputs;
  }

  private static float fused(float[] weights, float[] cells, int first) {
    float sum = 0;
    for (int tap = 0; tap < weights.length; tap++) {
      sum = Math.fma(weights[tap], cells[first + tap], sum);
    }
    return sum;
  }

  private static double fused(double[] weights, double[] cells, int first) {
    double sum = 0;
    for (int tap = 0; tap < weights.length; tap++) {
      sum = Math.fma(weights[tap], cells[first + tap], sum);
    }
    return sum;
  }

  private static float output(Reduction reduction, float[] weights, float[] cells, int first) {
    boolean extremum = reduction == Reduction.MIN || reduction == Reduction.MAX;
    float output = extremum ? cells[first] : 0;
    switch (reduction) {
      case MIN -> {
        for (int tap = 1; tap < weights.length; tap++) {
          output = Math.min(output, cells[first + tap]);
        }
      }
      case MAX -> {
        for (int tap = 1; tap < weights.length; tap++) {
          output = Math.max(output, cells[first + tap]);
        }
      }
      case WEIGHTED_SUM -> {
        for (int tap = 0; tap < weights.length; tap++) {
          output += weights[tap] * cells[first + tap];
        }
      }
      default -> {
        for (int tap = 0; tap < weights.length; tap++) {
          output += cells[first + tap];
        }
      }
    }
    return reduction == Reduction.MEAN ? output / weights.length : output;
  }

  private static double output(Reduction reduction, double[] weights, double[] cells, int first) {
    boolean extremum = reduction == Reduction.MIN || reduction == Reduction.MAX;
    double output = extremum ? cells[first] : 0;
    switch (reduction) {
      case MIN -> {
        for (int tap = 1; tap < weights.length; tap++) {
          output = Math.min(output, cells[first + tap]);
        }
      }
      case MAX -> {
        for (int tap = 1; tap < weights.length; tap++) {
          output = Math.max(output, cells[first + tap]);
        }
      }
      case WEIGHTED_SUM -> {
        for (int tap = 0; tap < weights.length; tap++) {
          output += weights[tap] * cells[first + tap];
        }
      }
      default -> {
        for (int tap = 0; tap < weights.length; tap++) {
          output += cells[first + tap];
        }
      }
    }
    return reduction == Reduction.MEAN ? output / weights.length : output;
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.loops;

import io.sparkstencil.model.Reduction;

/**
 * A stencil as its definition says: a loop over outputs with a loop over taps inside. Taps come
 * from left to right, as in exact accuracy.
 */
public final class PlainLoops {
  private PlainLoops() {}

  /**
   * Returns one output for each position of the frame within {@code cells}.
   *
   * @param weights one for each tap; only their number matters but for weighted sums
   */
  public static float[] apply(Reduction reduction, float[] weights, float[] cells) {
    float[] outputs = new float[cells.length - weights.length + 1];
    for (int i = 0; i < outputs.length; i++) {
      outputs[i] =
          switch (reduction) {
            case MIN -> min(cells, i, weights.length);
            case MAX -> max(cells, i, weights.length);
            case WEIGHTED_SUM -> weightedSum(cells, i, weights);
            case MEAN -> sum(cells, i, weights.length) / weights.length;
            default -> sum(cells, i, weights.length);
          };
    }
    return outputs;
  }

  private static float sum(float[] cells, int first, int taps) {
    float sum = 0;
    for (int tap = 0; tap < taps; tap++) {
      sum += cells[first + tap];
    }
    return sum;
  }

  private static float weightedSum(float[] cells, int first, float[] weights) {
    float sum = 0;
    for (int tap = 0; tap < weights.length; tap++) {
      sum += weights[tap] * cells[first + tap];
    }
    return sum;
  }

  private static float min(float[] cells, int first, int taps) {
    float least = cells[first];
    for (int tap = 1; tap < taps; tap++) {
      least = Math.min(least, cells[first + tap]);
    }
    return least;
  }

  private static float max(float[] cells, int first, int taps) {
    float greatest = cells[first];
    for (int tap = 1; tap < taps; tap++) {
      greatest = Math.max(greatest, cells[first + tap]);
    }
    return greatest;
  }

  /**
   * Returns one output for each position of the frame within {@code cells}.
   *
   * @param weights one for each tap; only their number matters but for weighted sums
   */
  public static double[] apply(Reduction reduction, double[] weights, double[] cells) {
    double[] outputs = new double[cells.length - weights.length + 1];
    for (int i = 0; i < outputs.length; i++) {
      outputs[i] =
          switch (reduction) {
            case MIN -> min(cells, i, weights.length);
            case MAX -> max(cells, i, weights.length);
            case WEIGHTED_SUM -> weightedSum(cells, i, weights);
            case MEAN -> sum(cells, i, weights.length) / weights.length;
            default -> sum(cells, i, weights.length);
          };
    }
    return outputs;
  }

  private static double sum(double[] cells, int first, int taps) {
    double sum = 0;
    for (int tap = 0; tap < taps; tap++) {
      sum += cells[first + tap];
    }
    return sum;
  }

  private static double weightedSum(double[] cells, int first, double[] weights) {
    double sum = 0;
    for (int tap = 0; tap < weights.length; tap++) {
      sum += weights[tap] * cells[first + tap];
    }
    return sum;
  }

  private static double min(double[] cells, int first, int taps) {
    double least = cells[first];
    for (int tap = 1; tap < taps; tap++) {
      least = Math.min(least, cells[first + tap]);
    }
    return least;
  }

  private static double max(double[] cells, int first, int taps) {
    double greatest = cells[first];
    for (int tap = 1; tap < taps; tap++) {
      greatest = Math.max(greatest, cells[first + tap]);
    }
    return greatest;
  }
}

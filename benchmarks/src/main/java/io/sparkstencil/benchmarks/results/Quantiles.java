/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.results;

import java.util.Collection;

/** What repeated measurements come to. */
public final class Quantiles {
  private Quantiles() {}

  /** Returns the measurement that {@code share} of the others, 0 to 1, do not exceed. */
  public static double of(Collection<Double> values, double share) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return sorted[(int) Math.round(share * (sorted.length - 1))];
  }

  public static double median(Collection<Double> values) {
    return of(values, 0.5);
  }

  /** Returns (p90 - p10) / median. */
  public static double spread(Collection<Double> values) {
    return (of(values, 0.9) - of(values, 0.1)) / median(values);
  }
}

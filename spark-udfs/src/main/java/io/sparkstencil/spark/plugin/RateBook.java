/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

/**
 * How long an engine has really taken, over what was estimated: a moving average over partitions.
 * Safe for many threads.
 */
final class RateBook {
  private static final double WEIGHT = 0.125;
  private static final double MOST = 8;

  /** Partitions below this size say more about fixed costs than about rates. */
  private static final long LEAST_CELLS = 1 << 18;

  private double logarithm;
  private long partitions;

  /** Returns measured over estimated time; 1 before anything was measured. */
  synchronized double correction() {
    return Math.exp(logarithm);
  }

  /** Returns the number of partitions measured. */
  synchronized long partitions() {
    return partitions;
  }

  /** Adds one partition. */
  synchronized void observe(long cells, double estimatedNanos, double measuredNanos) {
    if (cells < LEAST_CELLS || !(estimatedNanos > 0) || !(measuredNanos > 0)) {
      return;
    }
    double ratio = Math.log(measuredNanos / estimatedNanos);
    double bounded = Math.max(-Math.log(MOST), Math.min(Math.log(MOST), ratio));
    logarithm += (partitions == 0 ? 1 : WEIGHT) * (bounded - logarithm);
    partitions++;
  }
}

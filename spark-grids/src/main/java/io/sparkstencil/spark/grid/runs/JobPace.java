/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import java.util.concurrent.TimeUnit;

/**
 * How many supersteps one job takes: more than one only if no faces leave the executor, and so many
 * that starting jobs costs little, while progress is seen and a cancelled job ends soon. Also how
 * long a superstep takes.
 */
final class JobPace {
  // starting a job takes some 15 ms on two executors, and more on more
  private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(1000);
  private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(3000);
  private static final int MOST = 256;

  /**
   * What blocks that come back take at once: tasks of their executor wait for its cores meanwhile,
   * and Spark takes them elsewhere after {@code spark.locality.wait}, 3 s, where they lack what
   * this executor has. Its code may be cold.
   */
  private static final long REPLAY_NANOS = TimeUnit.MILLISECONDS.toNanos(1000);

  /** The part by which supersteps become slower at most, as one may wait for lost blocks. */
  private static final int SLOWER = 10;

  private int supersteps = 1;
  private long usualNanos;

  /** Returns the supersteps of the next job. */
  int supersteps() {
    return supersteps;
  }

  /**
   * Returns how many supersteps blocks may take in one job that come back on one executor.
   *
   * @param crowd how many times as many they are as an executor usually has
   */
  int atOnce(double crowd) {
    return usualNanos == 0
        ? 1
        : (int) Math.max(1, Math.min(MOST, REPLAY_NANOS / (usualNanos * Math.max(1, crowd))));
  }

  /** Returns how long a superstep takes in which no block is brought back. */
  double superstepSeconds() {
    return usualNanos * 1e-9;
  }

  /** Learns how long some supersteps took. */
  void took(int count, long nanos) {
    long each = nanos / count;
    usualNanos = usualNanos == 0 ? each : Math.min(each, usualNanos + usualNanos / SLOWER);
    if (count != supersteps) {
      return;
    }
    if (nanos < SHORT_NANOS) {
      supersteps = Math.min(MOST, 2 * supersteps);
    } else if (nanos > LONG_NANOS) {
      supersteps = Math.max(1, supersteps / 2);
    }
  }
}

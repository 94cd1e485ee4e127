/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import java.util.concurrent.TimeUnit;

/**
 * How many supersteps one job takes: more than one only if no faces leave the executor, and so many
 * that starting jobs costs little, while progress is seen and a cancelled job ends soon.
 */
final class JobPace {
  private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int MOST = 256;

  private int supersteps = 1;

  /** Returns the supersteps of the next job. */
  int supersteps() {
    return supersteps;
  }

  /** Learns how long a job of {@link #supersteps} took. */
  void took(long nanos) {
    if (nanos < SHORT_NANOS) {
      supersteps = Math.min(MOST, 2 * supersteps);
    } else if (nanos > LONG_NANOS) {
      supersteps = Math.max(1, supersteps / 2);
    }
  }
}

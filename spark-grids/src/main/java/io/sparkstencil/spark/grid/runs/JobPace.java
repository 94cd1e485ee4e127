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
  private static final int LONG = 3; // times as long
  private static final int MOST = 256;

  /** Of the time for which Spark has tasks wait, the part that they do: code may be cold. */
  private static final int WAITING = 3;

  /** The part by which supersteps become slower at most, as one may wait for lost blocks. */
  private static final int SLOWER = 10;

  private final long shortNanos;
  private int supersteps = 1;
  private double usualNanos; // of a superstep, for each block of the executor with the most
  private int usualBlocks;

  /**
   * Creates a pace of which nothing is known.
   *
   * @param waitNanos for which Spark has a task wait until its executor has a core, before it takes
   *     it elsewhere, where what its block shares with others is lacking; 0 or less if it does not
   */
  JobPace(long waitNanos) {
    shortNanos = waitNanos <= 0 ? SHORT_NANOS : Math.min(SHORT_NANOS, waitNanos / WAITING);
  }

  /** Returns how long a job takes at least, if it may take many supersteps. */
  long shortNanos() {
    return shortNanos;
  }

  /** Returns the supersteps of the next job. */
  int supersteps() {
    return supersteps;
  }

  /**
   * Returns how many supersteps blocks may take in one job that come back on one executor: its
   * tasks wait for its cores meanwhile.
   *
   * @param blocks how many they are; fewer than usual may still have one core
   */
  int atOnce(int blocks) {
    return usualNanos == 0
        ? 1
        : (int)
            Math.max(1, Math.min(MOST, shortNanos / (usualNanos * Math.max(usualBlocks, blocks))));
  }

  /**
   * Returns how long a superstep takes in which no block is brought back, for each block that the
   * executor with the most has.
   */
  double blockSeconds() {
    return usualNanos * 1e-9;
  }

  /**
   * Learns how long some supersteps took.
   *
   * @param blocks those of the executor that had the most
   */
  void took(int count, long nanos, int blocks) {
    double each = (double) nanos / count / blocks;
    usualNanos = usualNanos == 0 ? each : Math.min(each, usualNanos + usualNanos / SLOWER);
    usualBlocks = blocks;
    if (count != supersteps) {
      return;
    }
    if (nanos < shortNanos) {
      supersteps = Math.min(MOST, 2 * supersteps);
    } else if (nanos > LONG * shortNanos) {
      supersteps = Math.max(1, supersteps / 2);
    }
  }
}

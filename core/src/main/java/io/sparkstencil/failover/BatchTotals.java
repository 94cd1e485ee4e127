/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.failover;

/** What the lanes of a {@link FailoverEngine} have done. Used by the task's thread. */
public final class BatchTotals {
  private long batches;
  private long outputCells;
  private long stagedBytes;
  private long engineNanos;

  void batch(long cells, long bytes) {
    batches++;
    outputCells += cells;
    stagedBytes += bytes;
  }

  void engine(long nanos) {
    engineNanos += nanos;
  }

  /** Returns the number of batches. */
  public long batches() {
    return batches;
  }

  /** Returns the output cells of all batches and stencils. */
  public long outputCells() {
    return outputCells;
  }

  /** Returns the bytes of cells staged, halos included. */
  public long stagedBytes() {
    return stagedBytes;
  }

  /** Returns the nanoseconds spent submitting to engines and waiting for them. */
  public long engineNanos() {
    return engineNanos;
  }
}

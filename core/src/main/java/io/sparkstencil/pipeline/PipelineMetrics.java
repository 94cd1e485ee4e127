/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.pipeline;

/**
 * What a pipeline has done: counters that its owner reads, reports and adds up. Not thread-safe.
 */
public final class PipelineMetrics {
  private long batches;
  private long outputCells;
  private long stagedBytes;
  private long stageNanos;
  private long waitNanos;
  private long unstageNanos;

  void batch(long cells, long bytes) {
    batches++;
    outputCells += cells;
    stagedBytes += bytes;
  }

  void staged(long nanos) {
    stageNanos += nanos;
  }

  void waited(long nanos) {
    waitNanos += nanos;
  }

  void unstaged(long nanos) {
    unstageNanos += nanos;
  }

  /** Returns the number of batches submitted. */
  public long batches() {
    return batches;
  }

  /** Returns the output cells computed, per stencil. */
  public long outputCells() {
    return outputCells;
  }

  /** Returns the bytes of cells staged, halos included. */
  public long stagedBytes() {
    return stagedBytes;
  }

  /** Returns the nanoseconds spent copying cells into staging buffers. */
  public long stageNanos() {
    return stageNanos;
  }

  /** Returns the nanoseconds spent submitting to and waiting for the engine. */
  public long waitNanos() {
    return waitNanos;
  }

  /** Returns the nanoseconds spent copying results out. */
  public long unstageNanos() {
    return unstageNanos;
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.failover;

import io.sparkstencil.engine.DeviceTimes;

/** What the lanes of a {@link FailoverEngine} have done. Used by the task's thread. */
public final class BatchTotals {
  private long batches;
  private long outputCells;
  private long stagedBytes;
  private long engineNanos;
  private DeviceTimes deviceTimes = DeviceTimes.NONE;

  void batch(long cells, long bytes) {
    batches++;
    outputCells += cells;
    stagedBytes += bytes;
  }

  void engine(long nanos) {
    engineNanos += nanos;
  }

  void device(DeviceTimes times) {
    deviceTimes = deviceTimes.plus(times);
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

  /** Returns what devices have spent on the batches of lanes that are closed. */
  public DeviceTimes deviceTimes() {
    return deviceTimes;
  }
}

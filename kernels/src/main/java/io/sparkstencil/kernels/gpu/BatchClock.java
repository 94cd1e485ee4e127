/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.cuda.CudaEvent;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.engine.DeviceTimes;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells what a device spends on the batches of one slot. Only the first of every {@value #EVERY} is
 * timed, because events that record the time hold up the copies.
 */
final class BatchClock implements AutoCloseable {
  private static final int EVERY = 16;
  private static final int POINTS = 4; // start, copied in, computed, copied out

  private final PrimaryContext context;
  private final List<CudaEvent> points = new ArrayList<>();
  private long batches;
  private long cells;
  private long timedCells;
  private DeviceTimes timed = DeviceTimes.NONE;
  private int next; // point of the batch underway
  private int batchCells;

  BatchClock(PrimaryContext context) {
    this.context = context;
  }

  /** Begins a batch. */
  void begin(int newBatchCells) {
    batchCells = newBatchCells;
    next = batches++ % EVERY == 0 ? 0 : POINTS;
    while (next == 0 && points.size() < POINTS) {
      points.add(context.newEvent());
    }
  }

  /** Marks the next point of the batch, if it is timed. */
  void mark(CudaStream stream) {
    if (next < POINTS) {
      points.get(next++).record(stream);
      if (next == POINTS) {
        next++; // tells a batch that was timed to its end
      }
    }
  }

  /** Counts the batch in; the device is done with it. */
  void end() {
    cells += batchCells;
    if (next > POINTS) {
      next = POINTS;
      timedCells += batchCells;
      timed = timed.plus(new DeviceTimes(nanos(0), nanos(1), nanos(2)));
    }
  }

  private long nanos(int from) {
    return Math.round(points.get(from + 1).millisSince(points.get(from)) * 1e6);
  }

  /** Returns the estimate for all batches that have ended. */
  DeviceTimes estimate() {
    if (timedCells == 0) {
      return DeviceTimes.NONE;
    }
    double factor = (double) cells / timedCells;
    return new DeviceTimes(
        Math.round(timed.copyInNanos() * factor),
        Math.round(timed.kernelNanos() * factor),
        Math.round(timed.copyOutNanos() * factor));
  }

  @Override
  public void close() {
    points.forEach(CudaEvent::close);
    points.clear();
  }
}

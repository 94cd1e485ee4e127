/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import java.util.concurrent.locks.LockSupport;
import jcuda.driver.CUevent;
import jcuda.driver.CUresult;

/** A point in a stream that can be waited for, and that records when it was reached. */
public final class CudaEvent extends DriverHandle {
  private static final int DEFAULT = 0;
  private static final int DISABLE_TIMING = 2;

  /** A waiting thread asks again and again for so long; longer waits give the core away. */
  private static final long SPIN_NANOS = 200_000;

  private static final long PARK_NANOS = 20_000;
  private static final long LONGEST_PARK_NANOS = 200_000;

  /** Long waits are noticed late by such a part of them at most. */
  private static final int LATE_PART = 64;

  final CUevent event;

  private CudaEvent(PrimaryContext context, CUevent event) {
    super(context);
    this.event = event;
  }

  /**
   * Makes an event.
   *
   * @param timed whether it records when it was reached, which holds up the device's copies
   */
  static CudaEvent create(PrimaryContext context, boolean timed) {
    CUevent event = new CUevent();
    int flags = timed ? DEFAULT : DISABLE_TIMING;
    context.call("cuEventCreate", context::toString, driver -> driver.eventCreate(event, flags));
    return new CudaEvent(context, event);
  }

  /** Marks the end of what has been submitted to {@code stream} so far. */
  public void record(CudaStream stream) {
    stream.requireOpen();
    context.call(this, "cuEventRecord", driver -> driver.eventRecord(event, stream.stream));
  }

  /**
   * Waits until the point is reached; at once if the event was never recorded. Asks the driver
   * again and again: being woken by it takes longer than most waits.
   */
  public void synchronize() {
    context.enter();
    try {
      long start = System.nanoTime();
      while (!isReached()) {
        long waited = System.nanoTime() - start;
        if (waited < SPIN_NANOS) {
          Thread.onSpinWait();
        } else {
          long late = Math.min(LONGEST_PARK_NANOS, waited / LATE_PART);
          LockSupport.parkNanos(Math.max(PARK_NANOS, late));
        }
      }
    } finally {
      context.leave();
    }
  }

  /** Tells whether the point has been reached. */
  public boolean isReached() {
    int[] result = new int[1];
    context.call(
        this,
        "cuEventQuery",
        driver -> {
          result[0] = driver.eventQuery(event);
          return result[0] == CUresult.CUDA_ERROR_NOT_READY ? CUresult.CUDA_SUCCESS : result[0];
        });
    return result[0] == CUresult.CUDA_SUCCESS;
  }

  /** Returns the milliseconds from {@code start} to this event; both have been reached. */
  public double millisSince(CudaEvent start) {
    start.requireOpen();
    float[] millis = new float[1];
    context.call(
        this, "cuEventElapsedTime", driver -> driver.eventElapsedTime(millis, start.event, event));
    return millis[0];
  }

  @Override
  int free(DriverCalls driver) {
    return driver.eventDestroy(event);
  }
}

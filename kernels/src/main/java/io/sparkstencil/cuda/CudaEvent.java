/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import jcuda.driver.CUevent;
import jcuda.driver.CUresult;

/** A point in a stream that can be waited for, and that records when it was reached. */
public final class CudaEvent extends DriverHandle {
  private static final int BLOCKING_SYNC = 1;

  final CUevent event;

  private CudaEvent(PrimaryContext context, CUevent event) {
    super(context);
    this.event = event;
  }

  /** Makes an event whose waiters sleep, so that a core is free while its task waits. */
  static CudaEvent create(PrimaryContext context) {
    CUevent event = new CUevent();
    context.call(
        "cuEventCreate", context::toString, driver -> driver.eventCreate(event, BLOCKING_SYNC));
    return new CudaEvent(context, event);
  }

  /** Marks the end of what has been submitted to {@code stream} so far. */
  public void record(CudaStream stream) {
    stream.requireOpen();
    context.call(this, "cuEventRecord", driver -> driver.eventRecord(event, stream.stream));
  }

  /** Waits until the point is reached; at once if the event was never recorded. */
  public void synchronize() {
    context.call(this, "cuEventSynchronize", driver -> driver.eventSynchronize(event));
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

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import jcuda.driver.CUevent;
import jcuda.driver.CUstream;

/** The streams and events of a {@link FakeGpu}: all is done at once, so they do nothing. */
abstract class FakeStreams extends DriverCalls {
  /** Counts a call that needs a context; returns its result. */
  abstract int resultInContext(String call);

  @Override
  int streamCreate(CUstream stream) {
    return resultInContext("streamCreate");
  }

  @Override
  int streamDestroy(CUstream stream) {
    return resultInContext("streamDestroy");
  }

  @Override
  int streamSynchronize(CUstream stream) {
    return resultInContext("streamSynchronize");
  }

  @Override
  int streamWaitEvent(CUstream stream, CUevent event) {
    return resultInContext("streamWaitEvent");
  }

  @Override
  int eventCreate(CUevent event, int flags) {
    return resultInContext("eventCreate");
  }

  @Override
  int eventDestroy(CUevent event) {
    return resultInContext("eventDestroy");
  }

  @Override
  int eventRecord(CUevent event, CUstream stream) {
    return resultInContext("eventRecord");
  }
}

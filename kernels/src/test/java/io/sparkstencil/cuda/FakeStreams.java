/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;

/**
 * The streams and events of a {@link FakeGpu}, where all is done at once, so that they do nothing,
 * and its pinned memory.
 */
abstract class FakeStreams extends DriverCalls {
  private static final int GREATEST_PRIORITY = -5;

  private final Map<CUevent, Double> recorded =
      Collections.synchronizedMap(new IdentityHashMap<>());
  private final Map<CUgraph, List<IntSupplier>> graphs =
      Collections.synchronizedMap(new IdentityHashMap<>());
  private final Map<CUgraphExec, List<IntSupplier>> executables =
      Collections.synchronizedMap(new IdentityHashMap<>());
  private DoubleSupplier clock; // or null
  private List<IntSupplier> recording; // or null

  /** Sets the clock that events read, in milliseconds; without one, any two are 1 ms apart. */
  public final void clock(DoubleSupplier milliseconds) {
    clock = milliseconds;
  }

  /** Counts a call that needs a context; returns its result. */
  abstract int resultInContext(String call);

  @Override
  int ctxResetPersistingL2Cache() {
    return resultInContext("ctxResetPersistingL2Cache");
  }

  @Override
  int streamCreate(CUstream stream) {
    return resultInContext("streamCreate");
  }

  @Override
  int ctxGetStreamPriorityRange(int[] least, int[] greatest) {
    least[0] = 0;
    greatest[0] = GREATEST_PRIORITY;
    return resultInContext("ctxGetStreamPriorityRange");
  }

  @Override
  int streamCreateWithPriority(CUstream stream, int priority) {
    int created = resultInContext("streamCreateWithPriority");
    return priority == GREATEST_PRIORITY ? created : CUresult.CUDA_ERROR_INVALID_VALUE;
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

  final boolean isRecording() {
    return recording != null;
  }

  /** Keeps a launch for a graph. */
  final void keep(IntSupplier launch) {
    recording.add(launch);
  }

  @Override
  int streamBeginCapture(CUstream stream) {
    recording = new ArrayList<>();
    return resultInContext("streamBeginCapture");
  }

  @Override
  int streamEndCapture(CUstream stream, CUgraph graph) {
    graphs.put(graph, recording);
    recording = null;
    return resultInContext("streamEndCapture");
  }

  @Override
  int graphInstantiate(CUgraphExec executable, CUgraph graph) {
    executables.put(executable, graphs.get(graph));
    return resultInContext("graphInstantiate");
  }

  @Override
  int graphDestroy(CUgraph graph) {
    graphs.remove(graph);
    return resultInContext("graphDestroy");
  }

  @Override
  int graphLaunch(CUgraphExec executable, CUstream stream) {
    int first =
        executables.get(executable).stream()
            .mapToInt(IntSupplier::getAsInt)
            .filter(result -> result != CUresult.CUDA_SUCCESS)
            .findFirst()
            .orElse(CUresult.CUDA_SUCCESS);
    int result = resultInContext("graphLaunch");
    return first == CUresult.CUDA_SUCCESS ? result : first;
  }

  @Override
  int graphExecDestroy(CUgraphExec executable) {
    executables.remove(executable);
    return resultInContext("graphExecDestroy");
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
    if (clock != null) {
      recorded.put(event, clock.getAsDouble());
    }
    return resultInContext("eventRecord");
  }

  @Override
  int eventElapsedTime(float[] millis, CUevent start, CUevent end) {
    millis[0] = clock == null ? 1 : (float) (recorded.get(end) - recorded.get(start));
    return resultInContext("eventElapsedTime");
  }

  @Override
  int memHostAlloc(Pointer[] pointer, long bytes) {
    pointer[0] = Pointer.to(ByteBuffer.allocateDirect((int) bytes));
    return resultInContext("memHostAlloc");
  }

  @Override
  int memHostGetDevicePointer(CUdeviceptr address, Pointer pointer) {
    return resultInContext("memHostGetDevicePointer");
  }

  @Override
  int memFreeHost(Pointer pointer) {
    return resultInContext("memFreeHost");
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import java.nio.ByteBuffer;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;

/** Copies within a memory that all devices, and all processes, have in common. */
abstract class FakeCopies extends FakeStreams {
  final FakeMemory memory = new FakeMemory();
  private boolean peersReach = true;

  /** Counts a call and returns its result. */
  abstract int result(String call);

  /** Does the work of a call that needs a current context. */
  abstract int guarded(String call, Runnable work);

  /** Returns the device of a context. */
  abstract int ordinalOf(CUcontext context);

  /** Returns the device of the current context. */
  abstract int currentOrdinal();

  /** Sets whether devices read each other's memory without the host. */
  public void peersReach(boolean reach) {
    peersReach = reach;
  }

  @Override
  int memcpyHtoDAsync(long device, Pointer host, long bytes, CUstream stream) {
    return guarded("memcpyHtoDAsync", () -> memory.copyIn(device, host.getByteBuffer(0, bytes)));
  }

  @Override
  int memcpyDtoHAsync(Pointer host, long device, long bytes, CUstream stream) {
    return guarded(
        "memcpyDtoHAsync", () -> host.getByteBuffer(0, bytes).put(memory.at(device, bytes)));
  }

  @Override
  int memcpyDtoDAsync(long target, long source, long bytes, CUstream stream) {
    return guarded("memcpyDtoDAsync", () -> memory.copy(target, source, bytes));
  }

  @Override
  int memcpy3DAsync(Pitched to, Pitched from, long bytes, long rows, long planes, CUstream stream) {
    return guarded("memcpy3DAsync", () -> memory.copyBox(to, from, bytes, rows, planes));
  }

  @Override
  int deviceCanAccessPeer(int[] can, CUdevice device, CUdevice peer) {
    can[0] = peersReach ? 1 : 0;
    return result("deviceCanAccessPeer");
  }

  @Override
  int ctxEnablePeerAccess(CUcontext peer) {
    return ordinalOf(peer) == currentOrdinal()
        ? CUresult.CUDA_ERROR_INVALID_DEVICE
        : resultInContext("ctxEnablePeerAccess");
  }

  @Override
  int memcpyPeerAsync(
      long target, CUcontext at, long source, CUcontext from, long bytes, CUstream stream) {
    return isOf(target, at) && isOf(source, from)
        ? guarded("memcpyPeerAsync", () -> memory.copy(target, source, bytes))
        : CUresult.CUDA_ERROR_INVALID_VALUE;
  }

  @Override
  int memcpy3DPeerAsync(
      Pitched to,
      CUcontext at,
      Pitched from,
      CUcontext there,
      long bytes,
      long rows,
      long planes,
      CUstream stream) {
    return isOf(to.address(), at) && isOf(from.address(), there)
        ? guarded("memcpy3DPeerAsync", () -> memory.copyBox(to, from, bytes, rows, planes))
        : CUresult.CUDA_ERROR_INVALID_VALUE;
  }

  private boolean isOf(long address, CUcontext context) {
    return memory.ownerOf(address) == ordinalOf(context);
  }

  /** A handle is the address, which all processes have in common. */
  @Override
  int ipcGetMemHandle(byte[][] handle, CUdeviceptr pointer) {
    handle[0] = ByteBuffer.allocate(64).putLong(PooledBuffer.address(pointer)).array();
    return resultInContext("ipcGetMemHandle");
  }

  @Override
  int ipcOpenMemHandle(CUdeviceptr[] pointer, byte[] handle) {
    pointer[0] = new CUdeviceptr().withByteOffset(ByteBuffer.wrap(handle).getLong());
    return resultInContext("ipcOpenMemHandle");
  }

  @Override
  int ipcCloseMemHandle(CUdeviceptr pointer) {
    return resultInContext("ipcCloseMemHandle");
  }

  @Override
  int memsetD8Async(long device, byte value, long bytes, CUstream stream) {
    return guarded("memsetD8Async", () -> memory.fill(device, bytes, value));
  }
}

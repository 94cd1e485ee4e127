/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.CUstream;

/**
 * The driver's functions that this library calls, under their names without {@code cu}. Each
 * returns the driver's result code and throws nothing. An interface so that tests can run every
 * layer above it, and every failure, on a machine without a GPU.
 */
interface DriverCalls {
  int init();

  int driverGetVersion(int[] version);

  int deviceGetCount(int[] count);

  int deviceGet(CUdevice device, int ordinal);

  int deviceGetName(byte[] name, CUdevice device);

  int deviceGetPciBusId(String[] id, CUdevice device);

  int deviceGetUuid(byte[][] uuid, CUdevice device);

  int deviceTotalMem(long[] bytes, CUdevice device);

  int deviceGetAttribute(int[] value, int attribute, CUdevice device);

  int devicePrimaryCtxRetain(CUcontext context, CUdevice device);

  int devicePrimaryCtxRelease(CUdevice device);

  int ctxPushCurrent(CUcontext context);

  int ctxPopCurrent(CUcontext context);

  int memGetInfo(long[] free, long[] total);

  int memAlloc(CUdeviceptr[] pointer, long bytes);

  int memFree(CUdeviceptr pointer);

  /** Reads an attribute of memory, of any library in this process; needs no current context. */
  int pointerGetAttribute(int[] value, int attribute, long address);

  /** Allocates pinned memory; {@code pointer[0]} has a byte buffer over all of it. */
  int memHostAlloc(Pointer[] pointer, long bytes);

  int memFreeHost(Pointer pointer);

  int memcpyHtoDAsync(long device, Pointer host, long bytes, CUstream stream);

  int memcpyDtoHAsync(Pointer host, long device, long bytes, CUstream stream);

  int memcpyDtoDAsync(long target, long source, long bytes, CUstream stream);

  int memsetD8Async(long device, byte value, long bytes, CUstream stream);

  int streamCreate(CUstream stream);

  int streamDestroy(CUstream stream);

  int streamSynchronize(CUstream stream);

  int eventCreate(CUevent event, int flags);

  int eventDestroy(CUevent event);

  int eventRecord(CUevent event, CUstream stream);

  int eventQuery(CUevent event);

  int eventElapsedTime(float[] millis, CUevent start, CUevent end);

  /** Compiles PTX; {@code log[0]} is what the compiler said. */
  int moduleLoad(CUmodule module, String ptx, String[] log);

  int moduleUnload(CUmodule module);

  int moduleGetFunction(CUfunction function, CUmodule module, String name);

  int funcGetAttribute(int[] value, int attribute, CUfunction function);

  int funcSetAttribute(CUfunction function, int attribute, int value);

  int occupancyMaxActiveBlocks(int[] blocks, CUfunction function, int threads, long sharedBytes);

  /** Launches a grid; each argument is 8 bytes, of which a kernel reads its part. */
  int launchKernel(CUfunction function, LaunchShape shape, CUstream stream, long[] args);

  /** Returns the driver's name of a result code. */
  String errorName(int result);
}

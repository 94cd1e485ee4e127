/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import java.nio.charset.StandardCharsets;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUfunction;
import jcuda.driver.CUjit_option;
import jcuda.driver.CUmodule;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.CUuuid;
import jcuda.driver.JCudaDriver;
import jcuda.driver.JITOptions;

/** The real driver, through JCuda. Its natives must have been loaded. */
final class JcudaCalls implements DriverCalls {
  /** Streams do not wait for the legacy default stream: CU_STREAM_NON_BLOCKING. */
  private static final int NON_BLOCKING = 1;

  private static final int LOG_BYTES = 16 * 1024;

  JcudaCalls() {
    JCudaDriver.setExceptionsEnabled(false);
  }

  private static CUdeviceptr at(long address) {
    return new CUdeviceptr().withByteOffset(address);
  }

  @Override
  public int init() {
    return JCudaDriver.cuInit(0);
  }

  @Override
  public int driverGetVersion(int[] version) {
    return JCudaDriver.cuDriverGetVersion(version);
  }

  @Override
  public int deviceGetCount(int[] count) {
    return JCudaDriver.cuDeviceGetCount(count);
  }

  @Override
  public int deviceGet(CUdevice device, int ordinal) {
    return JCudaDriver.cuDeviceGet(device, ordinal);
  }

  @Override
  public int deviceGetName(byte[] name, CUdevice device) {
    return JCudaDriver.cuDeviceGetName(name, name.length, device);
  }

  @Override
  public int deviceGetPciBusId(String[] id, CUdevice device) {
    return JCudaDriver.cuDeviceGetPCIBusId(id, 32, device);
  }

  @Override
  public int deviceGetUuid(byte[][] uuid, CUdevice device) {
    CUuuid id = new CUuuid();
    int result = JCudaDriver.cuDeviceGetUuid(id, device);
    uuid[0] = id.bytes;
    return result;
  }

  @Override
  public int deviceTotalMem(long[] bytes, CUdevice device) {
    return JCudaDriver.cuDeviceTotalMem(bytes, device);
  }

  @Override
  public int deviceGetAttribute(int[] value, int attribute, CUdevice device) {
    return JCudaDriver.cuDeviceGetAttribute(value, attribute, device);
  }

  @Override
  public int devicePrimaryCtxRetain(CUcontext context, CUdevice device) {
    return JCudaDriver.cuDevicePrimaryCtxRetain(context, device);
  }

  @Override
  public int devicePrimaryCtxRelease(CUdevice device) {
    return JCudaDriver.cuDevicePrimaryCtxRelease(device);
  }

  @Override
  public int ctxPushCurrent(CUcontext context) {
    return JCudaDriver.cuCtxPushCurrent(context);
  }

  @Override
  public int ctxPopCurrent(CUcontext context) {
    return JCudaDriver.cuCtxPopCurrent(context);
  }

  @Override
  public int memGetInfo(long[] free, long[] total) {
    return JCudaDriver.cuMemGetInfo(free, total);
  }

  @Override
  public int memAlloc(CUdeviceptr[] pointer, long bytes) {
    pointer[0] = new CUdeviceptr();
    return JCudaDriver.cuMemAlloc(pointer[0], bytes);
  }

  @Override
  public int memFree(CUdeviceptr pointer) {
    return JCudaDriver.cuMemFree(pointer);
  }

  @Override
  public int pointerGetAttribute(int[] value, int attribute, long address) {
    return JCudaDriver.cuPointerGetAttribute(Pointer.to(value), attribute, at(address));
  }

  @Override
  public int memHostAlloc(Pointer[] pointer, long bytes) {
    pointer[0] = new Pointer();
    return JCudaDriver.cuMemHostAlloc(pointer[0], bytes, JCudaDriver.CU_MEMHOSTALLOC_PORTABLE);
  }

  @Override
  public int memFreeHost(Pointer pointer) {
    return JCudaDriver.cuMemFreeHost(pointer);
  }

  @Override
  public int memcpyHtoDAsync(long device, Pointer host, long bytes, CUstream stream) {
    return JCudaDriver.cuMemcpyHtoDAsync(at(device), host, bytes, stream);
  }

  @Override
  public int memcpyDtoHAsync(Pointer host, long device, long bytes, CUstream stream) {
    return JCudaDriver.cuMemcpyDtoHAsync(host, at(device), bytes, stream);
  }

  @Override
  public int memcpyDtoDAsync(long target, long source, long bytes, CUstream stream) {
    return JCudaDriver.cuMemcpyDtoDAsync(at(target), at(source), bytes, stream);
  }

  @Override
  public int memsetD8Async(long device, byte value, long bytes, CUstream stream) {
    return JCudaDriver.cuMemsetD8Async(at(device), value, bytes, stream);
  }

  @Override
  public int streamCreate(CUstream stream) {
    return JCudaDriver.cuStreamCreate(stream, NON_BLOCKING);
  }

  @Override
  public int streamDestroy(CUstream stream) {
    return JCudaDriver.cuStreamDestroy(stream);
  }

  @Override
  public int streamSynchronize(CUstream stream) {
    return JCudaDriver.cuStreamSynchronize(stream);
  }

  @Override
  public int eventCreate(CUevent event, int flags) {
    return JCudaDriver.cuEventCreate(event, flags);
  }

  @Override
  public int eventDestroy(CUevent event) {
    return JCudaDriver.cuEventDestroy(event);
  }

  @Override
  public int eventRecord(CUevent event, CUstream stream) {
    return JCudaDriver.cuEventRecord(event, stream);
  }

  @Override
  public int eventQuery(CUevent event) {
    return JCudaDriver.cuEventQuery(event);
  }

  @Override
  public int eventElapsedTime(float[] millis, CUevent start, CUevent end) {
    return JCudaDriver.cuEventElapsedTime(millis, start, end);
  }

  @Override
  public int moduleLoad(CUmodule module, String ptx, String[] log) {
    byte[] text = (ptx + '\0').getBytes(StandardCharsets.US_ASCII);
    JITOptions options = new JITOptions();
    options.putInt(CUjit_option.CU_JIT_GENERATE_LINE_INFO, 0);
    options.putBytes(CUjit_option.CU_JIT_ERROR_LOG_BUFFER, new byte[LOG_BYTES]);
    options.putInt(CUjit_option.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, LOG_BYTES);
    int result = JCudaDriver.cuModuleLoadDataJIT(module, Pointer.to(text), options);
    log[0] =
        result == CUresult.CUDA_SUCCESS
            ? ""
            : text(options.getBytes(CUjit_option.CU_JIT_ERROR_LOG_BUFFER));
    return result;
  }

  /** Returns the characters before the first NUL. */
  private static String text(byte[] bytes) {
    int length = 0;
    while (length < bytes.length && bytes[length] != 0) {
      length++;
    }
    return new String(bytes, 0, length, StandardCharsets.US_ASCII).strip();
  }

  @Override
  public int moduleUnload(CUmodule module) {
    return JCudaDriver.cuModuleUnload(module);
  }

  @Override
  public int moduleGetFunction(CUfunction function, CUmodule module, String name) {
    return JCudaDriver.cuModuleGetFunction(function, module, name);
  }

  @Override
  public int funcGetAttribute(int[] value, int attribute, CUfunction function) {
    return JCudaDriver.cuFuncGetAttribute(value, attribute, function);
  }

  @Override
  public int funcSetAttribute(CUfunction function, int attribute, int value) {
    return JCudaDriver.cuFuncSetAttribute(function, attribute, value);
  }

  @Override
  public int occupancyMaxActiveBlocks(
      int[] blocks, CUfunction function, int threads, long sharedBytes) {
    return JCudaDriver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
        blocks, function, threads, sharedBytes);
  }

  @Override
  public int launchKernel(CUfunction function, LaunchShape shape, CUstream stream, long[] args) {
    Pointer[] slots = new Pointer[args.length];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = Pointer.to(new long[] {args[i]});
    }
    return JCudaDriver.cuLaunchKernel(
        function,
        shape.blocks(),
        shape.blocksY(),
        1,
        shape.threads(),
        1,
        1,
        shape.dynamicSharedBytes(),
        stream,
        Pointer.to(slots),
        null);
  }

  @Override
  public String errorName(int result) {
    return CUresult.stringFor(result);
  }
}

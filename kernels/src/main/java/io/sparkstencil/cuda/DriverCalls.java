/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import java.nio.charset.StandardCharsets;
import jcuda.Pointer;
import jcuda.driver.CUDA_RESOURCE_DESC;
import jcuda.driver.CUDA_TEXTURE_DESC;
import jcuda.driver.CUarray_format;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUfunction;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUjit_option;
import jcuda.driver.CUmodule;
import jcuda.driver.CUresourcetype;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.CUstreamCaptureMode;
import jcuda.driver.CUtexObject;
import jcuda.driver.CUuuid;
import jcuda.driver.JCudaDriver;
import jcuda.driver.JITOptions;

/**
 * The driver's functions that this library calls, under their names without {@code cu}. Each
 * returns the driver's result code and throws nothing. Tests override them all, so that every layer
 * above, and every failure, runs on a machine without a GPU.
 */
class DriverCalls extends CopyCalls {
  /** Streams do not wait for the legacy default stream: CU_STREAM_NON_BLOCKING. */
  private static final int NON_BLOCKING = 1;

  private static final int LOG_BYTES = 16 * 1024;

  /** Returns the real ones, through JCuda, whose natives have been loaded. */
  static DriverCalls real() {
    JCudaDriver.setExceptionsEnabled(false);
    return new DriverCalls();
  }

  int init() {
    return JCudaDriver.cuInit(0);
  }

  int driverGetVersion(int[] version) {
    return JCudaDriver.cuDriverGetVersion(version);
  }

  int deviceGetCount(int[] count) {
    return JCudaDriver.cuDeviceGetCount(count);
  }

  int deviceGet(CUdevice device, int ordinal) {
    return JCudaDriver.cuDeviceGet(device, ordinal);
  }

  int deviceGetName(byte[] name, CUdevice device) {
    return JCudaDriver.cuDeviceGetName(name, name.length, device);
  }

  int deviceGetPciBusId(String[] id, CUdevice device) {
    return JCudaDriver.cuDeviceGetPCIBusId(id, 32, device);
  }

  int deviceGetUuid(byte[][] uuid, CUdevice device) {
    CUuuid id = new CUuuid();
    int result = JCudaDriver.cuDeviceGetUuid(id, device);
    uuid[0] = id.bytes;
    return result;
  }

  int deviceTotalMem(long[] bytes, CUdevice device) {
    return JCudaDriver.cuDeviceTotalMem(bytes, device);
  }

  int deviceGetAttribute(int[] value, int attribute, CUdevice device) {
    return JCudaDriver.cuDeviceGetAttribute(value, attribute, device);
  }

  int devicePrimaryCtxRetain(CUcontext context, CUdevice device) {
    return JCudaDriver.cuDevicePrimaryCtxRetain(context, device);
  }

  int devicePrimaryCtxRelease(CUdevice device) {
    return JCudaDriver.cuDevicePrimaryCtxRelease(device);
  }

  int ctxPushCurrent(CUcontext context) {
    return JCudaDriver.cuCtxPushCurrent(context);
  }

  int ctxPopCurrent(CUcontext context) {
    return JCudaDriver.cuCtxPopCurrent(context);
  }

  int ctxResetPersistingL2Cache() {
    return JCudaDriver.cuCtxResetPersistingL2Cache();
  }

  int memGetInfo(long[] free, long[] total) {
    return JCudaDriver.cuMemGetInfo(free, total);
  }

  int memAlloc(CUdeviceptr[] pointer, long bytes) {
    pointer[0] = new CUdeviceptr();
    return JCudaDriver.cuMemAlloc(pointer[0], bytes);
  }

  int memFree(CUdeviceptr pointer) {
    return JCudaDriver.cuMemFree(pointer);
  }

  /** Reads an attribute of memory, of any library in this process; needs no current context. */
  int pointerGetAttribute(int[] value, int attribute, long address) {
    return JCudaDriver.cuPointerGetAttribute(Pointer.to(value), attribute, at(address));
  }

  /** Allocates pinned memory; {@code pointer[0]} has a byte buffer over all of it. */
  int memHostAlloc(Pointer[] pointer, long bytes) {
    pointer[0] = new Pointer();
    return JCudaDriver.cuMemHostAlloc(pointer[0], bytes, JCudaDriver.CU_MEMHOSTALLOC_PORTABLE);
  }

  /** Finds the address of pinned memory. */
  int memHostGetDevicePointer(CUdeviceptr address, Pointer pointer) {
    return JCudaDriver.cuMemHostGetDevicePointer(address, pointer, 0);
  }

  int memFreeHost(Pointer pointer) {
    return JCudaDriver.cuMemFreeHost(pointer);
  }

  int streamCreate(CUstream stream) {
    return JCudaDriver.cuStreamCreate(stream, NON_BLOCKING);
  }

  /** Finds the numbers of priorities: greater ones are smaller numbers; 0 and 0 without any. */
  int ctxGetStreamPriorityRange(int[] least, int[] greatest) {
    return JCudaDriver.cuCtxGetStreamPriorityRange(least, greatest);
  }

  int streamCreateWithPriority(CUstream stream, int priority) {
    return JCudaDriver.cuStreamCreateWithPriority(stream, NON_BLOCKING, priority);
  }

  int streamDestroy(CUstream stream) {
    return JCudaDriver.cuStreamDestroy(stream);
  }

  int streamSynchronize(CUstream stream) {
    return JCudaDriver.cuStreamSynchronize(stream);
  }

  int streamWaitEvent(CUstream stream, CUevent event) {
    return JCudaDriver.cuStreamWaitEvent(stream, event, 0);
  }

  int eventCreate(CUevent event, int flags) {
    return JCudaDriver.cuEventCreate(event, flags);
  }

  int eventDestroy(CUevent event) {
    return JCudaDriver.cuEventDestroy(event);
  }

  int eventRecord(CUevent event, CUstream stream) {
    return JCudaDriver.cuEventRecord(event, stream);
  }

  int eventQuery(CUevent event) {
    return JCudaDriver.cuEventQuery(event);
  }

  int eventElapsedTime(float[] millis, CUevent start, CUevent end) {
    return JCudaDriver.cuEventElapsedTime(millis, start, end);
  }

  /** Makes a texture of binary32 cells over device memory; {@code handle[0]} is for kernels. */
  int texObjectCreate(CUtexObject[] texture, long[] handle, long address, long bytes) {
    TextureObject made = new TextureObject();
    texture[0] = made;
    // JCuda leaves offsets out of this descriptor, and only the driver gives pointers without one.
    StartPointer start = new StartPointer();
    int found = JCudaDriver.cuMemGetAddressRange(start, new long[1], at(address));
    if (found != CUresult.CUDA_SUCCESS || start.value() != address) {
      return found == CUresult.CUDA_SUCCESS ? CUresult.CUDA_ERROR_INVALID_VALUE : found;
    }
    CUDA_RESOURCE_DESC memory = new CUDA_RESOURCE_DESC();
    memory.resType = CUresourcetype.CU_RESOURCE_TYPE_LINEAR;
    memory.linear_devPtr = start;
    memory.linear_format = CUarray_format.CU_AD_FORMAT_FLOAT;
    memory.linear_numChannels = 1;
    memory.linear_sizeInBytes = bytes;
    int result = JCudaDriver.cuTexObjectCreate(made, memory, new CUDA_TEXTURE_DESC(), null);
    handle[0] = made.value();
    return result;
  }

  /** Where an allocation starts. */
  private static final class StartPointer extends CUdeviceptr {
    long value() {
      return getNativePointer();
    }
  }

  /** Reads the number that JCuda keeps to itself. */
  private static final class TextureObject extends CUtexObject {
    long value() {
      return getNativePointer();
    }
  }

  int texObjectDestroy(CUtexObject texture) {
    return JCudaDriver.cuTexObjectDestroy(texture);
  }

  /** Compiles PTX; {@code log[0]} is what the compiler said. */
  int moduleLoad(CUmodule module, String ptx, String[] log) {
    byte[] text = (ptx + '\0').getBytes(StandardCharsets.US_ASCII);
    JITOptions options = new JITOptions();
    options.putInt(CUjit_option.CU_JIT_GENERATE_LINE_INFO, 0);
    options.putBytes(CUjit_option.CU_JIT_ERROR_LOG_BUFFER, new byte[LOG_BYTES]);
    options.putInt(CUjit_option.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, LOG_BYTES);
    int result = JCudaDriver.cuModuleLoadDataJIT(module, Pointer.to(text), options);
    log[0] =
        result == CUresult.CUDA_SUCCESS
            ? ""
            : new String(
                    options.getBytes(CUjit_option.CU_JIT_ERROR_LOG_BUFFER),
                    StandardCharsets.US_ASCII)
                .trim();
    return result;
  }

  int moduleUnload(CUmodule module) {
    return JCudaDriver.cuModuleUnload(module);
  }

  int moduleGetFunction(CUfunction function, CUmodule module, String name) {
    return JCudaDriver.cuModuleGetFunction(function, module, name);
  }

  int funcGetAttribute(int[] value, int attribute, CUfunction function) {
    return JCudaDriver.cuFuncGetAttribute(value, attribute, function);
  }

  int funcSetAttribute(CUfunction function, int attribute, int value) {
    return JCudaDriver.cuFuncSetAttribute(function, attribute, value);
  }

  int occupancyMaxActiveBlocks(int[] blocks, CUfunction function, int threads, long sharedBytes) {
    return JCudaDriver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
        blocks, function, threads, sharedBytes);
  }

  int streamBeginCapture(CUstream stream) {
    return JCudaDriver.cuStreamBeginCapture(
        stream, CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  }

  int streamEndCapture(CUstream stream, CUgraph graph) {
    return JCudaDriver.cuStreamEndCapture(stream, graph);
  }

  int graphInstantiate(CUgraphExec executable, CUgraph graph) {
    return JCudaDriver.cuGraphInstantiate(executable, graph, 0);
  }

  int graphDestroy(CUgraph graph) {
    return JCudaDriver.cuGraphDestroy(graph);
  }

  int graphLaunch(CUgraphExec executable, CUstream stream) {
    return JCudaDriver.cuGraphLaunch(executable, stream);
  }

  int graphExecDestroy(CUgraphExec executable) {
    return JCudaDriver.cuGraphExecDestroy(executable);
  }

  /** Launches a grid; each argument is 8 bytes, of which a kernel reads its part. */
  int launchKernel(
      CUfunction function, LaunchShape shape, CUstream stream, LaunchSlots slots, long[] args) {
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
        slots.put(args),
        null);
  }

  /** Returns the driver's name of a result code. */
  String errorName(int result) {
    return CUresult.stringFor(result);
  }
}

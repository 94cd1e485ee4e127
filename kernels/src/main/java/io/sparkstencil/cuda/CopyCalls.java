/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import java.lang.reflect.Field;
import jcuda.Pointer;
import jcuda.driver.CUDA_MEMCPY3D;
import jcuda.driver.CUDA_MEMCPY3D_PEER;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUipcMemHandle;
import jcuda.driver.CUipcMem_flags;
import jcuda.driver.CUmemorytype;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/** The driver's functions that copy and share device memory, as {@link DriverCalls} has them. */
class CopyCalls {
  static CUdeviceptr at(long address) {
    return new CUdeviceptr().withByteOffset(address);
  }

  int memcpyHtoDAsync(long device, Pointer host, long bytes, CUstream stream) {
    return JCudaDriver.cuMemcpyHtoDAsync(at(device), host, bytes, stream);
  }

  int memcpyDtoHAsync(Pointer host, long device, long bytes, CUstream stream) {
    return JCudaDriver.cuMemcpyDtoHAsync(host, at(device), bytes, stream);
  }

  int memcpyDtoDAsync(long target, long source, long bytes, CUstream stream) {
    return JCudaDriver.cuMemcpyDtoDAsync(at(target), at(source), bytes, stream);
  }

  /** Copies planes of rows between device addresses. */
  int memcpy3DAsync(
      Pitched target, Pitched source, long bytes, long rows, long planes, CUstream stream) {
    CUDA_MEMCPY3D copy = new CUDA_MEMCPY3D();
    copy.srcMemoryType = CUmemorytype.CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = at(source.address());
    copy.srcPitch = source.row();
    copy.srcHeight = source.plane() / source.row();
    copy.dstMemoryType = CUmemorytype.CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = at(target.address());
    copy.dstPitch = target.row();
    copy.dstHeight = target.plane() / target.row();
    copy.WidthInBytes = bytes;
    copy.Height = rows;
    copy.Depth = planes;
    return JCudaDriver.cuMemcpy3DAsync(copy, stream);
  }

  /** Tells whether a device reads the memory of another without the host. */
  int deviceCanAccessPeer(int[] can, CUdevice device, CUdevice peer) {
    return JCudaDriver.cuDeviceCanAccessPeer(can, device, peer);
  }

  /** Lets the current context read the memory of a context on another device. */
  int ctxEnablePeerAccess(CUcontext peer) {
    return JCudaDriver.cuCtxEnablePeerAccess(peer, 0);
  }

  int memcpyPeerAsync(
      long target, CUcontext at, long source, CUcontext from, long bytes, CUstream stream) {
    return JCudaDriver.cuMemcpyPeerAsync(at(target), at, at(source), from, bytes, stream);
  }

  /** Copies planes of rows from device addresses of one context to those of another. */
  int memcpy3DPeerAsync(
      Pitched target,
      CUcontext at,
      Pitched source,
      CUcontext from,
      long bytes,
      long rows,
      long planes,
      CUstream stream) {
    CUDA_MEMCPY3D_PEER copy = new CUDA_MEMCPY3D_PEER();
    copy.srcMemoryType = CUmemorytype.CU_MEMORYTYPE_DEVICE;
    copy.srcContext = from;
    copy.srcDevice = at(source.address());
    copy.srcPitch = source.row();
    copy.srcHeight = source.plane() / source.row();
    copy.dstMemoryType = CUmemorytype.CU_MEMORYTYPE_DEVICE;
    copy.dstContext = at;
    copy.dstDevice = at(target.address());
    copy.dstPitch = target.row();
    copy.dstHeight = target.plane() / target.row();
    copy.WidthInBytes = bytes;
    copy.Height = rows;
    copy.Depth = planes;
    return JCudaDriver.cuMemcpy3DPeerAsync(copy, stream);
  }

  /** Makes a name, {@code handle[0]}, of an allocation for other processes. */
  int ipcGetMemHandle(byte[][] handle, CUdeviceptr pointer) {
    CUipcMemHandle name = new CUipcMemHandle();
    int result = JCudaDriver.cuIpcGetMemHandle(name, pointer);
    handle[0] = IpcBytes.of(name).clone();
    return result;
  }

  /** Maps an allocation of another process into the current context. */
  int ipcOpenMemHandle(CUdeviceptr[] pointer, byte[] handle) {
    pointer[0] = new CUdeviceptr();
    CUipcMemHandle name = new CUipcMemHandle();
    byte[] bytes = IpcBytes.of(name);
    System.arraycopy(handle, 0, bytes, 0, bytes.length);
    return JCudaDriver.cuIpcOpenMemHandle(
        pointer[0], name, CUipcMem_flags.CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
  }

  int ipcCloseMemHandle(CUdeviceptr pointer) {
    return JCudaDriver.cuIpcCloseMemHandle(pointer);
  }

  /** Reads the bytes that JCuda keeps to itself. */
  private static final class IpcBytes {
    private static final Field BYTES = field();

    private static Field field() {
      try {
        Field bytes = CUipcMemHandle.class.getDeclaredField("reserved");
        bytes.setAccessible(true);
        return bytes;
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("JCuda has other handles of memory: " + e, e);
      }
    }

    static byte[] of(CUipcMemHandle handle) {
      try {
        return (byte[]) BYTES.get(handle);
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  int memsetD8Async(long device, byte value, long bytes, CUstream stream) {
    return JCudaDriver.cuMemsetD8Async(at(device), value, bytes, stream);
  }
}

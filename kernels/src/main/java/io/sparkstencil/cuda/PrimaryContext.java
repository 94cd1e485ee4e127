/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import io.sparkstencil.error.DeviceLostException;
import io.sparkstencil.error.DeviceOutOfMemoryException;
import io.sparkstencil.error.KernelCompilationException;
import io.sparkstencil.error.StencilException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUmodule;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.CUtexObject;

/**
 * The primary context of a device: the one that all CUDA libraries of a process share. Retained
 * while this object is open, and current only around calls, so that no other library's context is
 * disturbed. Makes and outlives streams, events, buffers and modules. Safe for many threads.
 *
 * <p>After a sticky error the context is lost: every further call throws {@link
 * DeviceLostException} without reaching the driver, and closing handles forgets them.
 */
public final class PrimaryContext implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(PrimaryContext.class.getName());

  /** Access was given before, by whichever library; or there are too many peers. */
  private static final Set<Integer> HARMLESS_FOR_PEERS =
      Set.of(
          CUresult.CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED,
          CUresult.CUDA_ERROR_PEER_ACCESS_UNSUPPORTED,
          CUresult.CUDA_ERROR_TOO_MANY_PEERS);

  /** One or more calls of the driver that end in one result code. */
  interface Call {
    int run(DriverCalls driver);
  }

  private final DriverCalls driver;

  /** The names of this driver's handles that are not closed yet. */
  final Set<String> live;

  private final CUdevice device;
  private final CudaDevice traits;
  final CUcontext context = new CUcontext();
  private final Set<PrimaryContext> reached = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final ThreadLocal<int[]> depth = ThreadLocal.withInitial(() -> new int[1]);
  private volatile String lostBecause;

  PrimaryContext(DriverCalls driver, Set<String> live, CUdevice device, CudaDevice traits) {
    this.driver = driver;
    this.live = live;
    this.device = device;
    this.traits = traits;
    int result = driver.devicePrimaryCtxRetain(context, device);
    if (result != CUresult.CUDA_SUCCESS) {
      throw DriverFailure.of(
          driver,
          result,
          "cuDevicePrimaryCtxRetain",
          traits + "; is it in exclusive-process mode?");
    }
  }

  /** Returns what the device is. */
  public CudaDevice traits() {
    return traits;
  }

  /**
   * Makes the context current for the calling thread until {@link #leave}. Calls enter by
   * themselves; entering around several saves time. Nests.
   */
  public void enter() {
    int[] level = depth.get();
    if (level[0] == 0) {
      requireUsable();
      check(driver.ctxPushCurrent(context), "cuCtxPushCurrent", traits::toString);
    }
    level[0]++;
  }

  /** Undoes one {@link #enter} of the same thread; throws nothing. */
  public void leave() {
    int[] level = depth.get();
    level[0]--;
    if (level[0] == 0) {
      depth.remove();
      warnUnlessDone(driver.ctxPopCurrent(new CUcontext()), "cuCtxPopCurrent");
    }
  }

  private void warnUnlessDone(int result, String call) {
    if (result != CUresult.CUDA_SUCCESS && lostBecause == null) {
      LOG.log(System.Logger.Level.WARNING, call + " failed with " + driver.errorName(result));
    }
  }

  /** Makes a stream; the caller owns it. */
  public CudaStream newStream() {
    CUstream stream = new CUstream();
    call("cuStreamCreate", traits::toString, calls -> calls.streamCreate(stream));
    return new CudaStream(this, stream);
  }

  /**
   * Makes a stream whose kernels begin before those that wait in other streams, as far as the
   * device has priorities; the caller owns it.
   */
  public CudaStream newUrgentStream() {
    int[] greatest = new int[1];
    call(
        "cuCtxGetStreamPriorityRange",
        traits::toString,
        calls -> calls.ctxGetStreamPriorityRange(new int[1], greatest));
    CUstream stream = new CUstream();
    call(
        "cuStreamCreateWithPriority",
        traits::toString,
        calls -> calls.streamCreateWithPriority(stream, greatest[0]));
    return new CudaStream(this, stream);
  }

  /** Makes an event that records the time; the caller owns it. */
  public CudaEvent newEvent() {
    return CudaEvent.create(this, true);
  }

  /**
   * Makes an event that can only be waited for, which costs the device less; the caller owns it.
   */
  public CudaEvent newMarker() {
    return CudaEvent.create(this, false);
  }

  /**
   * Allocates device memory; the caller owns it.
   *
   * @throws DeviceOutOfMemoryException if the device has too little
   */
  public DeviceBuffer allocateDevice(long bytes) {
    CUdeviceptr[] pointer = new CUdeviceptr[1];
    call("cuMemAlloc", () -> bytes + " bytes", calls -> calls.memAlloc(pointer, bytes));
    return new DeviceBuffer(this, pointer[0], bytes);
  }

  /**
   * Allocates pinned host memory, less than 2 GiB; the caller owns it.
   *
   * @throws DeviceOutOfMemoryException if it is more, or the system gives no more
   */
  public PinnedBuffer allocatePinned(long bytes) {
    if (bytes > Integer.MAX_VALUE) {
      throw new DeviceOutOfMemoryException(
          "%d bytes of pinned memory are more than the %d that a buffer can have; use smaller batches"
              .formatted(bytes, Integer.MAX_VALUE));
    }
    Pointer[] pointer = new Pointer[1];
    call("cuMemHostAlloc", () -> bytes + " bytes", calls -> calls.memHostAlloc(pointer, bytes));
    return new PinnedBuffer(this, pointer[0], bytes);
  }

  /**
   * Records what {@code work} submits to a stream; the caller owns it.
   *
   * @param work submits launches of kernels and copies to {@code stream} alone, and waits for
   *     nothing
   */
  public CudaGraph record(CudaStream stream, Runnable work) {
    return CudaGraph.record(this, stream, work);
  }

  /**
   * Makes a texture of binary32 cells over device memory, which outlives it; the caller owns it.
   *
   * @param address where an allocation starts
   * @param bytes a multiple of 4
   */
  public CudaTexture newTexture(long address, long bytes) {
    CUtexObject[] texture = new CUtexObject[1];
    long[] handle = new long[1];
    call(
        "cuTexObjectCreate",
        () -> bytes + " bytes",
        calls -> calls.texObjectCreate(texture, handle, address, bytes));
    return new CudaTexture(this, texture[0], handle[0]);
  }

  /**
   * Compiles PTX for this device; the caller owns the kernel.
   *
   * @param name the kernel in the text
   * @throws KernelCompilationException with the compiler's log if the driver refuses it
   */
  public KernelFunction loadKernel(String name, String ptx) {
    CUmodule module = new CUmodule();
    String[] log = {""};
    int[] result = new int[1];
    call(
        "cuModuleLoadDataEx",
        () -> name,
        calls -> {
          result[0] = calls.moduleLoad(module, ptx, log);
          boolean refused = result[0] != CUresult.CUDA_SUCCESS && !stopsContext(result[0]);
          return refused ? CUresult.CUDA_SUCCESS : result[0];
        });
    if (result[0] != CUresult.CUDA_SUCCESS) {
      throw new KernelCompilationException(
          "the driver refused kernel %s for %s with %s; its log: %s"
              .formatted(
                  name,
                  traits,
                  driver.errorName(result[0]),
                  log[0].isEmpty() ? "(empty)" : log[0]));
    }
    return new KernelFunction(this, module, name);
  }

  private static boolean stopsContext(int result) {
    return DriverFailure.isSticky(result) || result == CUresult.CUDA_ERROR_OUT_OF_MEMORY;
  }

  /**
   * Lets this device read the memory of another without the host, where it can; where it cannot,
   * copies between both are as right, and slower. Done once.
   */
  void reach(PrimaryContext peer) {
    if (!reached.add(peer)) {
      return;
    }
    int[] can = new int[1];
    call(
        "cuCtxEnablePeerAccess",
        () -> traits + " and " + peer.traits,
        calls -> {
          int result = calls.deviceCanAccessPeer(can, device, peer.device);
          if (result == CUresult.CUDA_SUCCESS && can[0] != 0) {
            result = calls.ctxEnablePeerAccess(peer.context);
          }
          return HARMLESS_FOR_PEERS.contains(result) ? CUresult.CUDA_SUCCESS : result;
        });
  }

  /**
   * Returns a name of memory by which other processes of this host can {@link #map} it.
   *
   * @throws UnsupportedOperationException with the driver's answer if it gives none
   */
  public byte[] share(DeviceBuffer memory) {
    byte[][] handle = new byte[1][];
    allowed("cuIpcGetMemHandle", calls -> calls.ipcGetMemHandle(handle, memory.pointer));
    return memory.sharedAs(handle[0]);
  }

  /**
   * Maps memory of another process; the caller owns the mapping.
   *
   * @param handle what {@link #share} gave there
   * @throws UnsupportedOperationException with the driver's answer if it does not, as where the
   *     processes are in containers of their own, or the other one has ended
   */
  public MappedMemory map(byte[] handle) {
    CUdeviceptr[] pointer = new CUdeviceptr[1];
    allowed("cuIpcOpenMemHandle", calls -> calls.ipcOpenMemHandle(pointer, handle));
    return new MappedMemory(this, pointer[0]);
  }

  /**
   * Runs a call that the driver may refuse. It does so with codes that are sticky elsewhere, so
   * whether the context is lost is left to the next call.
   */
  private void allowed(String name, Call call) {
    int[] result = new int[1];
    call(
        name,
        traits::toString,
        calls -> {
          result[0] = call.run(calls);
          return CUresult.CUDA_SUCCESS;
        });
    if (result[0] != CUresult.CUDA_SUCCESS) {
      throw new UnsupportedOperationException(
          "the driver answered %s to %s on %s"
              .formatted(driver.errorName(result[0]), name, traits));
    }
  }

  /** Returns the device's free memory in bytes. */
  public long freeBytes() {
    long[] free = new long[1];
    call("cuMemGetInfo", traits::toString, calls -> calls.memGetInfo(free, new long[1]));
    return free[0];
  }

  /** Returns what the device has of each kind of memory near its multiprocessors. */
  public DeviceLimits limits() {
    return new DeviceLimits(
        attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE),
        attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE),
        attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR),
        attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR),
        attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE),
        attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH));
  }

  /** Returns an attribute; 0 where this driver does not know it. */
  private int attribute(int attribute) {
    int[] value = new int[1];
    call(
        "cuDeviceGetAttribute",
        traits::toString,
        calls -> {
          int result = calls.deviceGetAttribute(value, attribute, device);
          return result == CUresult.CUDA_ERROR_INVALID_VALUE ? CUresult.CUDA_SUCCESS : result;
        });
    return value[0];
  }

  /** Lets go of what the second-level cache was asked to keep, on devices that can be asked. */
  public void resetPersistingCache() {
    call(
        "cuCtxResetPersistingL2Cache",
        traits::toString,
        calls -> {
          int result = calls.ctxResetPersistingL2Cache();
          return result == CUresult.CUDA_ERROR_NOT_SUPPORTED ? CUresult.CUDA_SUCCESS : result;
        });
  }

  /** Runs a call on an open handle with the context current and checks its result. */
  void call(DriverHandle handle, String name, Call call) {
    handle.requireOpen();
    call(name, handle::name, call);
  }

  /** Runs a call with the context current and checks its result. */
  void call(String name, Supplier<String> facts, Call call) {
    requireUsable();
    enter();
    try {
      check(call.run(driver), name, facts);
    } finally {
      leave();
    }
  }

  /** Runs a handle's free; what fails is logged. */
  void freeQuietly(DriverHandle handle) {
    if (closed.get() || lostBecause != null) {
      return; // the driver frees it with the context, which others may still have
    }
    try {
      call("freeing", handle::name, handle::free);
    } catch (StencilException e) {
      LOG.log(System.Logger.Level.WARNING, e.getMessage());
    }
  }

  private void requireUsable() {
    String reason = lostBecause;
    if (reason != null) {
      throw new DeviceLostException(reason);
    }
    if (closed.get()) {
      throw new IllegalStateException("the context of " + traits + " is used after it was closed");
    }
  }

  private void check(int result, String name, Supplier<String> facts) {
    if (result == CUresult.CUDA_SUCCESS) {
      return;
    }
    StencilException failure = DriverFailure.of(driver, result, name, facts.get());
    if (failure instanceof DeviceLostException && lostBecause == null) {
      lostBecause = failure.getMessage();
    }
    throw failure;
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    warnUnlessDone(driver.devicePrimaryCtxRelease(device), "cuDevicePrimaryCtxRelease");
  }

  @Override
  public String toString() {
    return traits.toString();
  }
}

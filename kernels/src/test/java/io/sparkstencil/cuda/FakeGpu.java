/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import io.sparkstencil.kernels.emulator.Emulator;
import io.sparkstencil.kernels.emulator.PtxKernel;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.CUpointer_attribute;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.CUtexObject;

/**
 * A device made of host memory: copies and kernels run at once, in the calling thread. A kernel
 * does what a test says that it does, or, on a device that emulates, what its text says. Any call
 * can be made to fail. Device memory starts poisoned; an access outside it is an illegal address.
 */
public final class FakeGpu extends FakeCopies {
  /** What a kernel does: the stand-in for PTX. */
  @FunctionalInterface
  public interface Kernel {
    /** Runs the whole grid. */
    void run(FakeGpu gpu, long cells, long[] args);
  }

  private static final Pattern ENTRY = Pattern.compile("\\.entry\\s+(\\w+)");

  private final Map<String, Kernel> kernels = new HashMap<>();
  private final Map<String, Integer> failures = new HashMap<>();
  private final Map<String, Integer> failuresAfter = new HashMap<>();
  private final Map<String, Integer> calls = new HashMap<>();
  private final Map<String, Runnable> before = new HashMap<>();
  private final Set<String> loaded = new LinkedHashSet<>();
  private final Map<CUmodule, String> modules =
      Collections.synchronizedMap(new IdentityHashMap<>());
  private final Map<CUfunction, String> functions =
      Collections.synchronizedMap(new IdentityHashMap<>());
  private final Map<CUfunction, PtxKernel> texts =
      Collections.synchronizedMap(new IdentityHashMap<>());
  private final Map<CUdevice, Integer> ordinals =
      Collections.synchronizedMap(new IdentityHashMap<>());
  private final Map<CUcontext, Integer> contexts =
      Collections.synchronizedMap(new IdentityHashMap<>());
  private final ThreadLocal<Deque<Integer>> pushed = ThreadLocal.withInitial(ArrayDeque::new);
  private Emulator emulator; // or null
  private long deviceBytes = 1L << 30;
  private int devices = 1;
  private int version = 12_040;
  private int capabilityMajor = 9;
  private volatile CountDownLatch eventGate = new CountDownLatch(0);

  /** Returns the texts that were loaded so far, each once, in their order. */
  public synchronized List<String> loadedTexts() {
    return List.copyOf(loaded);
  }

  /** Returns a driver over this device. */
  public CudaDriver driver() {
    return CudaDriver.of(this);
  }

  /**
   * Makes launches run the texts of kernels, which must be free of faults: a launch throws those of
   * its kernel.
   */
  public Emulator emulate() {
    emulator = new Emulator(memory.memory());
    return emulator;
  }

  /** Says what a kernel of that entry name does. */
  public synchronized void kernel(String entryName, Kernel kernel) {
    kernels.put(entryName, kernel);
  }

  /** Makes each further call of a driver function fail; 0 ends that. */
  public synchronized void fail(String call, int result) {
    failures.put(call, result);
  }

  /** Makes a driver function fail after {@code successes} more calls. */
  public synchronized void failAfter(String call, int successes, int result) {
    failures.put(call, result);
    failuresAfter.put(call, successes);
  }

  /** Returns how often a driver function was called. */
  public synchronized int calls(String call) {
    return calls.getOrDefault(call, 0);
  }

  /** Sets how many devices there are, which share one memory; each has a UUID and a bus id. */
  public void devices(int count) {
    devices = count;
  }

  /** Sets the memory that the device has. */
  public void deviceBytes(long bytes) {
    deviceBytes = bytes;
  }

  /** Sets the version of the driver. */
  public void version(int newVersion) {
    version = newVersion;
  }

  /** Sets the generation of the device. */
  public void capabilityMajor(int major) {
    capabilityMajor = major;
  }

  /** Makes waiting for events block until the returned latch is counted down. */
  public CountDownLatch holdEvents() {
    eventGate = new CountDownLatch(1);
    return eventGate;
  }

  /** Returns the memory from a device address on. */
  public ByteBuffer at(long address, long bytes) {
    return memory.at(address, bytes);
  }

  /** Does something before the next call of a driver function. */
  public synchronized void before(String call, Runnable work) {
    before.put(call, work);
  }

  @Override
  synchronized int result(String call) {
    Runnable first = before.remove(call);
    if (first != null) {
      first.run();
    }
    calls.merge(call, 1, Integer::sum);
    int left = failuresAfter.getOrDefault(call, 0);
    if (left > 0) {
      failuresAfter.put(call, left - 1);
      return CUresult.CUDA_SUCCESS;
    }
    return failures.getOrDefault(call, CUresult.CUDA_SUCCESS);
  }

  @Override
  int resultInContext(String call) {
    return pushed.get().isEmpty() ? CUresult.CUDA_ERROR_INVALID_CONTEXT : result(call);
  }

  @Override
  int guarded(String call, Runnable work) {
    int result = resultInContext(call);
    if (result == CUresult.CUDA_SUCCESS) {
      try {
        work.run();
      } catch (FakeMemory.IllegalAddress e) {
        return CUresult.CUDA_ERROR_ILLEGAL_ADDRESS;
      }
    }
    return result;
  }

  @Override
  int ordinalOf(CUcontext context) {
    return contexts.get(context);
  }

  @Override
  int currentOrdinal() {
    return pushed.get().peek();
  }

  @Override
  int init() {
    return result("init");
  }

  @Override
  int driverGetVersion(int[] out) {
    out[0] = version;
    return result("driverGetVersion");
  }

  @Override
  int deviceGetCount(int[] count) {
    count[0] = devices;
    return result("deviceGetCount");
  }

  @Override
  int deviceGet(CUdevice device, int ordinal) {
    ordinals.put(device, ordinal);
    return result("deviceGet");
  }

  @Override
  int deviceGetName(byte[] name, CUdevice device) {
    byte[] text = "Fake GPU".getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(text, 0, name, 0, text.length);
    return result("deviceGetName");
  }

  @Override
  int deviceGetPciBusId(String[] id, CUdevice device) {
    id[0] = "0000:0%d:00.0".formatted(ordinals.get(device));
    return result("deviceGetPciBusId");
  }

  @Override
  int deviceGetUuid(byte[][] uuid, CUdevice device) {
    uuid[0] = new byte[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, (byte) 255};
    uuid[0][0] = ordinals.get(device).byteValue();
    return result("deviceGetUuid");
  }

  @Override
  int deviceTotalMem(long[] bytes, CUdevice device) {
    bytes[0] = deviceBytes;
    return result("deviceTotalMem");
  }

  @Override
  int deviceGetAttribute(int[] value, int attribute, CUdevice device) {
    value[0] = FakeAttributes.of(attribute, capabilityMajor);
    return result("deviceGetAttribute");
  }

  @Override
  int devicePrimaryCtxRetain(CUcontext context, CUdevice device) {
    contexts.put(context, ordinals.get(device));
    return result("devicePrimaryCtxRetain");
  }

  @Override
  int devicePrimaryCtxRelease(CUdevice device) {
    return result("devicePrimaryCtxRelease");
  }

  @Override
  int ctxPushCurrent(CUcontext context) {
    pushed.get().push(contexts.get(context));
    return result("ctxPushCurrent");
  }

  @Override
  int ctxPopCurrent(CUcontext context) {
    pushed.get().pop();
    return result("ctxPopCurrent");
  }

  @Override
  int memGetInfo(long[] free, long[] total) {
    free[0] = deviceBytes - memory.usedBytes();
    total[0] = deviceBytes;
    return resultInContext("memGetInfo");
  }

  @Override
  synchronized int memAlloc(CUdeviceptr[] pointer, long bytes) {
    int result = resultInContext("memAlloc");
    if (result != CUresult.CUDA_SUCCESS) {
      return result;
    }
    if (memory.usedBytes() + bytes > deviceBytes) {
      return CUresult.CUDA_ERROR_OUT_OF_MEMORY;
    }
    long address = memory.allocate(pushed.get().peek(), bytes);
    pointer[0] = new CUdeviceptr().withByteOffset(address);
    return result;
  }

  @Override
  int memFree(CUdeviceptr pointer) {
    int result = resultInContext("memFree");
    boolean refused = result == CUresult.CUDA_SUCCESS && !memory.free(pointer);
    return refused ? CUresult.CUDA_ERROR_INVALID_VALUE : result;
  }

  @Override
  int pointerGetAttribute(int[] value, int attribute, long address) {
    value[0] = memory.ownerOf(address);
    boolean known = attribute == CUpointer_attribute.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL;
    return known && value[0] >= 0
        ? result("pointerGetAttribute")
        : CUresult.CUDA_ERROR_INVALID_VALUE;
  }

  /** A texture's handle is the address of its cells, as the emulator takes it. */
  @Override
  int texObjectCreate(CUtexObject[] texture, long[] handle, long address, long bytes) {
    texture[0] = new CUtexObject();
    handle[0] = address;
    return guarded("texObjectCreate", () -> memory.at(address, bytes));
  }

  @Override
  int texObjectDestroy(CUtexObject texture) {
    return resultInContext("texObjectDestroy");
  }

  @Override
  int eventQuery(CUevent event) {
    return eventGate.getCount() > 0 ? CUresult.CUDA_ERROR_NOT_READY : resultInContext("eventQuery");
  }

  @Override
  int moduleLoad(CUmodule module, String ptx, String[] log) {
    int result = resultInContext("moduleLoad");
    if (result != CUresult.CUDA_SUCCESS) {
      log[0] = "ptxas fatal : refused by the fake";
      return result;
    }
    modules.put(module, ptx);
    synchronized (this) {
      loaded.add(ptx);
    }
    return result;
  }

  @Override
  int moduleUnload(CUmodule module) {
    modules.remove(module);
    return resultInContext("moduleUnload");
  }

  @Override
  int moduleGetFunction(CUfunction function, CUmodule module, String name) {
    Matcher entries = ENTRY.matcher(modules.get(module));
    while (entries.find()) {
      if (entries.group(1).equals(name)) {
        functions.put(function, name);
        if (emulator != null) {
          texts.put(function, PtxKernel.parse(modules.get(module)));
        }
        return resultInContext("moduleGetFunction");
      }
    }
    return CUresult.CUDA_ERROR_NOT_FOUND;
  }

  @Override
  int funcGetAttribute(int[] value, int attribute, CUfunction function) {
    value[0] = emulator == null ? 32 : 0;
    return resultInContext("funcGetAttribute");
  }

  @Override
  int funcSetAttribute(CUfunction function, int attribute, int value) {
    return resultInContext("funcSetAttribute");
  }

  @Override
  int occupancyMaxActiveBlocks(int[] blocks, CUfunction function, int threads, long sharedBytes) {
    blocks[0] = 2048 / threads;
    return resultInContext("occupancyMaxActiveBlocks");
  }

  @Override
  int launchKernel(
      CUfunction function, LaunchShape shape, CUstream stream, LaunchSlots slots, long[] args) {
    Kernel kernel = kernels.get(functions.get(function));
    if (isRecording()) {
      keep(() -> launchKernel(function, shape, stream, slots, args.clone()));
      return CUresult.CUDA_SUCCESS;
    }
    return guarded(
        "launchKernel",
        () -> {
          if (kernel != null) {
            kernel.run(this, (long) shape.blocks() * shape.threads(), args);
          } else if (emulator != null) {
            emulator.launch(texts.get(function), shape, args);
          }
        });
  }

  @Override
  String errorName(int result) {
    return CUresult.stringFor(result);
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import io.sparkstencil.error.EngineUnavailableException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUpointer_attribute;
import jcuda.driver.CUresult;

/**
 * The CUDA driver of this process: loaded once, or a reason why it cannot be used. Nothing here
 * throws because a machine has no GPU.
 */
public final class CudaDriver {
  /** The first driver that compiles the PTX 6.3 that our kernels are written in. */
  private static final int LOWEST_VERSION = 10_000;

  /** Volta, the first with independent thread scheduling, as the kernels need it. */
  private static final int LOWEST_CAPABILITY = 70;

  /** Loaded on first use, by the class loader's lock once per process. */
  private static final class Loaded {
    static final CudaDriver DRIVER = load();

    private static CudaDriver load() {
      Optional<String> reason = NativeLibrary.load();
      return reason.isPresent() ? new CudaDriver(reason.get()) : of(DriverCalls.real());
    }
  }

  private final DriverCalls calls;
  private final String unavailableReason;
  private final Set<String> live = ConcurrentHashMap.newKeySet();
  private final List<CudaDevice> devices = new ArrayList<>();

  private CudaDriver(String unavailableReason) {
    this.calls = null;
    this.unavailableReason = unavailableReason;
  }

  private CudaDriver(DriverCalls calls) {
    this.calls = calls;
    String reason = null;
    try {
      probe();
    } catch (EngineUnavailableException e) {
      reason = e.getMessage();
    }
    this.unavailableReason = reason;
  }

  /** Returns the driver of this process; loads it on the first call. */
  public static CudaDriver get() {
    return Loaded.DRIVER;
  }

  /** Returns a driver over other calls than the real ones. */
  static CudaDriver of(DriverCalls calls) {
    return new CudaDriver(calls);
  }

  /** Returns why no GPU can be used in this process, in words for the user, or empty. */
  public Optional<String> unavailableReason() {
    return Optional.ofNullable(unavailableReason);
  }

  /** Returns the devices that kernels can run on, by ordinal; empty if there is a reason. */
  public List<CudaDevice> devices() {
    return List.copyOf(devices);
  }

  /**
   * Returns the device that has the memory at {@code address}, which any library of this process
   * may have allocated.
   *
   * @throws EngineUnavailableException if it is no device memory, or kernels cannot run there
   */
  public CudaDevice deviceOf(long address) {
    int[] ordinal = new int[1];
    require(
        calls.pointerGetAttribute(
            ordinal, CUpointer_attribute.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address),
        "cuPointerGetAttribute");
    return device(ordinal[0]);
  }

  /** Returns the names of handles that are not closed yet, such as {@code DeviceBuffer#12}. */
  public Set<String> liveHandles() {
    return Set.copyOf(live);
  }

  /**
   * Retains the primary context of a device; the caller closes it.
   *
   * @throws EngineUnavailableException if there is no such device or no driver
   */
  public PrimaryContext open(int ordinal) {
    if (unavailableReason != null) {
      throw new EngineUnavailableException(unavailableReason);
    }
    CudaDevice traits = device(ordinal);
    CUdevice device = new CUdevice();
    require(calls.deviceGet(device, ordinal), "cuDeviceGet");
    return new PrimaryContext(calls, live, device, traits);
  }

  private CudaDevice device(int ordinal) {
    return devices.stream()
        .filter(device -> device.ordinal() == ordinal)
        .findFirst()
        .orElseThrow(
            () ->
                new EngineUnavailableException(
                    "there is no usable GPU with number %d; usable ones: %s"
                        .formatted(ordinal, devices)));
  }

  private void require(int result, String call) {
    if (result != CUresult.CUDA_SUCCESS) {
      throw new EngineUnavailableException(
          "the NVIDIA driver answered %s to %s; see nvidia-smi"
              .formatted(calls.errorName(result), call));
    }
  }

  /** Fills the list of devices. */
  private void probe() {
    int result = calls.init();
    if (result == CUresult.CUDA_ERROR_NO_DEVICE) {
      throw new EngineUnavailableException(
          "there is an NVIDIA driver but no GPU; if the machine has one, see CUDA_VISIBLE_DEVICES and nvidia-smi");
    }
    require(result, "cuInit");
    int[] version = new int[1];
    require(calls.driverGetVersion(version), "cuDriverGetVersion");
    if (version[0] < LOWEST_VERSION) {
      throw new EngineUnavailableException(
          "the NVIDIA driver supports CUDA %d.%d, but 10.0 is the lowest that our kernels need; install driver 410.48 or newer"
              .formatted(version[0] / 1000, version[0] % 1000 / 10));
    }
    int[] count = new int[1];
    require(calls.deviceGetCount(count), "cuDeviceGetCount");
    List<String> refused = new ArrayList<>();
    for (int ordinal = 0; ordinal < count[0]; ordinal++) {
      probeDevice(ordinal, version[0], refused);
    }
    if (devices.isEmpty()) {
      throw new EngineUnavailableException(
          "there is no GPU of compute capability 7.0 or newer; found: %s; set CUDA_VISIBLE_DEVICES if there should be one"
              .formatted(refused));
    }
  }

  private void probeDevice(int ordinal, int driverVersion, List<String> refused) {
    CUdevice device = new CUdevice();
    byte[] name = new byte[256];
    String[] busId = new String[1];
    byte[][] uuid = {new byte[0]};
    long[] bytes = new long[1];
    int result = calls.deviceGet(device, ordinal);
    result = result != 0 ? result : calls.deviceGetName(name, device);
    result = result != 0 ? result : calls.deviceGetPciBusId(busId, device);
    result = result != 0 ? result : calls.deviceGetUuid(uuid, device);
    result = result != 0 ? result : calls.deviceTotalMem(bytes, device);
    if (result != CUresult.CUDA_SUCCESS) {
      refused.add("device %d: %s".formatted(ordinal, calls.errorName(result)));
      return;
    }
    CudaDevice traits =
        new CudaDevice(
            new String(name, StandardCharsets.UTF_8).trim(),
            ordinal,
            busId[0],
            "GPU-" + new UUID(bits(uuid[0], 0), bits(uuid[0], 8)),
            driverVersion,
            bytes[0],
            10 * attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
                + attribute(
                    device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
            attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
            attribute(
                device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR),
            attribute(
                device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
    if (traits.capability() < LOWEST_CAPABILITY) {
      refused.add(traits.toString());
    } else {
      devices.add(traits);
    }
  }

  private static long bits(byte[] uuid, int from) {
    return ByteBuffer.wrap(uuid).getLong(from);
  }

  /** Returns an attribute; 0 where this driver does not know it. */
  private int attribute(CUdevice device, int attribute) {
    int[] value = new int[1];
    return calls.deviceGetAttribute(value, attribute, device) == CUresult.CUDA_SUCCESS
        ? value[0]
        : 0;
  }
}

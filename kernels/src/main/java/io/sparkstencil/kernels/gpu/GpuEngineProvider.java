/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.cuda.CudaDevice;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.engine.DeviceCosts;
import io.sparkstencil.engine.EngineProvider;
import io.sparkstencil.engine.ScheduleTuning;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.kernels.variant.DeviceProfile;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Finds the GPU engine: {@code gpu}, preferred over engines on the CPU. */
public final class GpuEngineProvider implements EngineProvider {
  private static final int RANK = 200;

  private final CudaDriver driver;

  /** Creates a provider for the driver of this process; loads nothing yet. */
  public GpuEngineProvider() {
    this(null);
  }

  /** Creates a provider for a driver; null for that of this process. */
  public GpuEngineProvider(CudaDriver driver) {
    this.driver = driver;
  }

  /** Returns the driver; it is loaded on the first call. */
  public CudaDriver driver() {
    return driver == null ? CudaDriver.get() : driver;
  }

  @Override
  public String name() {
    return GpuEngine.NAME;
  }

  @Override
  public int rank() {
    return RANK;
  }

  @Override
  public Optional<String> unavailableReason() {
    return driver().unavailableReason();
  }

  @Override
  public List<String> devices() {
    return IntStream.range(0, driver().devices().size()).mapToObj(Integer::toString).toList();
  }

  @Override
  public Optional<ScheduleTuning> openTuning(ScheduleTuning.Request request) {
    Path folder = GpuOptions.requireTuningFolder(request.folder(), request.options());
    return Optional.of(new ScheduleSearch(openGpu(request.options()), folder, request));
  }

  @Override
  public DeviceCosts costs(Map<String, String> values) {
    DeviceProfile profile = GeneratedKernels.profile(device(values), values);
    return new DeviceCosts(1e9 * profile.linkGigabytes(), profile.launchMicros() / 1e6);
  }

  @Override
  public StencilEngine open(Map<String, String> values) {
    return openGpu(values);
  }

  private GpuEngine openGpu(Map<String, String> values) {
    CudaDevice device = device(values);
    return GpuEngine.open(driver(), device, values);
  }

  /**
   * Returns the device that options name, or else the first.
   *
   * @param values values of {@link GpuOptions}, all of which are checked
   * @throws EngineUnavailableException if there is no such device
   */
  public CudaDevice device(Map<String, String> values) {
    // A wrong option is an error even where there is no GPU.
    GpuOptions.ALL.forEach(option -> option.read(values));
    unavailableReason()
        .ifPresent(
            reason -> {
              throw new EngineUnavailableException(reason);
            });
    return find(GpuOptions.DEVICE.read(values));
  }

  /**
   * Tells whether a device is the one that has the memory at {@code address}.
   *
   * @param device one of {@link #devices()}, a UUID or a PCI bus id
   * @param address a device address, allocated by any library of this process
   * @throws EngineUnavailableException if it is no device memory, or there is no such device
   */
  public boolean holds(String device, long address) {
    return find(device).equals(driver().deviceOf(address));
  }

  /** Resource managers number devices in the order of the PCI bus. */
  private CudaDevice find(String wanted) {
    List<CudaDevice> byBus =
        driver().devices().stream().sorted(Comparator.comparing(CudaDevice::busId)).toList();
    for (int address = 0; address < byBus.size(); address++) {
      CudaDevice device = byBus.get(address);
      if (wanted.isEmpty()
          || wanted.equals(Integer.toString(address))
          || wanted.equalsIgnoreCase(device.uuid())
          || wanted.equalsIgnoreCase(device.busId())) {
        return device;
      }
    }
    throw new EngineUnavailableException(
        "%s=%s is no GPU of this process; there are %s; use an index from 0 to %d, a UUID or a PCI bus id"
            .formatted(
                EngineProvider.DEVICE_OPTION,
                wanted,
                byBus.stream().map(d -> d + " " + d.uuid() + " " + d.busId()).toList(),
                byBus.size() - 1));
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.cuda.BufferPool;
import io.sparkstencil.cuda.CudaDevice;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.engine.RowSort;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.kernels.launch.HeldKernels;
import io.sparkstencil.kernels.launch.KernelCache;
import io.sparkstencil.kernels.variant.DeviceProfile;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.StencilSpec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Runs stencils on one GPU. Owns the device's context, its memory pools and its kernels; tasks work
 * through lanes of their own.
 */
public final class GpuEngine implements StencilEngine {
  /** The name by which users choose this engine. */
  public static final String NAME = Engines.GPU;

  private final PrimaryContext context;
  private final DeviceTraits device;
  private final KernelSource source;
  private final KernelCache cache;
  final BufferPool<PinnedBuffer> pinned;
  final BufferPool<DeviceBuffer> memory;
  final DeviceStreams streams;
  private final int batchBytes;
  private final Map<StencilSpec, GpuStencil> stencils = new RecentStencils();
  private final AtomicBoolean closed = new AtomicBoolean();

  /** The stencils that were used last. They own no kernels, but their weights add up. */
  private static final class RecentStencils extends LinkedHashMap<StencilSpec, GpuStencil> {
    private static final long serialVersionUID = 1L;

    RecentStencils() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<StencilSpec, GpuStencil> eldest) {
      return size() > KernelCache.MOST_LOADED;
    }
  }

  private GpuEngine(
      PrimaryContext context,
      DeviceTraits device,
      KernelSource source,
      Map<String, String> options) {
    this.context = context;
    this.device = device;
    this.source = source;
    this.cache = new KernelCache(context);
    long pinnedBytes = GpuOptions.PINNED_BYTES.read(options);
    long deviceBytes = GpuOptions.deviceBytes(options, context.freeBytes());
    long wait = GpuOptions.WAIT.read(options);
    this.pinned = new BufferPool<>("pinned memory", pinnedBytes, wait, context::allocatePinned);
    this.memory = new BufferPool<>("device memory", deviceBytes, wait, context::allocateDevice);
    this.streams = new DeviceStreams(context, GpuOptions.STREAMS.read(options));
    this.batchBytes = Math.toIntExact(GpuOptions.BATCH_BYTES.read(options));
  }

  /**
   * Opens the engine on a device.
   *
   * @param options values of {@link GpuOptions} by their keys; other keys are ignored
   * @throws io.sparkstencil.error.EngineUnavailableException if the device cannot be used
   */
  public static GpuEngine open(CudaDriver driver, CudaDevice device, Map<String, String> options) {
    DeviceProfile profile = GeneratedKernels.profile(device, options);
    return open(
        driver,
        device,
        context -> {
          DeviceTraits tried = GeneratedKernels.tried(context, profile);
          KernelSource source = new GeneratedKernels(device, tried, options);
          return new GpuEngine(context, tried, source, options);
        });
  }

  /** Opens the engine with kernels from elsewhere. */
  static GpuEngine open(
      CudaDriver driver, CudaDevice device, Map<String, String> options, KernelSource source) {
    DeviceTraits traits = GeneratedKernels.selectorTraits(device, DeviceProfile.BUILT_IN);
    return open(driver, device, context -> new GpuEngine(context, traits, source, options));
  }

  private static GpuEngine open(
      CudaDriver driver, CudaDevice device, Function<PrimaryContext, GpuEngine> open) {
    PrimaryContext context = driver.open(device.ordinal());
    try {
      return open.apply(context);
    } catch (RuntimeException e) {
      context.close();
      throw e;
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    CudaDevice traits = context.traits();
    return "%s on %s, driver for CUDA %s, %sschedules by %s"
        .formatted(
            NAME,
            traits,
            traits.driverVersionText(),
            device.tensorCoresFuse() ? "" : "tensor cores not used, as the log says, ",
            device.profile().origin());
  }

  @Override
  public CompiledStencil compile(StencilSpec spec) {
    synchronized (stencils) {
      GpuStencil known = stencils.get(spec);
      if (known != null) {
        return known;
      }
    }
    try (HeldKernels kernels = hold()) {
      GpuStencil compiled = new GpuStencil(spec, source, kernels);
      synchronized (stencils) {
        GpuStencil first = stencils.putIfAbsent(spec, compiled);
        return first == null ? compiled : first;
      }
    }
  }

  @Override
  public GpuLane openLane() {
    return new GpuLane(context, pinned, memory, streams, hold());
  }

  @Override
  public Optional<RowSort> openSort(int rows, int columns) {
    return GpuRowSort.open(this, rows, columns).map(RowSort.class::cast);
  }

  @Override
  public int preferredBatchBytes() {
    return batchBytes;
  }

  /** Returns what a user of this engine holds kernels by. */
  HeldKernels hold() {
    return cache.hold(source::generate);
  }

  /** Returns what schedules are chosen by. */
  DeviceTraits device() {
    return device;
  }

  /** Returns the device's context; owned by the engine. */
  public PrimaryContext context() {
    return context;
  }

  /** Returns the kernels loaded so far; owned by the engine. */
  public KernelCache kernels() {
    return cache;
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    cache.close();
    pinned.close();
    memory.close();
    streams.close();
    context.close();
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.cuda.CudaDevice;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.engine.CompiledProgram;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.engine.ProgramEngine;
import io.sparkstencil.error.DeviceOutOfMemoryException;
import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.kernels.gpu.GpuOptions;
import io.sparkstencil.kernels.launch.HeldKernels;
import io.sparkstencil.kernels.program.plan.FieldLayout;
import io.sparkstencil.kernels.program.plan.Stages;
import io.sparkstencil.kernels.program.source.FusedSource;
import io.sparkstencil.kernels.program.source.KnownKernels;
import io.sparkstencil.kernels.program.source.TunedSource;
import io.sparkstencil.kernels.tuning.TunedKernel;
import io.sparkstencil.kernels.tuning.TuningStore;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.PlacedProgram;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.StencilProgram;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** Runs programs on one GPU. */
public final class GpuPrograms implements ProgramEngine {
  private final ProgramDevice device;
  private final FusedSource source;
  private final AtomicBoolean closed = new AtomicBoolean();

  private GpuPrograms(ProgramDevice device, FusedSource source) {
    this.device = device;
    this.source = source;
  }

  /**
   * Opens the engine on a device.
   *
   * @param options values of {@link io.sparkstencil.kernels.gpu.GpuOptions} by their keys; other
   *     keys are ignored
   * @throws io.sparkstencil.error.EngineUnavailableException if the device cannot be used
   */
  public static GpuPrograms open(
      CudaDriver driver, CudaDevice device, Map<String, String> options) {
    return open(
        driver,
        device,
        options,
        GpuOptions.tuningFolder(options)
            .<FusedSource>map(folder -> new TunedSource(new TuningStore(folder, device)))
            .orElse(FusedSource.ESTIMATED));
  }

  /** Opens the engine with kernels of several steps from elsewhere. */
  static GpuPrograms open(
      CudaDriver driver, CudaDevice device, Map<String, String> options, FusedSource source) {
    return new GpuPrograms(ProgramDevice.open(driver, device, options), new KnownKernels(source));
  }

  @Override
  public String name() {
    return Engines.GPU;
  }

  @Override
  public String description() {
    CudaDevice traits = device.context().traits();
    return "%s on %s, driver for CUDA %s".formatted(name(), traits, traits.driverVersionText());
  }

  @Override
  public CompiledProgram compile(StencilProgram program) {
    return new GpuProgram(this, program);
  }

  /**
   * Opens a program whose fields stay on the device until it is closed. Kernels are compiled the
   * first time.
   *
   * @throws io.sparkstencil.error.DeviceOutOfMemoryException if the fields do not fit
   * @throws io.sparkstencil.error.KernelCompilationException if the driver refuses a kernel
   */
  public DeviceProgram open(StencilProgram program, ElementType type, Extent extent) {
    return new DeviceProgram(device, program, type, extent, source, device::lease, false);
  }

  @Override
  public Optional<BlockFields> hold(
      StencilProgram program, ElementType type, ExtendedBlock place, boolean urgent) {
    Extent extent = place.extended().extent();
    PlacedProgram placed = PlacedProgram.of(program, type, extent, place.placement());
    if (DeviceProgram.bytes(program, type, extent) > device.roomForBlocks()) {
      return Optional.empty();
    }
    try {
      DeviceProgram fields =
          new DeviceProgram(
              device, placed.program(), type, extent, source, device::leaseForBlock, urgent);
      return Optional.of(new DeviceBlock(device, placed, type, place, fields));
    } catch (DeviceOutOfMemoryException e) {
      return Optional.empty(); // other blocks were faster, or the device is full of other things
    }
  }

  ProgramDevice device() {
    return device;
  }

  /**
   * Returns the measurement that decides which kernel takes the steps of a program, if any does.
   */
  Optional<TunedKernel> tuned(StencilProgram program, ElementType type, Extent extent) {
    FieldLayout layout = FieldLayout.ofSizes(type, extent.sizes());
    ProgramTraits traits = ProgramTraits.of(program);
    return source
        .kernels(traits, type, layout.forKernels(program.dimensions()), device.traits(traits, type))
        .tuned();
  }

  /** Returns the device memory that fields take at once: of those that need parts, all of it. */
  long deviceBytes(StencilProgram program, ElementType type, Extent extent) {
    return Math.min(DeviceProgram.bytes(program, type, extent), device.memoryBytes());
  }

  /** Tells whether fields are larger than the device memory that programs may have. */
  boolean needsParts(StencilProgram program, ElementType type, Extent extent) {
    return DeviceProgram.bytes(program, type, extent) > device.memoryBytes();
  }

  /** Runs a program on fields part by part. */
  void runParts(
      StencilProgram program,
      ProgramArrays arrays,
      ParameterValues parameters,
      int steps,
      int threads) {
    try (HeldKernels held = device.hold()) {
      Stages stages =
          new Stages(ProgramTraits.of(program), arrays.type(), arrays.extent().sizes(), Set.of());
      StageKernels kernels = new StageKernels(stages, program.digest(), held);
      new PartsRun(device, kernels, arrays, parameters, steps, threads).run();
    }
  }

  /** Frees the device's memory and kernels; programs must have been closed. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      device.close();
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.engine.ProgramEngine;
import io.sparkstencil.engine.ProgramEngineProvider;
import io.sparkstencil.engine.ProgramEstimate;
import io.sparkstencil.engine.ProgramTuning;
import io.sparkstencil.engine.ProgramWork;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.fused.FusedKernels;
import io.sparkstencil.kernels.gpu.GpuEngineProvider;
import io.sparkstencil.kernels.gpu.GpuOptions;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.StencilProgram;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Provides a GPU as an engine for programs. */
public final class GpuProgramProvider implements ProgramEngineProvider {
  private static final int RANK = 200;

  // Measured on an H200. A run leases memory, uploads tables and waits; compiling kernels, some
  // 100 ms, is shared by the runs of a process, of which most have many.
  private static final double SECONDS_PER_RUN = 500e-6;
  private static final double SECONDS_PER_LAUNCH = 6e-6;

  /** Threads copy between the heap and pinned memory, and more than these wait for the link. */
  private static final double SECONDS_PER_COPIED_BYTE = 1 / 7.5e9;

  private static final int MOST_COPYING = 4;

  private static final double SECONDS_PER_MOVED_BYTE = 1 / 2.5e12;
  private static final double SECONDS_PER_OPERATION = 1 / 8e12;

  private static final long H200_BYTES = 140L << 30;

  private final GpuEngineProvider devices = new GpuEngineProvider();

  @Override
  public String name() {
    return Engines.GPU;
  }

  @Override
  public int rank() {
    return RANK;
  }

  @Override
  public Optional<String> unavailableReason() {
    return devices.unavailableReason();
  }

  @Override
  public ProgramEstimate estimate(ProgramWork work) {
    double arrays = work.fields() + work.updated();
    double cells = (double) work.cells() * work.type().bytes();
    double perStep =
        Math.max(
            work.stages() * SECONDS_PER_LAUNCH,
            Math.max(
                arrays * cells * SECONDS_PER_MOVED_BYTE,
                (double) work.cells() * work.operations() * SECONDS_PER_OPERATION));
    double copied =
        arrays * cells * SECONDS_PER_COPIED_BYTE / Math.min(MOST_COPYING, work.threads());
    return new ProgramEstimate(SECONDS_PER_RUN, copied, work.steps() * perStep);
  }

  /** Assumes a GPU of the kind that kernels were measured on. */
  @Override
  public int stepsAtOnce(StencilProgram program, ElementType type, Extent extent) {
    List<Integer> sizes = extent.sizes();
    FusedKernel.Layout layout = new FusedKernel.Layout(sizes, sizes.get(sizes.size() - 1));
    return FusedKernels.candidates(ProgramTraits.of(program), type, layout, DeviceTraits.H200)
        .stream()
        .findFirst()
        .map(FusedKernel::steps)
        .orElse(1);
  }

  @Override
  public long roomForBlocks(Map<String, String> options) {
    long all = unavailableReason().isPresent() ? H200_BYTES : devices.device(options).memoryBytes();
    return ProgramDevice.blockBytes(options, GpuOptions.deviceBytes(options, all));
  }

  /** Returns those that the process sees, unless one is named. */
  @Override
  public int devices(Map<String, String> options) {
    boolean any = unavailableReason().isEmpty() && GpuOptions.DEVICE.read(options).isEmpty();
    return any ? devices.devices().size() : 1;
  }

  @Override
  public ProgramEngine open(Map<String, String> options) {
    return GpuPrograms.open(devices.driver(), devices.device(options), options);
  }

  @Override
  public Optional<ProgramTuning> openTuning(ProgramTuning.Request request) {
    Map<String, String> options = request.options();
    Path folder = GpuOptions.requireTuningFolder(request.folder(), options);
    GpuPrograms engine = GpuPrograms.open(devices.driver(), devices.device(options), options);
    return Optional.of(new ProgramSearch(engine, folder, request, System::nanoTime));
  }
}

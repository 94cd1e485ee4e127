/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.engine.ProgramTuning;
import io.sparkstencil.error.DeviceOutOfMemoryException;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.fused.FusedKernels;
import io.sparkstencil.kernels.gpu.GpuOptions;
import io.sparkstencil.kernels.program.plan.FieldLayout;
import io.sparkstencil.kernels.program.source.FusedSource;
import io.sparkstencil.kernels.tuning.LaunchTimer;
import io.sparkstencil.kernels.tuning.TunedFields;
import io.sparkstencil.kernels.tuning.TunedKernel;
import io.sparkstencil.kernels.tuning.TuningStore;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.StencilProgram;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Measures the kernels of programs on the GPU at hand and keeps the fastest in a folder, where
 * engines with that {@code spark.stencil.gpu.tuningFolder} find it. What is timed are whole passes,
 * with every boundary held. Owns its engine.
 */
final class ProgramSearch implements ProgramTuning {
  /** How many kernels are tried besides those of the built-in choice: the estimated fastest. */
  private static final int FASTEST = 12;

  /** How much faster a kernel must be than the built-in choice: less is noise. */
  private static final double LEAST_GAIN = 0.01;

  /** Steps between two readings of the device's clock, about: many, so that a gap counts little. */
  private static final int STEPS_PER_SAMPLE = 48;

  /** Small enough for the steps of most programs to be stable; no kernel branches on it. */
  private static final double PARAMETER = 0.1;

  private final GpuPrograms engine;
  private final TuningStore store;
  private final int samples;
  private final long nanos;
  private final LongSupplier clock;

  /**
   * Measures on {@code engine}, which is closed with the search.
   *
   * @param clock nanoseconds, for the time that a search takes
   */
  ProgramSearch(GpuPrograms engine, Path folder, Request request, LongSupplier clock) {
    this.engine = engine;
    this.store = new TuningStore(folder, engine.device().context().traits());
    this.samples = request.samples();
    this.nanos = TimeUnit.SECONDS.toNanos(request.seconds());
    this.clock = clock;
  }

  @Override
  public String description() {
    return engine.description();
  }

  @Override
  public Path file() {
    return store.file();
  }

  @Override
  public FoundProgram tune(
      StencilProgram program, ElementType type, Extent extent, Consumer<Trial> each) {
    requireRoom(program, type, extent);
    long begun = clock.getAsLong();
    ProgramArrays cells = cells(program, type, extent);
    Trial builtIn = builtIn(program, cells);
    each.accept(builtIn);
    Trial fastest = builtIn;
    int measured = 1;
    for (FusedSource.Kernels way : ways(program, type, extent, builtIn.kernel())) {
      if (clock.getAsLong() - begun >= nanos) {
        break;
      }
      Trial trial = trial(program, cells, way);
      each.accept(trial);
      measured += trial.millisPerStep().isPresent() ? 1 : 0;
      fastest = millis(trial) < millis(fastest) ? trial : fastest;
    }
    boolean faster = millis(fastest) <= millis(builtIn) * (1 - LEAST_GAIN);
    Trial kept = faster ? fastest : builtIn;
    store.save(
        new TunedFields(program.digest(), type, extent.sizes()),
        new TunedKernel(kept.kernel(), millis(kept), program.toString()));
    return new FoundProgram(kept, builtIn, measured);
  }

  private static double millis(Trial trial) {
    return trial.millisPerStep().orElse(Double.POSITIVE_INFINITY);
  }

  private void requireRoom(StencilProgram program, ElementType type, Extent extent) {
    long bytes = DeviceProgram.bytes(program, type, extent);
    long most = engine.device().memoryBytes();
    if (bytes > most) {
      throw new DeviceOutOfMemoryException(
          "fields of %s with the extent %s take %d bytes of device memory, and programs may have %d; tune smaller fields or raise %s"
              .formatted(type, extent.sizes(), bytes, most, GpuOptions.DEVICE_BYTES.key()));
    }
  }

  /** Returns what may be faster than the built-in choice: the estimated fastest first. */
  private List<FusedSource.Kernels> ways(
      StencilProgram program, ElementType type, Extent extent, String builtIn) {
    ProgramTraits traits = ProgramTraits.of(program);
    FusedKernel.Layout layout =
        FieldLayout.ofSizes(type, extent.sizes()).forKernels(program.dimensions());
    DeviceTraits device = engine.device().traits(traits, type);
    Map<String, FusedKernel> tried = new LinkedHashMap<>();
    FusedKernels.fastestFirst(traits, type, layout, device).stream()
        .limit(FASTEST)
        .forEach(kernel -> tried.put(kernel.toString(), kernel));
    FusedKernels.candidates(traits, type, layout, device)
        .forEach(kernel -> tried.putIfAbsent(kernel.toString(), kernel));
    tried.remove(builtIn);
    List<FusedSource.Kernels> ways = new ArrayList<>();
    if (!builtIn.equals(TunedKernel.SINGLE_STEPS)) {
      ways.add(FusedSource.Kernels.NONE);
    }
    tried.values().forEach(kernel -> ways.add(FusedSource.Kernels.only(kernel)));
    return ways;
  }

  private Trial builtIn(StencilProgram program, ProgramArrays cells) {
    try (DeviceProgram fields = open(program, cells, FusedSource.ESTIMATED)) {
      return time(fields, cells, fields.kernel());
    }
  }

  private Trial trial(StencilProgram program, ProgramArrays cells, FusedSource.Kernels way) {
    try (DeviceProgram fields = open(program, cells, (traits, type, layout, device) -> way)) {
      Optional<FusedKernel> kernel = fields.kernel();
      Optional<FusedKernel> wanted = way.measured().stream().findFirst();
      return kernel.equals(wanted)
          ? time(fields, cells, kernel)
          : new Trial(wanted.orElseThrow().toString(), OptionalDouble.empty());
    }
  }

  private DeviceProgram open(StencilProgram program, ProgramArrays cells, FusedSource source) {
    ProgramDevice device = engine.device();
    return new DeviceProgram(
        device, program, cells.type(), cells.extent(), source, device::lease, false);
  }

  private Trial time(DeviceProgram fields, ProgramArrays cells, Optional<FusedKernel> kernel) {
    int steps = kernel.map(FusedKernel::steps).orElse(1);
    int passes = Math.max(2, STEPS_PER_SAMPLE / steps);
    ParameterValues parameters = (parameter, step) -> PARAMETER;
    fields.load(cells, Runtime.getRuntime().availableProcessors());
    try (LaunchTimer timer =
        new LaunchTimer(engine.device().context(), fields.stream(), samples, passes)) {
      double millis =
          timer.time(pass -> fields.step(parameters, (long) pass * steps, steps)).millis();
      return new Trial(
          kernel.map(FusedKernel::toString).orElse(TunedKernel.SINGLE_STEPS),
          OptionalDouble.of(millis / steps));
    }
  }

  /** Returns cells of which none is zero or tiny: all fields have the same, to save memory. */
  private static ProgramArrays cells(StencilProgram program, ElementType type, Extent extent) {
    SplittableRandom random = new SplittableRandom(1);
    Object cells = type.newArray(extent.cells());
    for (int i = 0; i < extent.cells(); i++) {
      double cell = 0.5 + random.nextDouble();
      if (cells instanceof float[] floats) {
        floats[i] = (float) cell;
      } else {
        ((double[]) cells)[i] = cell;
      }
    }
    return new ProgramArrays(type, extent, Collections.nCopies(program.fields().size(), cells));
  }

  @Override
  public void close() {
    engine.close();
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.engine.CompiledProgram;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.PlacedProgram;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import java.util.Locale;
import java.util.Optional;

/** A program that runs on a GPU, on arrays that are on the heap before and after. */
final class GpuProgram implements CompiledProgram {
  private final GpuPrograms engine;
  private final StencilProgram program;

  GpuProgram(GpuPrograms engine, StencilProgram program) {
    this.engine = engine;
    this.program = program;
  }

  @Override
  public void run(ProgramArrays arrays, ParameterValues parameters, int steps, int threads) {
    arrays.requireFieldsOf(program);
    if (steps < 0) {
      throw new InvalidStencilException("%d steps; use at least 0".formatted(steps));
    }
    if (steps == 0) {
      return;
    }
    PlacedProgram placed =
        PlacedProgram.of(program, arrays.type(), arrays.extent(), arrays.placement());
    run(placed.program(), arrays, placed.parameters(parameters), steps, threads);
  }

  private void run(
      StencilProgram whole,
      ProgramArrays arrays,
      ParameterValues parameters,
      int steps,
      int threads) {
    if (engine.needsParts(whole, arrays.type(), arrays.extent())) {
      engine.runParts(whole, arrays, parameters, steps, threads);
      return;
    }
    try (DeviceProgram fields = engine.open(whole, arrays.type(), arrays.extent())) {
      fields.load(arrays, threads);
      fields.step(parameters, 0, steps);
      fields.stream().synchronize();
      try {
        fields.store(arrays, threads);
      } catch (StencilException e) {
        throw new StencilException(
            ErrorCode.INTERNAL,
            "the device failed while results were copied, and arrays are incomplete: "
                + e.getMessage(),
            e);
      }
    }
  }

  @Override
  public long deviceBytes(ElementType type, Extent extent) {
    return engine.deviceBytes(program, type, extent);
  }

  @Override
  public Optional<String> measured(ElementType type, Extent extent) {
    return engine
        .tuned(program, type, extent)
        .map(
            tuned ->
                String.format(
                    Locale.ROOT,
                    "%s, by stencil tune: %.3g ms per step",
                    tuned.kernel(),
                    tuned.millisPerStep()));
  }
}

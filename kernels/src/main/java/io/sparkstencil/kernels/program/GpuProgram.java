/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.engine.CompiledProgram;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.error.UnsupportedStencilException;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;

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
    requireWhole(arrays);
    if (engine.needsParts(program, arrays.type(), arrays.extent())) {
      engine.runParts(program, arrays, parameters, steps, threads);
      return;
    }
    try (DeviceProgram fields = engine.open(program, arrays.type(), arrays.extent())) {
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

  /** Kernels count positions from an array's first cell. */
  private void requireWhole(ProgramArrays arrays) {
    boolean readsPositions = program.nodes().stream().anyMatch(Node.Coordinate.class::isInstance);
    if (readsPositions && !arrays.placement().isWhole(arrays.extent())) {
      throw new UnsupportedStencilException(
          "the program reads positions in a grid, of which these arrays are the part at %s; the GPU counts positions from an array's first cell: use the CPU, or a field that holds the positions"
              .formatted(arrays.placement().origin()));
    }
  }
}

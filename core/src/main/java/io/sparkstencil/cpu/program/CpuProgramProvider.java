/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

import io.sparkstencil.cpu.PassChoice;
import io.sparkstencil.engine.CompiledProgram;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.engine.ProgramEngine;
import io.sparkstencil.engine.ProgramEngineProvider;
import io.sparkstencil.engine.ProgramEstimate;
import io.sparkstencil.engine.ProgramWork;
import io.sparkstencil.program.StencilProgram;
import java.util.Map;

/** Provides the cores of the CPU as an engine for programs, which works everywhere. */
public final class CpuProgramProvider implements ProgramEngineProvider {
  private static final int RANK = 100;

  // measured: a five-point step of doubles, 9 operations, takes 0.33 ns per cell on one thread;
  // time goes with the bytes of operands, as vectors hold twice as many floats as doubles
  private static final double SECONDS_PER_BYTE = 0.005e-9;
  private static final double SECONDS_PER_OPERATION_BYTE = 0.004e-9;
  private static final double SECONDS_PER_RUN = 5e-6;
  private static final double SECONDS_PER_THREAD = 30e-6;

  @Override
  public String name() {
    return Engines.CPU;
  }

  @Override
  public int rank() {
    return RANK;
  }

  @Override
  public ProgramEstimate estimate(ProgramWork work) {
    double perCell =
        work.type().bytes() * (SECONDS_PER_BYTE + SECONDS_PER_OPERATION_BYTE * work.operations());
    double fixed = SECONDS_PER_RUN + (work.threads() - 1) * SECONDS_PER_THREAD;
    double cells = (double) work.cells() * work.steps();
    return new ProgramEstimate(fixed, 0, cells * perCell / work.threads());
  }

  @Override
  public ProgramEngine open(Map<String, String> options) {
    return new CpuEngine(Map.copyOf(options), PassChoice.of(options));
  }

  private record CpuEngine(Map<String, String> options, PassChoice passes)
      implements ProgramEngine {
    @Override
    public String name() {
      return Engines.CPU;
    }

    @Override
    public String description() {
      return "%s, %s".formatted(name(), passes.description());
    }

    @Override
    public CompiledProgram compile(StencilProgram program) {
      return CpuProgram.compile(program, options)::run;
    }

    @Override
    public void close() {
      // runs own all memory
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

import io.sparkstencil.cpu.PassKind;
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

  // measured on a core of a Xeon, for heat, waves and Gray-Scott in 1 to 3 dimensions: a step takes
  // 0.5 to 2.7 times this. Time goes with the bytes of operands, as vectors hold twice as many
  // floats as doubles
  private static final double SECONDS_PER_BYTE = 0.01e-9;
  private static final double SECONDS_PER_OPERATION_BYTE = 0.01e-9;

  // measured there, too: a run reads arrays from memory and writes them back, 0.15 for 1 million
  // cells and 0.23 for 4 million, as much as 1.5 (3-D) to 8 (1-D) of its steps
  private static final double SECONDS_PER_MOVED_BYTE = 0.2e-9;

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
    double perStep = SECONDS_PER_BYTE + SECONDS_PER_OPERATION_BYTE * work.operations();
    double moved = (work.fields() + work.updated()) * SECONDS_PER_MOVED_BYTE;
    double perCell = work.type().bytes() * (work.steps() * perStep + moved);
    double fixed = SECONDS_PER_RUN + (work.threads() - 1) * SECONDS_PER_THREAD;
    return new ProgramEstimate(fixed, 0, work.cells() * perCell / work.threads());
  }

  @Override
  public ProgramEngine open(Map<String, String> options) {
    return new CpuEngine(Map.copyOf(options), PassKind.of(options));
  }

  private record CpuEngine(Map<String, String> options, PassKind passes) implements ProgramEngine {
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

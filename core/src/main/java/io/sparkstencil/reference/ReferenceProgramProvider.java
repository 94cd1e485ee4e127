/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.reference;

import io.sparkstencil.engine.CompiledProgram;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.engine.ProgramEngine;
import io.sparkstencil.engine.ProgramEngineProvider;
import io.sparkstencil.engine.ProgramEstimate;
import io.sparkstencil.engine.ProgramWork;
import io.sparkstencil.program.StencilProgram;
import java.util.Map;

/** Provides the scalar reference as an engine for programs, for those who ask for it by name. */
public final class ReferenceProgramProvider implements ProgramEngineProvider {
  private static final double SECONDS_PER_OPERATION = 20e-9;

  @Override
  public String name() {
    return Engines.REFERENCE;
  }

  @Override
  public int rank() {
    return ONLY_BY_NAME;
  }

  @Override
  public ProgramEstimate estimate(ProgramWork work) {
    double operations = (double) work.cells() * work.steps() * (1 + work.operations());
    return new ProgramEstimate(0, 0, operations * SECONDS_PER_OPERATION);
  }

  @Override
  public ProgramEngine open(Map<String, String> options) {
    return new ReferencePrograms();
  }

  private static final class ReferencePrograms implements ProgramEngine {
    @Override
    public String name() {
      return Engines.REFERENCE;
    }

    @Override
    public String description() {
      return name();
    }

    @Override
    public CompiledProgram compile(StencilProgram program) {
      return (arrays, parameters, steps, threads) ->
          ProgramReference.run(program, arrays, parameters, steps);
    }

    @Override
    public void close() {
      // has no resources
    }
  }
}

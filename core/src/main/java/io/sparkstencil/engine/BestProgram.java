/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.StencilProgram;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/**
 * A program that runs on the engine that is estimated to be the fastest for each run. If that
 * engine cannot, the next one does, and results have the same bits.
 */
public final class BestProgram implements CompiledProgram {
  private final ProgramEngines engines;
  private final StencilProgram program;
  private final ProgramWork one;
  private final Map<String, CompiledProgram> compiled = new ConcurrentHashMap<>();

  /** The engines that have failed in a way that does not depend on a run. */
  private final Set<String> refusals = ConcurrentHashMap.newKeySet();

  BestProgram(ProgramEngines engines, StencilProgram program) {
    this.engines = engines;
    this.program = program;
    one = ProgramWork.of(ProgramTraits.of(program));
  }

  /** Returns the engines that may run the program, the fastest first. */
  public ProgramChoice choose(ElementType type, Extent extent, int steps, int threads) {
    return engines.choose(one.of(type, extent, steps, threads));
  }

  @Override
  public void run(ProgramArrays arrays, ParameterValues parameters, int steps, int threads) {
    run(arrays, parameters, steps, threads, (engine, failure) -> {});
  }

  /**
   * Runs a number of steps, as {@link #run(ProgramArrays, ParameterValues, int, int)} does.
   *
   * @param failed is told the name of each engine that fails, and how it fails
   * @return the name of the engine that has done it
   */
  public String run(
      ProgramArrays arrays,
      ParameterValues parameters,
      int steps,
      int threads,
      BiConsumer<String, StencilException> failed) {
    List<String> candidates =
        choose(arrays.type(), arrays.extent(), steps, threads).candidates().stream()
            .map(ProgramChoice.Candidate::engine)
            .toList();
    for (int i = 0; ; i++) {
      String engine = candidates.get(i);
      boolean last = i == candidates.size() - 1;
      if (!last && refusals.contains(engine)) {
        continue;
      }
      try {
        compiled(engine).run(arrays, parameters, steps, threads);
        return engine;
      } catch (StencilException e) {
        failed.accept(engine, e);
        if (!engines.mayTakeOver(engine, e) || last) {
          throw e;
        }
        if (e.code() != ErrorCode.OUT_OF_DEVICE_MEMORY) {
          refusals.add(engine); // it would fail in the next run, too
        }
      }
    }
  }

  private CompiledProgram compiled(String engine) {
    CompiledProgram known = compiled.get(engine);
    if (known == null) {
      known = engines.engine(engine).compile(program);
      compiled.put(engine, known);
    }
    return known;
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.StencilProgram;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  /**
   * Returns the fields of a block on the device of the engine that is estimated to be the fastest
   * for cells that stay where they are.
   *
   * @param steps how many are taken at once
   * @param urgent whether blocks of other processes wait for its faces
   * @param failed is told the name of that engine if it fails, and how it fails
   * @return nothing if that engine computes on the heap, has no room, or fails
   * @throws StencilException if it fails in a way that others may, too
   */
  public Optional<BlockFields> hold(
      ElementType type,
      ExtendedBlock place,
      int steps,
      boolean urgent,
      BiConsumer<String, StencilException> failed) {
    Optional<String> fastest =
        choose(type, place.extended().extent(), steps, 1).candidates().stream()
            .filter(candidate -> !refusals.contains(candidate.engine()))
            .min(Comparator.comparingDouble(candidate -> withoutCopies(candidate.estimate())))
            .map(ProgramChoice.Candidate::engine);
    try {
      return fastest.flatMap(engine -> engines.engine(engine).hold(program, type, place, urgent));
    } catch (StencilException e) {
      failed.accept(fastest.orElseThrow(), e);
      if (!engines.mayTakeOver(fastest.orElseThrow(), e)) {
        throw e;
      }
      return Optional.empty();
    }
  }

  private static double withoutCopies(ProgramEstimate estimate) {
    return estimate.fixedSeconds() + estimate.stepSeconds();
  }

  /**
   * Notes that an engine has failed with fields that it held; returns whether another engine may do
   * what it has failed to do. A lost device is not used again.
   */
  public boolean mayTakeOver(String engine, StencilException failure) {
    return engines.mayTakeOver(engine, failure);
  }

  /**
   * Returns how an engine takes steps on fields of this type and extent, if a measurement has
   * decided it.
   */
  public Optional<String> measured(String engine, ElementType type, Extent extent) {
    return compiled(engine).measured(type, extent);
  }

  /** Returns the device memory that the fields of a run on an engine take at once, in bytes. */
  public long deviceBytes(String engine, ElementType type, Extent extent) {
    return compiled(engine).deviceBytes(type, extent);
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

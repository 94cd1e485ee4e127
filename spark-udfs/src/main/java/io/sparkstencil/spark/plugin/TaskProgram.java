/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.engine.BestProgram;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.engine.ProgramChoice;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.conf.StencilOptions;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.spark.TaskContext;

/**
 * A program as a task runs it: each time on the engine that the options name or, under {@code
 * auto}, on the one that is estimated to be done first. Holds nothing between runs, so that it need
 * not be closed. Used by one thread.
 */
public final class TaskProgram {
  private static final Set<ErrorCode> OF_ENGINES =
      EnumSet.of(
          ErrorCode.UNSUPPORTED,
          ErrorCode.ENGINE_UNAVAILABLE,
          ErrorCode.OUT_OF_DEVICE_MEMORY,
          ErrorCode.KERNEL_COMPILATION,
          ErrorCode.DEVICE_LOST);

  private final ExecutorRuntime runtime;
  private final StencilProgram program;
  private final String wanted;
  private final boolean fallback;
  private final String device; // empty if there is none
  private final Map<String, BestProgram> programs = new HashMap<>(); // by the name asked for
  private String engine;
  private EngineChoice choice = EngineChoice.ASKED_FOR;
  private int fallbacks;

  TaskProgram(ExecutorRuntime runtime, StencilProgram program, StencilConf conf, String device) {
    this.runtime = runtime;
    this.program = program;
    this.wanted = conf.get(StencilOptions.ENGINE);
    this.fallback = conf.get(StencilOptions.FALLBACK);
    this.device = device;
    programs.put(wanted, best(wanted)); // so that an engine that is not there is known at once
  }

  /**
   * Runs a number of steps on one core or one device, and replaces the cells of updated fields.
   *
   * @throws StencilException if no engine can
   */
  public void run(ProgramArrays arrays, ParameterValues parameters, int steps) {
    TaskContext context = TaskContext.get();
    if (context != null) {
      context.killTaskIfInterrupted();
    }
    runtime.laneOpened();
    try {
      String first = choose(arrays, steps);
      engine =
          wanted.equals(Engines.AUTO) && fallback
              ? run(Engines.AUTO, arrays, parameters, steps)
              : runNamed(first, arrays, parameters, steps);
    } finally {
      runtime.laneClosed();
    }
  }

  /** Returns the engine that is to be tried first, and keeps the reason. */
  private String choose(ProgramArrays arrays, int steps) {
    if (!wanted.equals(Engines.AUTO)) {
      return wanted;
    }
    ProgramChoice found = best(wanted).choose(arrays.type(), arrays.extent(), steps, 1);
    choice =
        found.candidates().size() == 1
            ? EngineChoice.ONLY_ONE
            : found.engine().equals(Engines.CPU)
                ? EngineChoice.HOST_FASTER
                : EngineChoice.DEVICE_FASTER;
    return found.engine();
  }

  private String runNamed(
      String name, ProgramArrays arrays, ParameterValues parameters, int steps) {
    try {
      return run(name, arrays, parameters, steps);
    } catch (StencilException e) {
      if (!fallback || name.equals(Engines.CPU) || !OF_ENGINES.contains(e.code())) {
        throw e;
      }
      return run(Engines.CPU, arrays, parameters, steps);
    }
  }

  private String run(String name, ProgramArrays arrays, ParameterValues parameters, int steps) {
    return best(name).run(arrays, parameters, steps, 1, this::failed);
  }

  private BestProgram best(String name) {
    return programs.computeIfAbsent(
        name, each -> runtime.programs().engines(each, device).compile(program));
  }

  private void failed(String name, StencilException failure) {
    fallbacks++;
    runtime.failed(device, failure);
  }

  /** Returns the engine of the last run; null before the first. */
  public String engine() {
    return engine;
  }

  /** Returns why the last run was tried on the engine that it was tried on first. */
  public EngineChoice choice() {
    return choice;
  }

  /** Returns how often an engine has failed. */
  public int fallbacks() {
    return fallbacks;
  }
}

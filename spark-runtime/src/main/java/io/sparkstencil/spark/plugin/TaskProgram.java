/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.engine.BestProgram;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.engine.ProgramChoice;
import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.failover.FailoverEngine.Permit;
import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.conf.StencilOptions;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.spark.TaskContext;

/**
 * A program as a task runs it: each time on the engine that the options name or, under {@code
 * auto}, on the one that is estimated to be done first. Holds nothing between runs, so that it need
 * not be closed. Used by one thread.
 */
public final class TaskProgram {
  /** Failures that another engine may do without. */
  static final Set<ErrorCode> OF_ENGINES =
      EnumSet.of(
          ErrorCode.UNSUPPORTED,
          ErrorCode.ENGINE_UNAVAILABLE,
          ErrorCode.OUT_OF_DEVICE_MEMORY,
          ErrorCode.KERNEL_COMPILATION,
          ErrorCode.DEVICE_LOST);

  static final Set<String> ON_HOST = Set.of(Engines.CPU, Engines.REFERENCE);

  private final ExecutorRuntime runtime;
  private final StencilProgram program;
  private final String wanted;
  private final boolean fallback;
  private final ProcessEngine device; // null if there is none
  private final long task;
  private final Map<String, BestProgram> programs = new HashMap<>(); // by the name asked for
  private String engine;
  private EngineChoice choice = EngineChoice.ASKED_FOR;
  private int fallbacks;
  private long deviceBytes;

  /**
   * Creates the program of a task.
   *
   * @param device the engine for windows of the task's device, whose permits programs take as well;
   *     null if there is none
   * @param task the task's attempt
   */
  TaskProgram(
      ExecutorRuntime runtime,
      StencilProgram program,
      StencilConf conf,
      ProcessEngine device,
      long task) {
    this.runtime = runtime;
    this.task = task;
    this.program = program;
    this.wanted = conf.get(StencilOptions.ENGINE);
    this.fallback = conf.get(StencilOptions.FALLBACK);
    this.device = device;
    programs.put(wanted, best(wanted)); // so that an engine that is not there is known at once
  }

  /**
   * Runs a number of steps on one core or one device, and replaces the cells of updated fields.
   * Waits for its turn on the device, which tasks with windows take as well.
   *
   * @throws StencilException if no engine can
   */
  public void run(ProgramArrays arrays, ParameterValues parameters, int steps) {
    inTurn(
        () -> choose(arrays, steps),
        first ->
            engine =
                wanted.equals(Engines.AUTO) && fallback
                    ? run(Engines.AUTO, arrays, parameters, steps)
                    : runNamed(first, arrays, parameters, steps));
  }

  /** Does some work when it is the task's turn on the device, or at once if it is for the host. */
  private void inTurn(Supplier<String> chosen, Consumer<String> work) {
    checkpoint();
    runtime.laneOpened();
    try {
      String first = chosen.get();
      Permit turn =
          device == null || ON_HOST.contains(first)
              ? Permit.FREE
              : device.admit(task, TaskProgram::checkpoint);
      try {
        work.accept(first);
      } finally {
        turn.close();
      }
    } finally {
      runtime.laneClosed();
    }
  }

  /**
   * Returns the fields of a block on the device of the task, if its engine is the one that the
   * options name or, under {@code auto}, is estimated to be done first with cells that stay.
   *
   * @param steps how many are taken at once
   * @param urgent whether blocks of other processes wait for its faces
   * @return nothing if the fields are better on the heap, or have no room on the device
   * @throws StencilException if the device fails and no other engine may take over
   */
  public Optional<BlockFields> hold(
      ElementType type, ExtendedBlock place, int steps, boolean urgent) {
    if (ON_HOST.contains(wanted)) {
      return Optional.empty();
    }
    runtime.laneOpened();
    try {
      return best(wanted).hold(type, place, steps, urgent, this::failedToHold);
    } catch (EngineUnavailableException e) {
      failedToHold(wanted, e); // its device was lost before
      return Optional.empty();
    } finally {
      runtime.laneClosed();
    }
  }

  private void failedToHold(String name, StencilException failure) {
    failed(name, failure);
    if (!fallback) {
      throw failure;
    }
  }

  /**
   * Takes a number of steps where the fields are, and waits for them. Those of fields on the heap
   * are taken as {@link #run} does.
   *
   * @throws StencilException if no engine can
   */
  public void step(BlockFields fields, ParameterValues parameters, int steps) {
    if (fields.engine().isEmpty()) {
      fields.step(parameters, steps, this::run);
      return;
    }
    inTurn(fields::engine, name -> fields.step(parameters, steps, this::run));
    engine = fields.engine();
  }

  /**
   * Counts a failure of an engine with fields that it held; returns whether the host may begin with
   * them again.
   */
  public boolean isLeftToHost(String name, StencilException failure) {
    failed(name, failure);
    return best(wanted).mayTakeOver(name, failure) && fallback;
  }

  /** Ends a task that Spark wants to end. */
  static void checkpoint() {
    TaskContext context = TaskContext.get();
    if (context != null) {
      context.killTaskIfInterrupted();
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
    BestProgram best = best(name);
    String ran = best.run(arrays, parameters, steps, 1, this::failed);
    deviceBytes = Math.max(deviceBytes, best.deviceBytes(ran, arrays.type(), arrays.extent()));
    return ran;
  }

  private BestProgram best(String name) {
    return programs.computeIfAbsent(
        name, each -> runtime.programs().engines(each, address()).compile(program));
  }

  private String address() {
    return device == null ? "" : device.address();
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

  /** Returns the most device memory that the fields of a run have taken, in bytes. */
  public long deviceBytes() {
    return deviceBytes;
  }

  /** Returns how often an engine has failed. */
  public int fallbacks() {
    return fallbacks;
  }
}

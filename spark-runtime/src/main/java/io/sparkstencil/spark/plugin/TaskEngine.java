/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.failover.FailoverEngine;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;

/**
 * The engine of one task: used like any engine, by the task's thread. It is closed when the task
 * ends, whether the task succeeds, fails or is killed; outside of a task the caller closes it.
 */
public final class TaskEngine extends FailoverEngine<ProcessEngine> {
  private final ExecutorRuntime runtime;
  private final TaskContext context;
  private final long task;
  private final PartitionWork work;
  private final ProcessEngines.Choice choice;
  private final Set<ProcessEngine> joined = new HashSet<>(); // where the task is counted
  private final Map<ErrorCode, Integer> fallbacks = new EnumMap<>(ErrorCode.class);
  private long queueNanos;
  private boolean closed;

  /**
   * Creates the engine of a task.
   *
   * @param context the task, or null outside of tasks
   * @param task its attempt, which no other engine's task or caller shares
   * @param choice the engines to use, in which order, and why; the task is counted with the first
   */
  TaskEngine(
      ExecutorRuntime runtime,
      TaskContext context,
      long task,
      PartitionWork work,
      ProcessEngines.Choice choice) {
    super(choice.engines());
    this.runtime = runtime;
    this.context = context;
    this.task = task;
    this.work = work;
    this.choice = choice;
    joined.add(choice.engines().get(0));
  }

  @Override
  protected String name(ProcessEngine engine) {
    return engine.name();
  }

  @Override
  protected StencilEngine open(ProcessEngine engine) {
    StencilEngine opened = engine.open();
    if (joined.add(engine)) {
      engine.join(task);
    }
    return opened;
  }

  @Override
  protected Permit admit(ProcessEngine engine) {
    long start = System.nanoTime();
    try {
      return engine.admit(task, this::checkpoint);
    } finally {
      queueNanos += engine.hasDevice() ? System.nanoTime() - start : 0;
    }
  }

  @Override
  protected void laneOpened() {
    runtime.laneOpened();
  }

  @Override
  protected void laneClosed() {
    runtime.laneClosed();
  }

  @Override
  protected void checkpoint() {
    if (context != null) {
      context.killTaskIfInterrupted();
    }
    if (runtime.isClosing()) {
      throw new TaskKilledException("the executor's engines are shutting down");
    }
  }

  @Override
  protected void failed(ProcessEngine engine, StencilException failure, Reaction reaction) {
    fallbacks.merge(failure.code(), 1, Integer::sum);
    runtime.failed(engine, failure, reaction);
  }

  /** Returns what has been done so far. */
  public TaskReport report() {
    return new TaskReport(
        name(),
        choice.why(),
        totals().outputCells(),
        totals().stagedBytes(),
        totals().engineNanos(),
        queueNanos,
        deviceTimes(),
        deviceBytes(),
        fallbacks);
  }

  /** Gives everything back; closing again does nothing. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      super.close();
    } finally {
      joined.forEach(engine -> engine.leave(task));
      runtime.finished(report(), work, choice);
    }
  }
}

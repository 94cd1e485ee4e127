/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.error.DeviceLostException;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.failover.BatchTotals;
import io.sparkstencil.failover.EngineCandidate;
import io.sparkstencil.failover.FailoverEngine;
import io.sparkstencil.failover.FailoverPolicy;
import io.sparkstencil.model.StencilSpec;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.TaskKilledException;

/**
 * The engine of one task: to be used like any engine, by the task's thread. Closed when the task
 * ends, whether it succeeds, fails or is killed; whoever uses it outside of a task closes it.
 */
public final class TaskEngine implements StencilEngine {
  private final ExecutorRuntime runtime;
  private final TaskScope scope;
  private final PartitionWork work;
  private final ProcessEngines.Choice choice;
  private final Set<ProcessEngine> held = new HashSet<>(); // where this engine is counted
  private final FailoverEngine engine;
  private final Map<ErrorCode, Integer> fallbacks = new EnumMap<>(ErrorCode.class);
  private long queueNanos;
  private boolean closed;

  /** An engine of the process, as this task may use it. */
  private final class Candidate implements EngineCandidate {
    private final ProcessEngine slot;

    Candidate(ProcessEngine slot) {
      this.slot = slot;
    }

    @Override
    public String name() {
      return slot.name();
    }

    @Override
    public StencilEngine engine() {
      StencilEngine handed = slot.engine();
      if (held.add(slot)) {
        slot.join(scope.id());
      }
      return handed;
    }

    @Override
    public Admission admit() {
      if (!slot.hasDevice()) {
        return Admission.FREE;
      }
      long start = System.nanoTime();
      try {
        return slot.permits().acquire(scope.id(), TaskEngine.this::checkpoint);
      } finally {
        queueNanos += System.nanoTime() - start;
      }
    }
  }

  private final class Policy implements FailoverPolicy {
    @Override
    public void laneOpened() {
      runtime.laneOpened();
    }

    @Override
    public void laneClosed() {
      runtime.laneClosed();
    }

    @Override
    public void checkpoint() {
      TaskEngine.this.checkpoint();
    }

    @Override
    public void failed(String name, StencilException failure, Reaction reaction) {
      fallbacks.merge(failure.code(), 1, Integer::sum);
      ProcessEngine slot =
          choice.slots().stream().filter(s -> s.name().equals(name)).findFirst().orElseThrow();
      runtime.failed(slot, failure, reaction);
      if (failure instanceof DeviceLostException) {
        runtime.deviceLoss().lost(slot, failure);
      }
    }
  }

  /**
   * Creates the engine of a task.
   *
   * @param choice the engines to use, in which order, and why; counted in with the first
   */
  TaskEngine(
      ExecutorRuntime runtime, TaskScope scope, PartitionWork work, ProcessEngines.Choice choice) {
    this.runtime = runtime;
    this.scope = scope;
    this.work = work;
    this.choice = choice;
    held.add(choice.slots().get(0));
    this.engine =
        new FailoverEngine(
            choice.slots().stream().<EngineCandidate>map(Candidate::new).toList(), new Policy());
  }

  private void checkpoint() {
    scope.checkpoint();
    if (runtime.isClosing()) {
      throw new TaskKilledException("the executor's engines are shutting down");
    }
  }

  @Override
  public String name() {
    return engine.name();
  }

  @Override
  public String description() {
    return engine.description();
  }

  /** Returns why this engine was chosen, in words. */
  public String reason() {
    return choice.reason();
  }

  /** Returns what has been done so far. */
  public TaskReport report() {
    BatchTotals totals = engine.totals();
    return new TaskReport(
        engine.name(),
        choice.why(),
        choice.reason(),
        totals.batches(),
        totals.outputCells(),
        totals.stagedBytes(),
        totals.engineNanos(),
        queueNanos,
        engine.deviceTimes(),
        fallbacks);
  }

  @Override
  public Optional<String> reasonAgainst(StencilSpec spec) {
    return engine.reasonAgainst(spec);
  }

  @Override
  public CompiledStencil compile(StencilSpec spec) {
    return engine.compile(spec);
  }

  @Override
  public Lane openLane() {
    return engine.openLane();
  }

  @Override
  public int preferredBatchBytes() {
    return engine.preferredBatchBytes();
  }

  /** Gives everything back; closing again does nothing. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      engine.close();
    } finally {
      held.forEach(slot -> slot.leave(scope.id()));
      runtime.finished(this, work, choice);
    }
  }
}

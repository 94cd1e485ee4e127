/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.failover;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.DeviceTimes;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.error.UnsupportedStencilException;
import io.sparkstencil.model.StencilSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The engine of one task: the first candidate that can, and from where that fails on the next one.
 *
 * <pre>
 *   out of memory                 -> the same engine, a quarter of the batch at a time, down to 64 KiB
 *   no such engine, stencil refused or not compiled, device lost, still out of memory -> next engine
 *   anything else                 -> the caller
 * </pre>
 *
 * <p>A batch that fails is run again: its cells are still in the caller's buffers, which are host
 * memory and outlive a device's context. Engines give the same bits, so that nobody sees in a
 * result where an engine changed. It never goes back to an engine that has failed. Used by one
 * thread; the candidates own the engines.
 */
public final class FailoverEngine implements StencilEngine {
  private final List<EngineCandidate> candidates;
  private final FailoverPolicy policy;
  private final BatchTotals totals = new BatchTotals();
  private final List<FailoverLane> lanes = new ArrayList<>();
  private int current;

  /** A stencil, compiled by the engine that it was last used with. */
  static final class Compiled implements CompiledStencil {
    private final StencilSpec spec;
    private CompiledStencil compiled;
    private int by;

    private Compiled(StencilSpec spec) {
      this.spec = spec;
    }

    @Override
    public StencilSpec spec() {
      return spec;
    }

    @Override
    public String description() {
      return compiled.description();
    }
  }

  /**
   * Creates an engine; no candidate is opened before it is needed.
   *
   * @param candidates engines in the order of preference, at least one
   * @param policy what the owner decides
   */
  public FailoverEngine(List<EngineCandidate> candidates, FailoverPolicy policy) {
    this.candidates = List.copyOf(candidates);
    this.policy = requireNonNull(policy, "policy is null");
    if (candidates.isEmpty()) {
      throw new IllegalArgumentException("no engine to choose from");
    }
  }

  /** Returns the name of the engine in use, or of the one that will be tried next. */
  @Override
  public String name() {
    return candidate().name();
  }

  @Override
  public String description() {
    return open().description();
  }

  /** Returns what all lanes have done. */
  public BatchTotals totals() {
    return totals;
  }

  /** Returns what devices have spent on the batches of all lanes. */
  public DeviceTimes deviceTimes() {
    return lanes.stream().map(Lane::deviceTimes).reduce(DeviceTimes.NONE, DeviceTimes::plus);
  }

  @Override
  public Optional<String> reasonAgainst(StencilSpec spec) {
    try {
      compile(spec);
      return Optional.empty();
    } catch (StencilException e) {
      if (isEngineFailure(e.code())) {
        return Optional.of(e.getMessage());
      }
      throw e;
    }
  }

  @Override
  public CompiledStencil compile(StencilSpec spec) {
    Compiled stencil = new Compiled(spec);
    while (true) {
      try {
        compileNow(stencil);
        return stencil;
      } catch (StencilException e) {
        recover(e);
      }
    }
  }

  /** Returns the stencil as the engine in use has compiled it. */
  CompiledStencil compileNow(Compiled stencil) {
    if (stencil.compiled == null || stencil.by != current) {
      StencilEngine engine = candidate().engine();
      Optional<String> reason = engine.reasonAgainst(stencil.spec());
      if (reason.isPresent()) {
        throw new UnsupportedStencilException(
            "engine %s cannot run %s: %s".formatted(engine.name(), stencil.spec(), reason.get()));
      }
      stencil.compiled = engine.compile(stencil.spec());
      stencil.by = current;
    }
    return stencil.compiled;
  }

  /** Opens a lane, which takes an engine's lane when it is first used. */
  @Override
  public Lane openLane() {
    policy.laneOpened();
    FailoverLane lane = new FailoverLane(this, policy, totals);
    lanes.add(lane);
    return lane;
  }

  @Override
  public int preferredBatchBytes() {
    return open().preferredBatchBytes();
  }

  private StencilEngine open() {
    while (true) {
      try {
        return candidate().engine();
      } catch (StencilException e) {
        recover(e);
      }
    }
  }

  EngineCandidate candidate() {
    return candidates.get(current);
  }

  /** Returns the index of the engine in use; grows with each failure. */
  int current() {
    return current;
  }

  /** Moves on to the next engine, or throws what cannot be recovered from. */
  void recover(StencilException failure) {
    requireRecoverable(failure);
    String failed = candidate().name();
    if (current + 1 == candidates.size()) {
      policy.failed(failed, failure, FailoverPolicy.Reaction.GIVE_UP);
      throw failure;
    }
    policy.failed(failed, failure, FailoverPolicy.Reaction.NEXT_ENGINE);
    current++;
  }

  /** Throws failures that no other engine or batch size can help. */
  void requireRecoverable(StencilException failure) {
    if (Thread.currentThread().isInterrupted()) {
      policy.checkpoint(); // a task that is being killed says so
      throw failure;
    }
    if (!isEngineFailure(failure.code())) {
      throw failure;
    }
  }

  private static boolean isEngineFailure(ErrorCode code) {
    return switch (code) {
      case UNSUPPORTED, ENGINE_UNAVAILABLE, OUT_OF_DEVICE_MEMORY, KERNEL_COMPILATION, DEVICE_LOST ->
          true;
      case INVALID_ARGUMENT, BAD_DATA, INTERNAL -> false;
    };
  }

  /** Closes the lanes that its users have left open; the engines belong to the candidates. */
  @Override
  public void close() {
    RuntimeException failure = null;
    for (FailoverLane lane : lanes) {
      try {
        lane.close();
      } catch (RuntimeException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.failover;

import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.DeviceTimes;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.error.Cancellation;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.error.UnsupportedStencilException;
import io.sparkstencil.model.StencilSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

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
 * thread. Subclasses say what a candidate is and what happens around failures; who opens the
 * engines closes them.
 *
 * @param <E> an engine that may be used, not opened yet
 */
public abstract class FailoverEngine<E> implements StencilEngine {
  private final List<E> candidates;
  private final List<FailoverLane> lanes = new ArrayList<>();
  private int current;

  // counted in place: a record for each batch would be garbage for each array
  private long outputCells;
  private long stagedBytes;
  private long engineNanos;

  /** A permit to have a lane open; closing it gives the permit back. */
  public interface Permit extends AutoCloseable {
    /** The permit of an engine that anyone may use. */
    Permit FREE = () -> {};

    @Override
    void close();
  }

  /** What is done about the failure of an engine. */
  public enum Reaction {
    /** The same engine runs on with smaller batches. */
    SMALLER_BATCHES,
    /** The next engine takes over. */
    NEXT_ENGINE,
    /** No engine is left: the failure goes to the caller. */
    GIVE_UP
  }

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
   */
  protected FailoverEngine(List<E> candidates) {
    this.candidates = List.copyOf(candidates);
    if (candidates.isEmpty()) {
      throw new IllegalArgumentException("no engine to choose from");
    }
  }

  /** Returns a candidate's name. */
  protected abstract String name(E candidate);

  /**
   * Returns a candidate's engine, opened if it is not open yet.
   *
   * @throws io.sparkstencil.error.EngineUnavailableException if it cannot be used
   */
  protected abstract StencilEngine open(E candidate);

  /** Waits for a permit to open a lane of a candidate. */
  protected Permit admit(E candidate) {
    return Permit.FREE;
  }

  /** Called before a lane is opened; throws if there must be none. */
  protected void laneOpened() {}

  /** Called once for each lane, when it has been closed. */
  protected void laneClosed() {}

  /** Called before each batch; throws if the work is no longer wanted. */
  protected abstract void checkpoint();

  /**
   * Called when an engine has failed, before the reaction. What this throws goes to the caller in
   * place of the reaction.
   */
  protected abstract void failed(E candidate, StencilException failure, Reaction reaction);

  /** Returns the name of the engine in use, or of the one that will be tried next. */
  @Override
  public final String name() {
    return name(candidates.get(current));
  }

  @Override
  public String description() {
    return recovering(() -> inUse().description());
  }

  /** Returns what all lanes have done. */
  public BatchTotals totals() {
    return new BatchTotals(outputCells, stagedBytes, engineNanos);
  }

  /** Returns what devices have spent on the batches of all lanes. */
  public DeviceTimes deviceTimes() {
    return lanes.stream().map(Lane::deviceTimes).reduce(DeviceTimes.NONE, DeviceTimes::plus);
  }

  /** Returns the most device memory that all lanes, which are open together, have had, in bytes. */
  public long deviceBytes() {
    return lanes.stream().mapToLong(Lane::deviceBytes).sum();
  }

  void countBatch(long cells, long bytes) {
    outputCells += cells;
    stagedBytes += bytes;
  }

  void countNanosSince(long start) {
    engineNanos += System.nanoTime() - start;
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
    recovering(() -> compileNow(stencil));
    return stencil;
  }

  /** Returns the stencil as the engine in use has compiled it. */
  CompiledStencil compileNow(Compiled stencil) {
    if (stencil.compiled == null || stencil.by != current) {
      StencilEngine engine = inUse();
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
    laneOpened();
    FailoverLane lane = new FailoverLane(this);
    lanes.add(lane);
    return lane;
  }

  @Override
  public int preferredBatchBytes() {
    return recovering(() -> inUse().preferredBatchBytes());
  }

  /** Calls until it works, on the next engine each time, or no engine is left. */
  <T> T recovering(Supplier<T> call) {
    while (true) {
      try {
        return call.get();
      } catch (StencilException e) {
        recover(e);
      }
    }
  }

  /** Returns the engine in use. */
  StencilEngine inUse() {
    return open(candidates.get(current));
  }

  /** Waits for a permit to open a lane of the engine in use. */
  Permit admit() {
    return admit(candidates.get(current));
  }

  /** Returns the index of the engine in use; grows with each failure. */
  int current() {
    return current;
  }

  /** Moves on to the next engine, or throws what cannot be recovered from. */
  void recover(StencilException failure) {
    requireRecoverable(failure);
    boolean last = current + 1 == candidates.size();
    failed(failure, last ? Reaction.GIVE_UP : Reaction.NEXT_ENGINE);
    if (last) {
      throw failure;
    }
    current++;
  }

  /** Says that the engine in use has failed. */
  void failed(StencilException failure, Reaction reaction) {
    failed(candidates.get(current), failure, reaction);
  }

  /** Throws failures that no other engine or batch size can help. */
  void requireRecoverable(StencilException failure) {
    if (Thread.currentThread().isInterrupted()) {
      checkpoint(); // a task that is being killed says so
    }
    if (Cancellation.isInterrupted()) {
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
      case INVALID_ARGUMENT, BAD_DATA, DIVERGED, INTERNAL -> false;
    };
  }

  /** Closes the lanes that its users have left open, not the engines. */
  @Override
  public void close() {
    CloseScope.closeAll(lanes);
  }
}

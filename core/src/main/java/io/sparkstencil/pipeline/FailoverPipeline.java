/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.pipeline;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.DeviceTimes;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.error.DeviceOutOfMemoryException;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.error.UnsupportedStencilException;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.segment.Segment;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * The way of a partition through the first engine that can run its stencils, and from where it
 * stands on through the next one if that fails.
 *
 * <pre>
 *   out of memory                               -> the same engine, a quarter of the batch, down to 64 KiB
 *   no such engine, stencil refused or not compiled, device lost, still out of memory -> next engine
 *   anything else, and whatever the caller's iterator throws                          -> the caller
 * </pre>
 *
 * <p>Segments that had gone in but not come back go in again: their cells are still in the caller's
 * arrays. Engines give the same bits, so that nobody sees in a result where an engine changed. Used
 * by one thread.
 *
 * @param <A> what callers attach to segments
 */
public final class FailoverPipeline<A> implements AutoCloseable {
  private static final int LEAST_BATCH_BYTES = 64 << 10;
  private static final int SHRINK = 4;

  private final List<StencilSpec> specs;
  private final Iterator<EngineCandidate> candidates;
  private final FailoverPolicy policy;
  private final PipelineMetrics metrics = new PipelineMetrics();
  private DeviceTimes deviceTimes = DeviceTimes.NONE;
  private EngineCandidate candidate;
  private EngineCandidate.Use use;
  private Lane lane;
  private PartitionPipeline<A> pipeline;
  private String description = "";
  private int batchBytes;

  /**
   * A failure of the caller's iterator, on its way through a pipeline that must not react to it.
   */
  private static final class SourceFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SourceFailure(RuntimeException cause) {
      super(null, cause, false, false);
    }
  }

  /**
   * Creates a pipeline; no engine is taken before the first result is asked for.
   *
   * @param specs what runs over every segment, at least one; same element type and boundary
   * @param candidates engines in the order of preference, at least one
   * @param policy what the owner decides
   */
  public FailoverPipeline(
      List<StencilSpec> specs, List<EngineCandidate> candidates, FailoverPolicy policy) {
    this.specs = List.copyOf(specs);
    this.candidates = List.copyOf(candidates).iterator();
    this.policy = requireNonNull(policy, "policy is null");
    if (specs.isEmpty() || candidates.isEmpty()) {
      throw new IllegalArgumentException(
          "%d stencils and %d engines; a pipeline needs at least one of each"
              .formatted(specs.size(), candidates.size()));
    }
    candidate = this.candidates.next();
  }

  /** Returns what has been done so far, by all engines; complete after {@link #close}. */
  public PipelineMetrics metrics() {
    return metrics;
  }

  /** Returns what devices have spent so far; complete after {@link #close}. */
  public DeviceTimes deviceTimes() {
    return deviceTimes;
  }

  /** Returns the engine in use, or the one that will be tried next. */
  public String engine() {
    return candidate.name();
  }

  /** Returns how the stencils run; empty before an engine is taken. */
  public String description() {
    return description;
  }

  /** Runs the stencils over segments, lazily, as {@link PartitionPipeline#run} does. */
  public Iterator<Segment<A>> run(Iterator<Segment<A>> segments) {
    return new Results(new Replay<>(segments));
  }

  private Iterator<Segment<A>> start(Replay<A> source) {
    if (use == null) {
      use = candidate.take();
      batchBytes = policy.batchBytes(use.engine());
    }
    StencilEngine engine = use.engine();
    for (StencilSpec spec : specs) {
      Optional<String> reason = engine.reasonAgainst(spec);
      if (reason.isPresent()) {
        throw new UnsupportedStencilException(
            "engine %s cannot run %s: %s".formatted(engine.name(), spec, reason.get()));
      }
    }
    List<CompiledStencil> stencils = specs.stream().map(engine::compile).toList();
    description = stencils.get(0).description();
    lane = engine.openLane();
    pipeline = new PartitionPipeline<>(lane, stencils, batchBytes);
    return pipeline.run(source.again());
  }

  /** Reacts to a failure of the engine in use, or throws it. */
  private void recover(StencilException failure) {
    if (Thread.currentThread().isInterrupted()) {
      policy.checkpoint(); // a task that is being killed says so
      throw failure;
    }
    if (!isEngineFailure(failure)) {
      throw failure;
    }
    String failed = candidate.name();
    boolean shrinks =
        failure instanceof DeviceOutOfMemoryException
            && use != null
            && batchBytes / SHRINK >= LEAST_BATCH_BYTES;
    closeLane(failure);
    if (shrinks) {
      policy.failed(failed, failure, FailoverPolicy.Reaction.SMALLER_BATCHES);
      batchBytes /= SHRINK;
      return;
    }
    closeUse();
    if (!candidates.hasNext()) {
      policy.failed(failed, failure, FailoverPolicy.Reaction.GIVE_UP);
      throw failure;
    }
    policy.failed(failed, failure, FailoverPolicy.Reaction.NEXT_ENGINE);
    candidate = candidates.next();
  }

  private static boolean isEngineFailure(StencilException failure) {
    ErrorCode code = failure.code();
    return switch (code) {
      case UNSUPPORTED, ENGINE_UNAVAILABLE, OUT_OF_DEVICE_MEMORY, KERNEL_COMPILATION, DEVICE_LOST ->
          true;
      case INVALID_ARGUMENT, BAD_DATA, INTERNAL -> false;
    };
  }

  /** Closes pipeline and lane; what they throw is added to {@code earlier}, or thrown if null. */
  private void closeLane(RuntimeException earlier) {
    RuntimeException failure = earlier;
    PartitionPipeline<A> closing = pipeline;
    pipeline = null;
    if (closing != null) {
      metrics.add(closing.metrics());
      failure = closeQuietly(closing, failure);
    }
    Lane closingLane = lane;
    lane = null;
    if (closingLane != null) {
      deviceTimes = deviceTimes.plus(closingLane.deviceTimes());
      failure = closeQuietly(closingLane, failure);
    }
    if (earlier == null && failure != null) {
      throw failure;
    }
  }

  private static RuntimeException closeQuietly(AutoCloseable closing, RuntimeException earlier) {
    try {
      closing.close();
      return earlier;
    } catch (RuntimeException e) {
      if (earlier != null && earlier != e) {
        earlier.addSuppressed(e);
      }
      return earlier == null ? e : earlier;
    } catch (Exception e) {
      throw new IllegalStateException("neither pipelines nor lanes throw checked exceptions", e);
    }
  }

  private void closeUse() {
    if (use != null) {
      use.close();
      use = null;
    }
  }

  /** Waits for batches in flight and gives everything back; closing again does nothing. */
  @Override
  public void close() {
    try {
      closeLane(null);
    } finally {
      closeUse();
    }
  }

  /** The caller's segments, with those that are in the pipeline kept for another run. */
  private static final class Replay<A> {
    private final Iterator<Segment<A>> source;
    private final ArrayDeque<Segment<A>> pending = new ArrayDeque<>();

    Replay(Iterator<Segment<A>> source) {
      this.source = source;
    }

    /** Returns the pending segments and then the rest of the source. */
    Iterator<Segment<A>> again() {
      ArrayDeque<Segment<A>> first = new ArrayDeque<>(pending);
      return new Iterator<>() {
        @Override
        public boolean hasNext() {
          try {
            return !first.isEmpty() || source.hasNext();
          } catch (RuntimeException e) {
            throw new SourceFailure(e);
          }
        }

        @Override
        public Segment<A> next() {
          if (!first.isEmpty()) {
            return forget(first.remove());
          }
          try {
            Segment<A> segment = source.next();
            pending.add(segment);
            return segment;
          } catch (RuntimeException e) {
            throw new SourceFailure(e);
          }
        }
      };
    }

    /** Takes back what a failed run has said about the results. */
    private static <A> Segment<A> forget(Segment<A> segment) {
      for (int k = 0; k < segment.resultCount(); k++) {
        segment.setResultValidity(k, null);
      }
      return segment;
    }

    void returned() {
      pending.remove();
    }
  }

  private final class Results implements Iterator<Segment<A>> {
    private final Replay<A> source;
    private Iterator<Segment<A>> results;

    Results(Replay<A> source) {
      this.source = source;
    }

    @Override
    public boolean hasNext() {
      while (true) {
        policy.checkpoint();
        try {
          if (results == null) {
            results = start(source);
          }
          return results.hasNext();
        } catch (SourceFailure e) {
          throw (RuntimeException) e.getCause();
        } catch (StencilException e) {
          results = null;
          recover(e);
        }
      }
    }

    @Override
    public Segment<A> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      source.returned();
      return results.next();
    }
  }
}

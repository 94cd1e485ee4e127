/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.pipeline;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.segment.Segment;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * The way of a partition through an engine: plan, stage, apply, unstage.
 *
 * <pre>
 *   segments -> [plan] pieces that fit a batch -> [stage] cells and halos into the engine's memory
 *            -> [apply] stencils, while the next batch is staged -> [unstage] results into segments
 * </pre>
 *
 * <p>Two slots take turns, so that the engine works on one batch while the other is filled or
 * emptied. Segments come back in the order in which they went in. All stencils of a pipeline read
 * the same staged cells, so they share element type and boundary. Used by one thread.
 *
 * @param <A> what callers attach to segments
 */
public final class PartitionPipeline<A> implements AutoCloseable {
  private static final int SLOTS = 2;

  private final BatchSlot<A>[] slots;
  private final PipelineMetrics metrics = new PipelineMetrics();

  /**
   * Creates a pipeline over a lane, which the caller closes after the pipeline.
   *
   * @param lane where batches run
   * @param stencils what runs over every segment, at least one; same element type and boundary
   * @param batchBytes staged bytes per batch; more if the halos alone need more
   */
  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
  public PartitionPipeline(Lane lane, List<CompiledStencil> stencils, int batchBytes) {
    requireNonNull(lane, "lane is null");
    requireSameStaging(stencils);
    slots = new BatchSlot[SLOTS];
    for (int i = 0; i < SLOTS; i++) {
      slots[i] = new BatchSlot<>(lane, List.copyOf(stencils), batchBytes, metrics);
    }
  }

  private static void requireSameStaging(List<CompiledStencil> stencils) {
    if (stencils.isEmpty()) {
      throw new IllegalArgumentException("a pipeline needs at least one stencil");
    }
    StencilSpec first = stencils.get(0).spec();
    for (CompiledStencil stencil : stencils) {
      StencilSpec spec = stencil.spec();
      if (spec.type() != first.type() || !spec.boundary().equals(first.boundary())) {
        throw new IllegalArgumentException(
            "stencils of one pipeline must share element type and boundary: %s, %s and %s, %s"
                .formatted(first.type(), first.boundary(), spec.type(), spec.boundary()));
      }
    }
  }

  /** Returns what this pipeline has done so far. */
  public PipelineMetrics metrics() {
    return metrics;
  }

  /**
   * Runs the stencils over segments, lazily: each {@code next()} reads only as far ahead as the
   * slots reach. An exception of {@code segments} comes out of {@code next()}.
   */
  public Iterator<Segment<A>> run(Iterator<Segment<A>> segments) {
    return new Results(segments);
  }

  /** Waits for batches in flight and returns their memory; throws what the first of them threw. */
  @Override
  public void close() {
    RuntimeException failure = null;
    for (BatchSlot<A> slot : slots) {
      try {
        slot.close();
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else if (failure != e) {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Results in order; one page that shows the whole flow. */
  private final class Results implements Iterator<Segment<A>> {
    private final Iterator<Segment<A>> source;
    private final ArrayDeque<Segment<A>> finished = new ArrayDeque<>();
    private final ArrayDeque<BatchSlot<A>> inFlight = new ArrayDeque<>();
    private final ArrayDeque<BatchSlot<A>> free = new ArrayDeque<>(List.of(slots));
    private Segment<A> current; // staged up to `planned`, or null
    private int planned;

    Results(Iterator<Segment<A>> source) {
      this.source = source;
    }

    @Override
    public boolean hasNext() {
      while (finished.isEmpty()) {
        boolean more = !free.isEmpty() && fillAndSubmit(free.peek());
        if (more) {
          inFlight.add(free.remove());
        } else if (!inFlight.isEmpty()) {
          BatchSlot<A> slot = inFlight.remove();
          slot.awaitAndUnstage(finished);
          free.add(slot);
        } else {
          return false;
        }
      }
      return true;
    }

    @Override
    public Segment<A> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return finished.remove();
    }

    /** Plans and stages pieces until the slot is full or the source has ended. */
    private boolean fillAndSubmit(BatchSlot<A> slot) {
      while (current != null || source.hasNext()) {
        if (current == null) {
          current = source.next();
          planned = 0;
        }
        int staged = slot.tryStage(current, planned);
        if (staged < 0) {
          break; // the slot is full
        }
        planned += staged;
        if (planned == current.length()) {
          current = null;
        }
      }
      return slot.submit();
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.pipeline;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.engine.Lane;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.segment.Segment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * The one way of cells through engines: plan, stage, apply, unstage. Whatever comes in (a chunk of
 * rows, a row with arrays, an array, a block) is an item, in which a source finds segments and from
 * whose results a sink makes what comes out.
 *
 * <pre>
 *   items -> [source] segments -> [plan] pieces that fit a batch
 *         -> [stage] cells and halos into the engine's memory
 *         -> [apply] stencils, while the next batch is staged
 *         -> [unstage] results into the segments' arrays, or straight to where they go -> [sink]
 * </pre>
 *
 * <p>Two slots take turns, so that the engine works on one batch while the other is filled or
 * emptied. Where an engine works while it takes a batch, one slot serves, which stays in the cache,
 * and what lies in arrays is computed where it is. Items come back in the order in which they went
 * in. Used by one thread.
 *
 * @param <I> what comes in
 * @param <K> what is kept of it until its results are there
 * @param <O> what comes out
 */
public final class PartitionPipeline<I, K, O> implements AutoCloseable {
  private static final int SLOTS = 2;

  private final List<Staging> stagings;
  private final List<StencilEngine> engines;
  private final int batchBytes; // 0 for what each engine prefers
  private final ItemSource<? super I, K> source;
  private final ItemSink<? super K, ? extends O> sink;
  private final ItemCells cells;
  private final Map<StencilEngine, Lane> lanes = new HashMap<>();
  private final List<Batch> batches = new ArrayList<>(); // of all slots
  private final ArrayDeque<BatchSlot<K>> free = new ArrayDeque<>();
  private long outputCells;
  private boolean closed;

  /**
   * Creates a pipeline, which opens lanes and compiles the stencils when the first item is there.
   *
   * @param stagings what runs over the segments of an item's inputs
   * @param engines the engine of each staging; borrowed
   * @param source how segments are found
   * @param sink how results are used
   */
  public PartitionPipeline(
      List<Staging> stagings,
      List<? extends StencilEngine> engines,
      ItemSource<? super I, K> source,
      ItemSink<? super K, ? extends O> sink) {
    this(stagings, engines, source, sink, 0);
  }

  private PartitionPipeline(
      List<Staging> stagings,
      List<? extends StencilEngine> engines,
      ItemSource<? super I, K> source,
      ItemSink<? super K, ? extends O> sink,
      int batchBytes) {
    this.stagings = List.copyOf(stagings);
    this.engines = List.copyOf(engines);
    this.source = requireNonNull(source, "source is null");
    this.sink = requireNonNull(sink, "sink is null");
    this.batchBytes = batchBytes;
    int inputs = stagings.stream().mapToInt(Staging::input).max().orElse(0) + 1;
    this.cells = new ItemCells(inputs, stagings.size());
  }

  /**
   * Returns a pipeline for segments, which come back with their results.
   *
   * @param engine where stencils run; borrowed
   * @param specs what runs over every segment, at least one; same element type and boundary
   * @param batchBytes staged bytes per batch; more if the halos alone need more
   */
  public static <A> PartitionPipeline<Segment<A>, Segment<A>, Segment<A>> ofSegments(
      StencilEngine engine, List<StencilSpec> specs, int batchBytes) {
    return new PartitionPipeline<>(
        List.of(Staging.once(0, specs)),
        List.of(engine),
        (segment, cells) -> {
          cells.add(0, segment);
          return segment;
        },
        (segment, results) -> segment,
        Math.max(1, batchBytes));
  }

  private void open() {
    if (closed) {
      throw new IllegalStateException("the pipeline is used after it was closed");
    }
    if (!batches.isEmpty()) {
      return;
    }
    for (int slot = 0; slot < SLOTS; slot++) {
      Batch[] ofSlot = new Batch[stagings.size()];
      for (int i = 0; i < ofSlot.length; i++) {
        StencilEngine engine = engines.get(i);
        Lane lane = lanes.computeIfAbsent(engine, StencilEngine::openLane);
        int bytes = batchBytes == 0 ? engine.preferredBatchBytes() : batchBytes;
        ofSlot[i] = new Batch(i, stagings.get(i), engine, lane, bytes);
      }
      batches.addAll(List.of(ofSlot));
      free.add(new BatchSlot<>(ofSlot));
    }
  }

  /** Returns the cells computed so far, over all stagings and steps. */
  public long outputCells() {
    return outputCells;
  }

  /**
   * Runs items through, lazily: each {@code next()} reads only as far ahead as the slots reach. An
   * exception of {@code items} comes out of {@code next()} or {@code hasNext()}.
   */
  public Iterator<O> run(Iterator<? extends I> items) {
    return new Results(items);
  }

  /** Returns what comes out for one item, which must fit a batch, at once. */
  public O runOne(I item) {
    open();
    BatchSlot<K> slot = free.element();
    try {
      cells.clear();
      if (!slot.tryAdd(cells, source.read(item, cells))) {
        throw new IllegalStateException("the item takes more than one batch");
      }
      slot.submit();
      slot.awaitAndUnstage();
      slot.nextItem();
      return sink.write(slot.kept(), slot);
    } finally {
      slot.clear();
    }
  }

  /** Waits for batches in flight and returns their memory; throws what the first of them threw. */
  @Override
  public void close() {
    List<AutoCloseable> closing = new ArrayList<>(batches);
    closing.addAll(lanes.values());
    closed = true;
    batches.clear();
    free.clear();
    lanes.clear();
    CloseScope.closeAll(closing);
  }

  /** Results in order; one page that shows the whole flow. */
  private final class Results implements Iterator<O> {
    private final Iterator<? extends I> items;
    private final ArrayDeque<BatchSlot<K>> inFlight = new ArrayDeque<>();
    private BatchSlot<K> emptying;
    private boolean pending; // an item was read that has not been staged to its end
    private K pendingKept;
    private boolean ready;

    Results(Iterator<? extends I> items) {
      this.items = items;
    }

    @Override
    public boolean hasNext() {
      while (!ready) {
        if (emptying != null) {
          ready = emptying.nextItem();
          if (!ready) {
            emptying.clear();
            free.addFirst(emptying);
            emptying = null;
          }
        } else if (!firstIsDone() && fillAndSubmit()) {
          inFlight.add(free.remove());
        } else if (!inFlight.isEmpty()) {
          BatchSlot<K> slot = inFlight.remove();
          slot.awaitAndUnstage();
          emptying = slot;
        } else {
          return false;
        }
      }
      return true;
    }

    @Override
    public O next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      ready = false;
      return sink.write(emptying.kept(), emptying);
    }

    /**
     * Tells whether the first slot in flight can be emptied at once. Where an engine works while it
     * takes a batch, that is always so, and one slot is used, which stays in the cache.
     */
    private boolean firstIsDone() {
      return !inFlight.isEmpty() && inFlight.element().isDone();
    }

    /** Plans and stages items until the first free slot is full or no more come. */
    private boolean fillAndSubmit() {
      if (!batches.isEmpty() && free.isEmpty()) {
        return false;
      }
      while (pending || items.hasNext()) {
        if (!pending) {
          I item = items.next();
          open();
          cells.clear();
          pendingKept = source.read(item, cells);
          pending = true;
        }
        if (!free.element().tryAdd(cells, pendingKept)) {
          break;
        }
        pending = false;
        pendingKept = null;
      }
      if (free.isEmpty() || !free.element().submit()) {
        return false;
      }
      outputCells += free.element().outputCells();
      return true;
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.arrays;

import io.sparkstencil.engine.Lane;
import io.sparkstencil.engine.StencilEngine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * Rows with arrays through the engines, lazily and in order: the arrays of many rows are staged
 * straight from where they lie, and results are copied once, to where they go. Two slots take
 * turns, so that an engine works on one while the other is filled or emptied. Used by one thread.
 *
 * @param <I> the rows that come in
 * @param <K> what is kept of a row until its results are there
 * @param <O> the rows that come out
 */
public final class ArrayPipeline<I, K, O> implements AutoCloseable {
  private static final int SLOTS = 2;

  private final Map<StencilEngine, Lane> lanes = new HashMap<>();
  private final ArrayDeque<ArraySlot<K>> free = new ArrayDeque<>();
  private final ArrayDeque<ArraySlot<K>> inFlight = new ArrayDeque<>();
  private final ArrayReader<I, K> reader;
  private final ArrayWriter<K, O> writer;
  private final ArrayRow arrays;
  private ArraySlot<K> emptying;
  private long outputCells;
  private long stagedBytes;
  private boolean closed;

  /**
   * Opens lanes.
   *
   * @param plan what is computed
   * @param engines the engine of each group of the plan
   * @param reader how arrays are found
   * @param writer how rows are made
   */
  public ArrayPipeline(
      ArrayPlan plan,
      List<? extends StencilEngine> engines,
      ArrayReader<I, K> reader,
      ArrayWriter<K, O> writer) {
    this.reader = reader;
    this.writer = writer;
    this.arrays = new ArrayRow(plan.inputs().size());
    for (int slot = 0; slot < SLOTS; slot++) {
      ArrayBatch[] batches = new ArrayBatch[plan.groups().size()];
      for (int i = 0; i < batches.length; i++) {
        ArrayPlan.Group group = plan.groups().get(i);
        StencilEngine engine = engines.get(i);
        batches[i] =
            new ArrayBatch(
                group,
                plan.inputs().get(group.input()),
                engine,
                lanes.computeIfAbsent(engine, StencilEngine::openLane),
                engine.preferredBatchBytes());
      }
      free.add(new ArraySlot<>(plan, batches));
    }
  }

  /** Returns the cells computed so far, over all operations and steps that share no staging. */
  public long outputCells() {
    return outputCells;
  }

  /** Returns the bytes of cells staged so far, halos included. */
  public long stagedBytes() {
    return stagedBytes;
  }

  /** Returns the rows made of {@code rows}; each must stay as it is until the next is asked for. */
  public Iterator<O> run(Iterator<? extends I> rows) {
    return new Results(rows);
  }

  /** Returns the row made of one row, at once. */
  public O runOne(I row) {
    ArraySlot<K> slot = free.element();
    try {
      arrays.clear();
      slot.tryAdd(arrays, reader.read(row, arrays));
      slot.submit();
      slot.await();
      slot.nextRow();
      return writer.write(slot.kept(), slot);
    } finally {
      slot.clear();
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    List<AutoCloseable> open = new ArrayList<>(inFlight);
    open.addAll(free);
    if (emptying != null) {
      open.add(emptying);
    }
    open.addAll(lanes.values());
    RuntimeException failure = null;
    for (AutoCloseable each : open) {
      failure = close(each, failure);
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Closes {@code each}, whatever happened before, and returns the first failure. */
  private static RuntimeException close(AutoCloseable each, RuntimeException before) {
    try {
      each.close();
      return before;
    } catch (Exception e) {
      RuntimeException now =
          e instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(e);
      if (before == null) {
        return now;
      }
      before.addSuppressed(now);
      return before;
    }
  }

  private final class Results implements Iterator<O> {
    private final Iterator<? extends I> rows;
    private boolean pending; // a row was read that did not fit
    private K pendingKept;
    private boolean ready;

    Results(Iterator<? extends I> rows) {
      this.rows = rows;
    }

    @Override
    public boolean hasNext() {
      while (!ready) {
        if (emptying != null) {
          ready = emptying.nextRow();
          if (!ready) {
            emptying.clear();
            free.addFirst(emptying);
            emptying = null;
          }
        } else if (!firstIsDone() && !free.isEmpty() && fillAndSubmit(free.element())) {
          inFlight.add(free.remove());
        } else if (!inFlight.isEmpty()) {
          emptying = inFlight.remove();
          emptying.await();
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
      return writer.write(emptying.kept(), emptying);
    }

    /**
     * Tells whether the first slot in flight can be emptied at once. Where an engine works while it
     * takes a batch, that is always so, and one slot is used, which stays in the cache.
     */
    private boolean firstIsDone() {
      return !inFlight.isEmpty() && inFlight.element().isDone();
    }

    private boolean fillAndSubmit(ArraySlot<K> slot) {
      while (pending || rows.hasNext()) {
        if (!pending) {
          arrays.clear();
          pendingKept = reader.read(rows.next(), arrays);
          pending = true;
        }
        if (!slot.tryAdd(arrays, pendingKept)) {
          break;
        }
        pending = false;
        pendingKept = null;
      }
      if (slot.rows() == 0) {
        return false;
      }
      slot.submit();
      outputCells += slot.outputCells();
      stagedBytes += slot.stagedBytes();
      return true;
    }
  }
}

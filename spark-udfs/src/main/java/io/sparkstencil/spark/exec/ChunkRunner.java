/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.segment.Segment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * Runs all pipelines of a query over the chunks of a task, lazily and in order. Owns the lanes; the
 * engines are borrowed. Used by one thread.
 *
 * @param <P> what the caller keeps for the rows of a chunk
 */
public final class ChunkRunner<P> implements Iterator<SeriesChunk<P>>, AutoCloseable {
  private final StagePlan plan;
  private final SeriesEdges edges;
  private final Iterator<SeriesChunk<P>> source;
  private final Map<StencilEngine, Lane> lanes = new HashMap<>();
  private final List<PartitionPipeline<Void>> pipelines = new ArrayList<>();
  private final List<ArrayDeque<Segment<Void>>> waiting = new ArrayList<>();
  private final List<Iterator<Segment<Void>>> finished = new ArrayList<>();
  private final ArrayDeque<SeriesChunk<P>> underway = new ArrayDeque<>();
  private long nanos;
  private long sourceNanos;

  /**
   * Opens lanes and compiles the stencils.
   *
   * @param plan what runs
   * @param engines one for each pipeline
   * @param edges what lies beside the task's part of a series
   * @param source the chunks
   */
  public ChunkRunner(
      StagePlan plan,
      List<? extends StencilEngine> engines,
      SeriesEdges edges,
      Iterator<SeriesChunk<P>> source) {
    this.plan = plan;
    this.edges = edges;
    this.source = source;
    try {
      for (int p = 0; p < plan.pipelines().size(); p++) {
        open(engines.get(p), plan.pipelines().get(p));
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private void open(StencilEngine engine, StagePlan.Pipeline pipeline) {
    List<CompiledStencil> compiled = pipeline.specs().stream().map(engine::compile).toList();
    Lane lane = lanes.computeIfAbsent(engine, StencilEngine::openLane);
    PartitionPipeline<Void> made =
        new PartitionPipeline<>(lane, compiled, engine.preferredBatchBytes());
    pipelines.add(made);
    ArrayDeque<Segment<Void>> queue = new ArrayDeque<>();
    waiting.add(queue);
    finished.add(
        made.run(
            new Iterator<>() {
              @Override
              public boolean hasNext() {
                while (queue.isEmpty() && pull()) {
                  // A chunk may have no pieces.
                }
                return !queue.isEmpty();
              }

              @Override
              public Segment<Void> next() {
                if (!hasNext()) {
                  throw new NoSuchElementException();
                }
                return queue.remove();
              }
            }));
  }

  /** Takes one chunk from the source and hands its segments to all pipelines. */
  private boolean pull() {
    long start = System.nanoTime();
    boolean more = source.hasNext();
    SeriesChunk<P> chunk = more ? source.next() : null;
    sourceNanos += System.nanoTime() - start;
    if (!more) {
      return false;
    }
    chunk.prepare(plan, edges);
    underway.add(chunk);
    for (int p = 0; p < waiting.size(); p++) {
      waiting.get(p).addAll(chunk.segments(p));
    }
    return true;
  }

  @Override
  public boolean hasNext() {
    return !underway.isEmpty() || pull();
  }

  @Override
  public SeriesChunk<P> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    long start = System.nanoTime();
    long sourceBefore = sourceNanos;
    SeriesChunk<P> chunk = underway.peek();
    for (int p = 0; p < finished.size(); p++) {
      for (int i = 0; i < chunk.pieces(); i++) {
        Segment<Void> done = finished.get(p).next();
        if (done != chunk.segment(p, i)) {
          throw new IllegalStateException("segments came back out of order");
        }
      }
    }
    nanos += System.nanoTime() - start - (sourceNanos - sourceBefore);
    return underway.remove();
  }

  /** Returns the nanoseconds spent in staging, stencils and unstaging. */
  public long stencilNanos() {
    return nanos;
  }

  @Override
  public void close() {
    List<AutoCloseable> closing = new ArrayList<>(pipelines);
    closing.addAll(lanes.values());
    RuntimeException failure = null;
    for (AutoCloseable each : closing) {
      try {
        each.close();
      } catch (RuntimeException e) {
        failure = e;
      } catch (Exception e) {
        throw new IllegalStateException("neither pipelines nor lanes throw checked exceptions", e);
      }
    }
    pipelines.clear();
    lanes.clear();
    if (failure != null) {
      throw failure;
    }
  }
}

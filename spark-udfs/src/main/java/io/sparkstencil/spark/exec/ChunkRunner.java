/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.model.StencilSpec;
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
  private final List<StencilEngine> engines;
  private final SeriesHalos halos;
  private final Iterator<SeriesChunk<P>> source;
  private final Map<StencilEngine, Lane> lanes = new HashMap<>();
  private final List<PartitionPipeline<Void>> pipelines = new ArrayList<>();
  private final List<ArrayDeque<Segment<Void>>> waiting = new ArrayList<>();
  private final List<Iterator<Segment<Void>>> finished = new ArrayList<>();
  private final ArrayDeque<SeriesChunk<P>> underway = new ArrayDeque<>();
  private SeriesChunk<P> next; // read ahead, or null
  private int nextLength; // for which its series want the stencils to be made
  private int length; // for which they are made
  private long nanos;
  private long sourceNanos;

  /**
   * Creates a runner, which opens lanes and compiles the stencils when the first chunk is there.
   *
   * @param plan what runs
   * @param engines one for each pipeline
   * @param halos what lies beside the task's part of a series
   * @param source the chunks
   */
  public ChunkRunner(
      StagePlan plan,
      List<? extends StencilEngine> engines,
      SeriesHalos halos,
      Iterator<SeriesChunk<P>> source) {
    this.plan = plan;
    this.engines = List.copyOf(engines);
    this.halos = halos;
    this.source = source;
  }

  /** Makes pipelines for series of a length, after the ones before have nothing left to do. */
  private void openFor(int seriesLength) {
    closePipelines();
    for (int p = 0; p < plan.pipelines().size(); p++) {
      List<StencilSpec> specs =
          plan.pipelines().get(p).specs().stream()
              .map(spec -> spec.withinSeriesOf(seriesLength))
              .toList();
      open(engines.get(p), specs);
    }
    length = seriesLength;
  }

  private void open(StencilEngine engine, List<StencilSpec> specs) {
    List<CompiledStencil> compiled = specs.stream().map(engine::compile).toList();
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
                while (queue.isEmpty() && look() && nextLength == length) {
                  admit(); // a chunk may have no pieces
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

  /** Reads the next chunk, unless it has been; false after the last. */
  private boolean look() {
    if (next == null) {
      long start = System.nanoTime();
      next = source.hasNext() ? source.next() : null;
      sourceNanos += System.nanoTime() - start;
      nextLength = next == null ? 0 : ShortSeries.lengthFor(plan, halos, next);
    }
    return next != null;
  }

  /** Hands the segments of the next chunk to all pipelines. */
  private void admit() {
    next.prepare(plan, halos);
    underway.add(next);
    for (int p = 0; p < waiting.size(); p++) {
      waiting.get(p).addAll(next.segments(p));
    }
    next = null;
  }

  @Override
  public boolean hasNext() {
    return !underway.isEmpty() || look();
  }

  @Override
  public SeriesChunk<P> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    long start = System.nanoTime();
    long sourceBefore = sourceNanos;
    if (underway.isEmpty()) {
      if (pipelines.isEmpty() || nextLength != length) {
        openFor(nextLength);
      }
      admit();
    }
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

  private void closePipelines() {
    List<PartitionPipeline<Void>> closing = List.copyOf(pipelines);
    pipelines.clear();
    waiting.clear();
    finished.clear();
    closeAll(closing);
  }

  @Override
  public void close() {
    List<AutoCloseable> closing = new ArrayList<>(pipelines);
    closing.addAll(lanes.values());
    pipelines.clear();
    lanes.clear();
    closeAll(closing);
  }

  private static void closeAll(List<? extends AutoCloseable> closing) {
    RuntimeException failure = null;
    for (AutoCloseable each : closing) {
      try {
        each.close();
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      } catch (Exception e) {
        throw new IllegalStateException("neither pipelines nor lanes throw checked exceptions", e);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}

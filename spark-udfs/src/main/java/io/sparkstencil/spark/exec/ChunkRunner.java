/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.pipeline.ItemCells;
import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.pipeline.Staging;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Runs all stencils of a query over the chunks of a task, lazily and in order: chunks are the items
 * of the pipeline, and their segments keep the results. The engines are borrowed. Used by one
 * thread.
 *
 * @param <P> what the caller keeps for the rows of a chunk
 */
public final class ChunkRunner<P> implements Iterator<SeriesChunk<P>>, AutoCloseable {
  private final StagePlan plan;
  private final SeriesHalos halos;
  private final PartitionPipeline<SeriesChunk<P>, SeriesChunk<P>, SeriesChunk<P>> pipeline;
  private final Iterator<SeriesChunk<P>> results;
  private long nanos;
  private long sourceNanos;

  /**
   * Creates a runner, which opens lanes and compiles the stencils when the first chunk is there.
   *
   * @param plan what runs
   * @param engines one for each pipeline of the plan
   * @param halos what lies beside the task's part of a series
   * @param source the chunks
   */
  public ChunkRunner(
      StagePlan plan,
      List<? extends StencilEngine> engines,
      SeriesHalos halos,
      Iterator<SeriesChunk<P>> source) {
    this.plan = plan;
    this.halos = halos;
    List<Staging> stagings = new ArrayList<>();
    for (StagePlan.Pipeline each : plan.pipelines()) {
      stagings.add(Staging.once(stagings.size(), each.specs()));
    }
    this.pipeline =
        new PartitionPipeline<>(stagings, engines, this::read, (chunk, results) -> chunk);
    this.results = pipeline.run(timed(source));
  }

  private SeriesChunk<P> read(SeriesChunk<P> chunk, ItemCells cells) {
    chunk.addTo(cells, plan, halos);
    return chunk;
  }

  private Iterator<SeriesChunk<P>> timed(Iterator<SeriesChunk<P>> source) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        long start = System.nanoTime();
        boolean more = source.hasNext();
        sourceNanos += System.nanoTime() - start;
        return more;
      }

      @Override
      public SeriesChunk<P> next() {
        long start = System.nanoTime();
        SeriesChunk<P> next = source.next();
        sourceNanos += System.nanoTime() - start;
        return next;
      }
    };
  }

  @Override
  public boolean hasNext() {
    long start = System.nanoTime();
    long sourceBefore = sourceNanos;
    boolean more = results.hasNext();
    nanos += System.nanoTime() - start - (sourceNanos - sourceBefore);
    return more;
  }

  @Override
  public SeriesChunk<P> next() {
    if (!hasNext()) { // which does the work, and takes its time
      throw new NoSuchElementException();
    }
    return results.next();
  }

  /** Returns the nanoseconds spent in staging, stencils and unstaging. */
  public long stencilNanos() {
    return nanos;
  }

  @Override
  public void close() {
    pipeline.close();
  }
}

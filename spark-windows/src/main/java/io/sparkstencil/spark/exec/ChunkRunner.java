/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.pipeline.ItemCells;
import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.pipeline.Staging;
import io.sparkstencil.spark.programs.ProgramBatch;
import io.sparkstencil.spark.programs.ProgramRunner;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;

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
  private final Map<Integer, ProgramBatch> programs = new TreeMap<>(); // by pipeline
  private final Iterator<SeriesChunk<P>> results;
  private long nanos;
  private long sourceNanos;

  /**
   * Creates a runner, which opens lanes and compiles the stencils when the first chunk is there.
   *
   * @param plan what runs
   * @param engines one for each pipeline of stencils
   * @param runners one for each program
   * @param halos what lies beside the task's part of a series
   * @param source the chunks
   */
  public ChunkRunner(
      StagePlan plan,
      List<? extends StencilEngine> engines,
      List<ProgramRunner> runners,
      SeriesHalos halos,
      Iterator<SeriesChunk<P>> source) {
    this.plan = plan;
    this.halos = halos;
    List<Staging> stagings = new ArrayList<>();
    for (int p = 0; p < plan.pipelines().size(); p++) {
      if (plan.pipelines().get(p) instanceof StagePlan.Frames frames) {
        stagings.add(Staging.once(p, frames.specs()));
      } else {
        ElementType type = plan.columns().get(plan.pipelines().get(p).column()).type();
        programs.put(p, new ProgramBatch(runners.get(programs.size()), type));
      }
    }
    this.pipeline =
        new PartitionPipeline<>(stagings, engines, this::read, (chunk, results) -> chunk);
    this.results = stagings.isEmpty() ? unstaged(source) : pipeline.run(timed(source));
  }

  /** Returns the chunks with their segments, where no stencil is to be staged. */
  private Iterator<SeriesChunk<P>> unstaged(Iterator<SeriesChunk<P>> source) {
    Iterator<SeriesChunk<P>> chunks = timed(source);
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return chunks.hasNext();
      }

      @Override
      public SeriesChunk<P> next() {
        return read(chunks.next(), null);
      }
    };
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
    SeriesChunk<P> chunk = results.next();
    long start = System.nanoTime();
    programs.forEach((p, batch) -> run(chunk, p, batch));
    nanos += System.nanoTime() - start;
    return chunk;
  }

  /** Runs a program over the segments of a chunk, in which the program's results are then. */
  private void run(SeriesChunk<P> chunk, int pipeline, ProgramBatch batch) {
    SeriesProgram program = ((StagePlan.Program) plan.pipelines().get(pipeline)).program();
    List<ProgramBatch.Entry> entries = new ArrayList<>(chunk.runs());
    batch.clear();
    for (int run = 0; run < chunk.runs(); run++) {
      entries.add(program.add(chunk.segment(pipeline, run), batch));
    }
    batch.run();
    for (int run = 0; run < chunk.runs(); run++) {
      program.take(entries.get(run), chunk.segment(pipeline, run), batch.type());
    }
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

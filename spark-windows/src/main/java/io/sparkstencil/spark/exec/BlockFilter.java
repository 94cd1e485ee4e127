/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import io.sparkstencil.cells.HeapCellBuffer;
import io.sparkstencil.cells.HeapCells;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.pipeline.Staging;
import io.sparkstencil.segment.Halo;
import io.sparkstencil.segment.Segment;
import io.sparkstencil.staging.StagingWriter;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Consecutive blocks of one series through the pipeline, and their results in blocks of the same
 * lengths. A long block is a segment as it is; short ones, and those whose cells are converted, are
 * copied. Used by one thread.
 *
 * @param <R> the blocks of results, primitive arrays
 */
public final class BlockFilter<R> implements Iterator<R>, AutoCloseable {
  /** Cells below which halos and what is done per segment would count. */
  private static final int LEAST_CELLS = 4096;

  /** Blocks that are one segment, with the lengths of each. */
  private record Run(Object array, int cells, List<Integer> lengths) {
    HeapCells source() {
      return new HeapCells(array, null, 0, cells);
    }
  }

  private final ElementType cells;
  private final ElementType type; // of the results
  private final Class<R> results;
  private final boolean cutsEnds;
  private final int left;
  private final int right;
  private final int leastCells;
  private final Iterator<?> blocks;
  private final Halo end;
  private final StagingWriter writer;
  private final PartitionPipeline<Run, ?, Segment<Run>> pipeline;
  private final Iterator<Segment<Run>> finished;
  private Halo before; // what lies before the next run
  private Run ahead; // the run after it, or null
  private Segment<Run> segment; // whose results are being returned
  private int block; // the next one of it
  private int taken; // its results that have been returned

  /**
   * Creates a filter of one stencil.
   *
   * @param plan the stencil
   * @param cells the type of the blocks' cells
   * @param results the class of the blocks of results
   * @param engines where it runs; borrowed
   * @param halos what lies beside these blocks on either side
   * @param blocks the blocks; each is borrowed until its results are there
   */
  public BlockFilter(
      StagePlan plan,
      ElementType cells,
      Class<R> results,
      List<? extends StencilEngine> engines,
      SeriesHalos halos,
      Iterator<?> blocks) {
    StagePlan.Pipeline only = plan.pipelines().get(0);
    this.type = plan.columns().get(0).type();
    this.cells = cells;
    this.results = results;
    this.cutsEnds = only.boundary().mode() == Boundary.Mode.VALID;
    this.left = halos.left(0).length();
    this.right = halos.right(0).length();
    this.leastCells = Math.max(LEAST_CELLS, plan.reach());
    this.blocks = blocks;
    this.before = halos.left(0);
    this.end = halos.right(0);
    this.writer = new StagingWriter(type, only.boundary());
    this.pipeline =
        new PartitionPipeline<>(
            List.of(Staging.once(0, only.specs())),
            engines,
            (run, item) -> {
              Segment<Run> made = segment(run);
              item.add(0, made, halos.seriesCells());
              return made;
            },
            (made, found) -> made);
    this.finished = pipeline.run(new Runs());
  }

  /** The blocks, joined where they are short: all runs but the last reach over a halo. */
  private final class Runs implements Iterator<Run> {
    @Override
    public boolean hasNext() {
      return ahead != null || blocks.hasNext();
    }

    @Override
    public Run next() {
      Run run = ahead == null ? read() : ahead;
      ahead = blocks.hasNext() ? read() : null;
      return run;
    }
  }

  private Run read() {
    Object first = nextBlock();
    int length = Array.getLength(first);
    List<Integer> lengths = new ArrayList<>(List.of(length));
    if (cells == type && (length >= leastCells || !blocks.hasNext())) {
      return new Run(first, length, lengths);
    }
    CellColumn joined = new CellColumn(type, 2 * leastCells);
    joined.addArray(first, 0, length);
    while (joined.length() < leastCells && blocks.hasNext()) {
      Object more = nextBlock();
      lengths.add(Array.getLength(more));
      joined.addArray(more, 0, Array.getLength(more));
    }
    return new Run(joined.array(), joined.length(), lengths);
  }

  private Object nextBlock() {
    Object block = blocks.next();
    cells.requireArray(block); // an RDD may bring arrays of other classes
    return block;
  }

  private Segment<Run> segment(Run run) {
    HeapCells source = run.source();
    Segment<Run> made = new Segment<>(run, source, before, after(), 1);
    if (ahead != null) {
      HeapCellBuffer last = new HeapCellBuffer(type, left, false);
      source.copy(run.cells() - left, left, last, 0);
      before = new Halo(last.array(), null, 0);
    }
    return made;
  }

  /** Returns what lies after the run before {@link #ahead}. */
  private Halo after() {
    if (ahead == null) {
      return end;
    }
    HeapCellBuffer beside = new HeapCellBuffer(type, right, false);
    writer.write(ahead.source(), null, end, 0, right, beside, 0, false);
    return new Halo(beside.array(), null, Math.max(0, end.missing() - ahead.cells()));
  }

  @Override
  public boolean hasNext() {
    while (segment == null || block == segment.attachment().lengths().size()) {
      if (!finished.hasNext()) {
        return false;
      }
      segment = finished.next();
      block = 0;
      taken = 0;
    }
    return true;
  }

  @Override
  public R next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    int length = segment.attachment().lengths().get(block++);
    int from = taken;
    taken += length;
    Object found = segment.result(0, type);
    byte[] validity = segment.resultValidity(0);
    int first = from;
    int until = taken;
    if (validity != null && cutsEnds) {
      while (first < until && validity[first] == 0) {
        first++;
      }
      while (first < until && validity[until - 1] == 0) {
        until--;
      }
    } else if (validity != null && type.isFloating()) {
      markMissing(found, validity, first, until);
    }
    if (until - first == Array.getLength(found)) {
      return results.cast(found);
    }
    Object part = type.newArray(until - first);
    System.arraycopy(found, first, part, 0, until - first);
    return results.cast(part);
  }

  private void markMissing(Object array, byte[] validity, int from, int until) {
    for (int i = from; i < until; i++) {
      if (validity[i] == 0) {
        Array.set(array, i, type == ElementType.F32 ? (Object) Float.NaN : Double.NaN);
      }
    }
  }

  @Override
  public void close() {
    pipeline.close();
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import io.sparkstencil.segment.Segment;
import io.sparkstencil.spark.catalyst.rows.EmittedRows;
import io.sparkstencil.spark.exec.CellKind;
import io.sparkstencil.spark.exec.CheckedSums;
import io.sparkstencil.spark.exec.SeriesChunk;
import io.sparkstencil.spark.exec.StagePlan;
import io.sparkstencil.spark.exec.SumOverflow;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * What is returned of finished chunks: their rows, one by one or all at once, with their results.
 *
 * @param <P> what is kept for the rows of a chunk
 * @param <T> what is returned
 */
abstract class ChunkResults<P, T> extends AbstractIterator<T> {
  private final StagePlan plan;
  private final StructType results;
  private final Iterator<SeriesChunk<P>> chunks;
  private final Runnable onEnd;
  private SeriesChunk<P> chunk;
  private boolean ended;
  private int run; // of the chunk
  private int untilInChunk; // end of that run
  private int range; // of the rows that are emitted
  private int inRange; // rows of it that have been returned

  /** The next row of the chunk. */
  protected int at;

  /**
   * Returns what is made of chunks.
   *
   * @param results the columns of the results
   * @param onEnd called once, after the last chunk
   */
  ChunkResults(
      StagePlan plan, StructType results, Iterator<SeriesChunk<P>> chunks, Runnable onEnd) {
    this.plan = plan;
    this.results = results;
    this.chunks = chunks;
    this.onEnd = onEnd;
  }

  /** Returns the rows of a chunk that the result has. */
  abstract EmittedRows emitted(P payload);

  /** Begins with the first row of {@link #chunk}. */
  void open() {}

  /** Says that the rows of a chunk have been returned. */
  void close(P payload) {}

  final SeriesChunk<P> chunk() {
    return chunk;
  }

  @Override
  public final boolean hasNext() {
    while (chunk == null || at == emitted(chunk.payload()).rows()) {
      if (chunk != null) {
        close(chunk.payload());
        chunk = null;
      }
      if (!chunks.hasNext()) {
        if (!ended) {
          ended = true;
          onEnd.run();
        }
        return false;
      }
      chunk = chunks.next();
      at = 0;
      run = -1;
      untilInChunk = 0;
      range = 0;
      inRange = 0;
      open();
    }
    return true;
  }

  /**
   * Rows that follow one another in a run of a chunk.
   *
   * @param run the run
   * @param from the first of them in the run
   * @param inChunk the same in the chunk
   * @param rows their number
   */
  record RunPart(int run, int from, int inChunk, int rows) {}

  /** Moves on to the next rows of the chunk that one run has; there must be more. */
  final RunPart nextPart() {
    EmittedRows.Range of = emitted(chunk.payload()).ranges().get(range);
    int from = of.from() + inRange;
    while (from >= untilInChunk) {
      untilInChunk += chunk.runLength(++run);
    }
    int rows = Math.min(of.rows() - inRange, untilInChunk - from);
    inRange += rows;
    if (inRange == of.rows()) {
      range++;
      inRange = 0;
    }
    return new RunPart(run, from - untilInChunk + chunk.runLength(run), from, rows);
  }

  /**
   * Adds the results of parts of runs, one after the other.
   *
   * @param to the last of these become views of the results
   * @param row what finds one of these rows, to say where a sum overflows
   */
  final void read(List<RunPart> parts, ColumnVector[] to, IntFunction<InternalRow> row) {
    for (int r = 0; r < results.size(); r++) {
      ResultCells cells = cells(r, parts);
      DataType type = results.apply(r).dataType();
      to[to.length - results.size() + r] =
          cells.overflows() == null
              ? new ArrayColumnVector(
                  type, cells.array(), cells.validity(), cells.from(), cells.rows())
              : failing(cells, new FailingSums.Named(results.apply(r).name(), inputs(), row));
    }
  }

  private static ColumnVector failing(ResultCells cells, FailingSums.Named sums) {
    return new FailingSums(
        (long[]) cells.array(),
        cells.validity(),
        cells.overflows(),
        cells.from(),
        cells.rows(),
        sums);
  }

  private ResultCells cells(int r, List<RunPart> parts) {
    if (parts.size() == 1) {
      return cells(r, parts.get(0));
    }
    return ResultCells.joined(
        parts.stream().map(part -> cells(r, part)).toArray(ResultCells[]::new));
  }

  private ResultCells cells(int r, RunPart part) {
    StagePlan.Result result = plan.results().get(r);
    StagePlan.Pipeline pipeline = plan.pipelines().get(result.pipeline());
    Segment<Void> segment = chunk.segment(result.pipeline(), part.run());
    Object array = segment.result(result.spec(), plan.columns().get(pipeline.column()).type());
    if (result.kind() == CellKind.LONG && array instanceof double[] counts) {
      array = Arrays.stream(counts).mapToLong(count -> (long) count).toArray();
    }
    byte[] validity = segment.resultValidity(result.spec());
    boolean[] overflows =
        result.overflow() == SumOverflow.WRAP
            ? null
            : CheckedSums.overflows(
                segment, pipeline.specs().get(result.spec()), part.from(), part.rows());
    if (overflows != null && result.overflow() != SumOverflow.FAIL) {
      validity = without(overflows, validity, part.from(), segment.length());
      overflows = null;
    }
    return new ResultCells(array, validity, overflows, part.from(), part.rows());
  }

  /** Makes sums that overflow null. */
  private static byte[] without(boolean[] overflows, byte[] validity, int from, int length) {
    byte[] known = validity;
    if (known == null) {
      known = new byte[length];
      Arrays.fill(known, (byte) 1);
    }
    for (int i = 0; i < overflows.length; i++) {
      if (overflows[i]) {
        known[from + i] = 0;
      }
    }
    return known;
  }

  /** Tells whether a column may have values that fail when they are looked at. */
  static boolean mayFail(ColumnVector column) {
    return column instanceof FailingSums || column instanceof SelectedVector;
  }

  /** Returns the columns of the input, which come before the results. */
  abstract StructType inputs();
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.error.Cancellation;
import io.sparkstencil.spark.catalyst.columns.ArrayColumnVector;
import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.catalyst.columns.FailingSums;
import io.sparkstencil.spark.catalyst.frames.FrameExtent;
import io.sparkstencil.spark.catalyst.series.CellRows;
import io.sparkstencil.spark.catalyst.series.OrderedSeries;
import io.sparkstencil.spark.catalyst.series.SeriesCursor;
import io.sparkstencil.spark.exec.CellColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.AbstractIterator;

/**
 * The rows of collected series with the results of functions, in batches. Frames that end with the
 * series are gone through when it begins, those that end with the last row that ties when its first
 * row comes. A batch is there until the next is asked for, whose cells take the same arrays, as in
 * Spark's own readers. Used by one thread.
 */
public final class LoopBatches extends AbstractIterator<ColumnarBatch> {
  private static final int MOST_ROWS = 4096;

  /** Rows that are read ahead at first to see whether they tie. */
  private static final int FEW_ROWS = 16;

  private final LoopPlan plan;
  private final OrderedSeries series;
  private final LoopStart start; // null if series are whole
  private final Runnable onEnd;
  private final List<ColumnarLayout.Source> sources;
  private final boolean[] needed; // of these, for functions and ties
  private final List<LoopFunction> functions;
  private final List<Cumulative> cumulative = new ArrayList<>();
  private final MovingLoops moving;
  private final TieFinder ties; // null if nothing depends on them
  private final SeriesSlice slice; // of the last batch
  private final CellColumn[] results; // of these rows
  private SeriesCursor reader; // of the series, or null
  private final List<FailingSums> failing = new ArrayList<>(); // of the last batch
  private long tied; // rows to come that have been taken in with those before that tie
  private boolean ended;

  /** A function whose frames begin with the series, and which result it has. */
  private record Cumulative(CumulativeFunction function, FrameExtent extent, int result) {}

  /**
   * Begins with the first series.
   *
   * @param series all rows
   * @param start what functions go on from that begin with the series; null if its first row is
   *     there, and the last one
   * @param onEnd called once, after the last batch
   */
  public LoopBatches(LoopPlan plan, OrderedSeries series, LoopStart start, Runnable onEnd) {
    this.plan = plan;
    this.series = series;
    this.start = start;
    this.onEnd = onEnd;
    this.sources = plan.sources();
    this.needed = plan.needed(false);
    this.functions = plan.start(series.texts());
    for (int f = 0; f < functions.size(); f++) {
      if (functions.get(f) instanceof CumulativeFunction function) {
        cumulative.add(new Cumulative(function, plan.calls().get(f).extent(), f));
      }
    }
    this.moving = new MovingLoops(plan, functions);
    this.slice = new SeriesSlice(new CellColumn[sources.size()], new boolean[MOST_ROWS]);
    for (int c = 0; c < sources.size(); c++) {
      boolean read = c < plan.input().size() || needed[c];
      slice.columns()[c] = read ? new CellColumn(sources.get(c).to(), MOST_ROWS) : null;
    }
    this.results =
        plan.resultCells().stream()
            .map(type -> new CellColumn(type, MOST_ROWS))
            .toArray(CellColumn[]::new);
    this.ties =
        plan.calls().stream().anyMatch(LoopCall::needsTies)
            ? new TieFinder(plan.order(), sources, series.texts())
            : null;
  }

  /** Fails if a sum of the last batch does: as with Spark, even if nobody has looked at it. */
  @Override
  public boolean hasNext() {
    if (start != null && start.failure() != null) {
      throw start.failure();
    }
    failing.forEach(FailingSums::requireAll);
    if (moving.failure() != null) {
      throw moving.failure();
    }
    if (!ended && !hasRows()) {
      ended = true;
      onEnd.run();
    }
    return !ended;
  }

  /** Tells whether there are rows, of the next series if there are no more of this one. */
  private boolean hasRows() {
    while (reader == null || reader.remaining() == 0) {
      if (!series.nextSeries()) {
        return false;
      }
      reader = series.reader();
      begin();
    }
    return true;
  }

  private void begin() {
    boolean wholes = false;
    for (Cumulative each : cumulative) {
      if (start == null) {
        each.function.begin(reader.remaining());
        wholes |= each.extent == FrameExtent.SERIES;
      } else {
        each.function.begin(start.rows());
        each.function.resume(start.buffers().get(each.result));
      }
    }
    moving.begin(series);
    tied = 0;
    if (ties != null) {
      ties.begin();
    }
    SeriesCursor all = wholes ? reader.copy() : reader;
    while (wholes && all.remaining() > 0) {
      int count = (int) Math.min(MOST_ROWS, all.remaining());
      add(FrameExtent.SERIES, readAhead(all, count), 0, count);
    }
  }

  private void add(FrameExtent extent, SeriesSlice rows, int from, int until) {
    for (Cumulative each : cumulative) {
      if (each.extent == extent) {
        each.function.add(rows, from, until);
      }
    }
  }

  /** Reads what functions and ties need of the next rows. */
  private SeriesSlice readAhead(CellRows from, int count) {
    Cancellation.ask();
    CellColumn[] columns = new CellColumn[sources.size()];
    for (int c = 0; c < columns.length; c++) {
      columns[c] = needed[c] ? new CellColumn(sources.get(c).to(), count) : null;
    }
    from.read(count, sources, columns);
    return new SeriesSlice(columns, null);
  }

  @Override
  public ColumnarBatch next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    clear(slice.columns());
    clear(results);
    functions.forEach(LoopFunction::open);
    int rows = 0;
    do {
      int until = rows + (int) Math.min(MOST_ROWS - rows, reader.remaining());
      reader.read(until - rows, sources, slice.columns());
      compute(rows, until);
      rows += moving.run(until - rows, results);
    } while (rows < MOST_ROWS && moving.failure() == null && hasRows());
    if (rows == 0) {
      throw moving.failure();
    }
    return batch(rows);
  }

  private static void clear(CellColumn[] columns) {
    for (CellColumn each : columns) {
      if (each != null) {
        each.clear();
      }
    }
  }

  private void compute(int from, int until) {
    if (ties != null) {
      ties.mark(slice.columns(), from, until, slice.opens());
    }
    boolean toTies = false;
    for (Cumulative each : cumulative) {
      switch (each.extent) {
        case ROWS -> each.function.run(slice, from, until, results[each.result]);
        case SERIES -> each.function.append(until - from, results[each.result]);
        default -> toTies = true;
      }
    }
    if (toTies) {
      computeTies(from, until);
    }
  }

  /** Takes all rows that tie in before the first of them has its result. */
  private void computeTies(int from, int until) {
    int row = from + (int) Math.min(tied, until - from);
    tied -= row - from;
    appendTies(row - from);
    while (row < until) {
      int end = row + 1;
      while (end < until && !slice.opens()[end]) {
        end++;
      }
      add(FrameExtent.TIES, slice, row, end);
      if (end == until) {
        tied = addTied();
      }
      appendTies(end - row);
      row = end;
    }
  }

  private void appendTies(int count) {
    for (Cumulative each : cumulative) {
      if (each.extent == FrameExtent.TIES) {
        each.function.append(count, results[each.result]);
      }
    }
  }

  /** Takes in the rows to come that tie with the last one, and returns how many they are. */
  private long addTied() {
    SeriesCursor ahead = reader.copy();
    long all = 0;
    for (int most = FEW_ROWS; ahead.remaining() > 0; most = MOST_ROWS) {
      int count = (int) Math.min(most, ahead.remaining());
      SeriesSlice next = readAhead(ahead, count);
      int these = ties.tied(next.columns(), count);
      add(FrameExtent.TIES, next, 0, these);
      all += these;
      if (these < count) {
        break;
      }
    }
    return all;
  }

  private ColumnarBatch batch(int rows) {
    int width = plan.input().size();
    ColumnVector[] vectors = new ColumnVector[width + results.length];
    ColumnarBatch batch = new ColumnarBatch(vectors, rows);
    failing.clear();
    for (int c = 0; c < width; c++) {
      vectors[c] =
          ArrayColumnVector.of(
              plan.input().apply(c).dataType(), slice.columns()[c], series.texts(), 0, rows);
    }
    for (int f = 0; f < results.length; f++) {
      vectors[width + f] = result(f, results[f], rows, batch);
    }
    return batch;
  }

  private ColumnVector result(int function, CellColumn cells, int rows, ColumnarBatch batch) {
    StructField column = plan.results().apply(function);
    FailingSums.Named sums =
        plan.calls().get(function).isNullOnOverflow()
            ? null
            : new FailingSums.Named(column.name(), plan.input(), batch::getRow);
    ColumnVector made = functions.get(function).results(column, cells, rows, series.texts(), sums);
    if (made instanceof FailingSums failed) {
      failing.add(failed);
    }
    return made;
  }
}

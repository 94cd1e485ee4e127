/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.catalyst.columns.FailingSums;
import io.sparkstencil.spark.catalyst.columns.HeldTexts;
import io.sparkstencil.spark.catalyst.columns.Texts;
import io.sparkstencil.spark.catalyst.interop.RowValue;
import io.sparkstencil.spark.catalyst.series.OrderedSeries;
import io.sparkstencil.spark.catalyst.series.SourceCells;
import io.sparkstencil.spark.exec.CellColumn;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;

/**
 * Loops over frames for rows that stay rows, whose results are asked for row by row. Some rows are
 * computed at once. Used by one thread.
 */
public final class RowLoops {
  private static final int MOST_ROWS = 512;

  private final LoopPlan plan;
  private final HeldTexts texts = new HeldTexts();
  private final int textsOfRow;
  private final List<LoopFunction> functions;
  private final List<ElementType> cells; // of the results
  private final List<RowValue> values; // of these
  private final MovingLoops moving;
  private SourceCells source; // of the series
  private long rows; // of the series
  private boolean begun; // whether a row has been asked for
  private long from; // the first row of the slice
  private long until;
  private ColumnarBatch slice; // the results of some rows
  private InternalRow row; // that results are asked of

  /** Creates the loops of a task, all of them over frames that move. */
  public RowLoops(LoopPlan plan) {
    this.plan = plan;
    this.functions = plan.start(texts);
    this.cells = plan.resultCells();
    this.values =
        Stream.of(plan.results().fields()).map(each -> new RowValue(each.dataType())).toList();
    this.moving = new MovingLoops(plan, functions);
    boolean[] needed = plan.needed(true);
    int found = 0;
    for (int c = 0; c < needed.length; c++) {
      found += needed[c] && Texts.liesApart(plan.sources().get(c).from()) ? 1 : 0;
    }
    this.textsOfRow = found;
  }

  /** Begins a series of {@code count} rows, which are binary and come in order. */
  public void begin(Iterator<? extends InternalRow> series, long count) {
    texts.keepLast(0);
    source = new SourceCells(series, count, plan.input().size(), texts);
    rows = count;
    begun = false;
    until = 0;
  }

  /**
   * Writes the results of a row, the one after that of the call before; the first may be any.
   *
   * @param index its number in the series
   * @param of the row
   * @param ordinal where the first result is written
   */
  public void write(long index, InternalRow of, SpecificInternalRow to, int ordinal) {
    row = of;
    if (!begun) {
      begun = true;
      moving.begin(
          new OrderedSeries.FramedRows(source, Math.toIntExact(index), false), source.remaining());
      until = index;
    }
    if (index >= until) {
      compute(index);
    }
    InternalRow results = slice.getRow((int) (index - from));
    for (int i = 0; i < functions.size(); i++) {
      to.update(ordinal + i, values.get(i).of(results, i));
    }
  }

  private void compute(long index) {
    texts.keepLast(moving.kept() * textsOfRow);
    int count = (int) Math.min(MOST_ROWS, rows - index);
    CellColumn[] results =
        cells.stream().map(each -> new CellColumn(each, count)).toArray(CellColumn[]::new);
    functions.forEach(LoopFunction::open);
    int found = moving.run(count, results);
    if (found == 0) {
      throw moving.failure();
    }
    ColumnVector[] vectors = new ColumnVector[results.length];
    for (int f = 0; f < results.length; f++) {
      StructField column = plan.results().apply(f);
      FailingSums.Named sums =
          plan.calls().get(f).isNullOnOverflow()
              ? null
              : new FailingSums.Named(column.name(), plan.input(), ignored -> row);
      vectors[f] = functions.get(f).results(column, results[f], found, texts, sums);
    }
    slice = new ColumnarBatch(vectors, found);
    from = index;
    until = index + found;
  }
}

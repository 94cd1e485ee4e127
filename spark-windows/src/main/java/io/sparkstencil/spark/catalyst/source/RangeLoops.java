/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.loops.LoopBatches;
import io.sparkstencil.spark.catalyst.loops.LoopPlan;
import io.sparkstencil.spark.catalyst.loops.LoopStart;
import io.sparkstencil.spark.catalyst.rows.CountedRows;
import io.sparkstencil.spark.catalyst.rows.RowPages;
import io.sparkstencil.spark.catalyst.rows.SourceRows;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.catalyst.running.UnitHalo;
import io.sparkstencil.spark.catalyst.series.BatchCells;
import io.sparkstencil.spark.catalyst.series.RangeUnits;
import io.sparkstencil.spark.catalyst.series.SeriesColumns;
import io.sparkstencil.spark.catalyst.series.SeriesLayout;
import io.sparkstencil.spark.catalyst.series.SeriesSpan;
import io.sparkstencil.spark.catalyst.series.UnitCounts;
import io.sparkstencil.spark.catalyst.series.UnitsSpan;
import java.io.Serializable;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;

/**
 * Windows over a range of one series as loops over its columns.
 *
 * @param plan the windows
 * @param layout the columns in which rows are shuffled, with the order of rows that tie
 * @param order the same order, of rows
 * @param task what puts rows in order and counts
 */
record RangeLoops(LoopPlan plan, SeriesLayout layout, UnitOrder order, WindowTask task)
    implements Serializable {

  /** What computes the same of rows in order, where columns with texts find no memory. */
  interface OfRows {
    /**
     * Returns the own rows with their results.
     *
     * @param before how many rows come before the own ones
     * @param own how many own ones there are
     */
    Iterator<InternalRow> run(Iterator<InternalRow> rows, long before, long own);
  }

  /**
   * Returns the own rows of a range with their results, lazily.
   *
   * @param units the rows in the batches in which they were shuffled
   * @param halo which of the units are its own
   * @param start what functions go on from; null if none does
   */
  Iterator<ColumnarBatch> run(
      TaskContext context,
      Iterator<Iterator<InternalRow>> units,
      UnitHalo halo,
      LoopStart start,
      OfRows ofRows) {
    task.metric(StencilMetric.PARTITIONS).add(1);
    UnitCounts counts = new UnitCounts(halo.left(), halo.own());
    SQLMetric haloRows = task.metric(StencilMetric.HALO_ROWS);
    ScalaInterop.onCompletion(context, () -> haloRows.add(counts.beside()));
    if (layout.hasTexts()) { // which are read where they lie
      return ofTexts(context, counts.of(units), counts, halo, start, ofRows);
    }
    RangeUnits rows = task.range(context, counts.of(units), order, layout);
    UnitsSpan span =
        new UnitsSpan(
            rows, plan.sources(), halo.left(), halo.own(), halo.skipped(), halo.looksBack());
    return kept(new LoopBatches(plan, span, start, rows::release));
  }

  /**
   * Returns rows that come in order, of columns of fixed width, with their results, lazily.
   *
   * @param start what functions go on from
   */
  Iterator<ColumnarBatch> runInPlace(Iterator<ColumnarBatch> inOrder, LoopStart start) {
    task.metric(StencilMetric.PARTITIONS).add(1);
    BatchCells rows = new BatchCells(inOrder);
    UnitsSpan all = new UnitsSpan(rows, plan.sources(), 0, Integer.MAX_VALUE, 0, false);
    return task.counted(new LoopBatches(plan, all, start, () -> {}), StencilMetric.ROWS);
  }

  private Iterator<ColumnarBatch> ofTexts(
      TaskContext context,
      Iterator<Iterator<InternalRow>> units,
      UnitCounts counts,
      UnitHalo halo,
      LoopStart start,
      OfRows ofRows) {
    SeriesColumns collected = WindowTask.empty(RowPages.of(context), layout);
    Iterator<InternalRow> rest = collected.addAll(units.flatMap(unit -> unit));
    if (rest != null) {
      Iterator<InternalRow> sorted =
          new SourceRows(task.spilled(context, order).sorted(collected, rest));
      SQLMetric rows = task.metric(StencilMetric.ROWS);
      return plan.batches(new CountedRows(ofRows.run(sorted, counts.before(), counts.own()), rows));
    }
    ScalaInterop.onCompletion(context, () -> task.countSort(collected));
    SeriesSpan span = new SeriesSpan(collected, counts, halo.skipped(), halo.looksBack());
    return kept(new LoopBatches(plan, span, start, collected::release));
  }

  private Iterator<ColumnarBatch> kept(Iterator<ColumnarBatch> batches) {
    return task.counted(batches, StencilMetric.ROWS, StencilMetric.COLUMN_ROWS);
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.error.Cancellation;
import io.sparkstencil.spark.catalyst.rows.RowPages;
import io.sparkstencil.spark.catalyst.rows.RowSource;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.catalyst.series.CollectedUnits;
import io.sparkstencil.spark.catalyst.series.RangeUnits;
import io.sparkstencil.spark.catalyst.series.SeriesColumns;
import io.sparkstencil.spark.catalyst.series.SeriesLayout;
import io.sparkstencil.spark.catalyst.series.SpilledSeries;
import java.io.Serializable;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;

/** A task that collects shuffled rows as columns and puts them in order. */
interface CollectingTask extends Serializable {
  /** Returns what counts. */
  SQLMetric metric(StencilMetric metric);

  /** Returns what puts rows in order that do not find memory together. */
  default SpilledSeries spilled(
      TaskContext context, UnitOrder order, SeriesLayout series, RowPages pages) {
    return new SpilledSeries(
        context,
        order,
        series,
        pages,
        metric(StencilMetric.SORT_NANOS),
        metric(StencilMetric.SPILLED_BYTES));
  }

  /**
   * Returns the rows of a range of one series, in order, of columns of fixed width.
   *
   * @param units the batches of each unit
   */
  default RangeUnits range(
      TaskContext context,
      Iterator<Iterator<InternalRow>> units,
      UnitOrder order,
      SeriesLayout series) {
    RowPages pages = RowPages.of(context);
    return new RangeUnits(
        units,
        () -> new SeriesColumns(series, pages, UnitOrder.mostBytes()),
        () -> spilled(context, order, series, pages),
        metric(StencilMetric.SORT_NANOS)::add);
  }

  /**
   * Returns rows in order, one unit after the other.
   *
   * @param units the rows of each
   */
  default RowSource inOrder(
      TaskContext context, Iterator<Iterator<InternalRow>> units, UnitOrder order) {
    SeriesLayout series = SeriesLayout.of(order);
    RowPages pages = RowPages.of(context);
    return new CollectedUnits(
        units,
        () -> new SeriesColumns(series, pages, UnitOrder.mostBytes()),
        () -> spilled(context, order, series, pages),
        order.keys() != null,
        metric(StencilMetric.SORT_NANOS)::add);
  }

  /** Returns batches, each of whose rows are counted; the task may end before each. */
  default Iterator<ColumnarBatch> counted(
      Iterator<ColumnarBatch> batches, StencilMetric... metrics) {
    SQLMetric[] rows = Stream.of(metrics).map(this::metric).toArray(SQLMetric[]::new);
    return batches.map(
        batch -> {
          Cancellation.ask();
          for (SQLMetric each : rows) {
            each.add(batch.numRows());
          }
          return batch;
        });
  }
}

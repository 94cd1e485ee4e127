/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.error.Cancellation;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.CountedRows;
import io.sparkstencil.spark.catalyst.rows.RowPages;
import io.sparkstencil.spark.catalyst.rows.RowSource;
import io.sparkstencil.spark.catalyst.rows.SourceRows;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.catalyst.series.OwnRows;
import io.sparkstencil.spark.catalyst.series.RangeUnits;
import io.sparkstencil.spark.catalyst.series.SeriesCollector;
import io.sparkstencil.spark.catalyst.series.SeriesColumns;
import io.sparkstencil.spark.catalyst.series.SeriesLayout;
import io.sparkstencil.spark.catalyst.series.SpilledSeries;
import io.sparkstencil.spark.conf.StencilConf;
import java.io.Serializable;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;

/**
 * A task of an operator, whatever it computes: collects rows, puts them in order, and counts.
 *
 * @param conf options of the query
 * @param metrics what is counted
 */
public record WindowTask(StencilConf conf, Map<StencilMetric, SQLMetric> metrics)
    implements Serializable {
  /** Returns what counts. */
  public SQLMetric metric(StencilMetric metric) {
    return metrics.get(metric);
  }

  /** Sets the time since {@code start}, a reading of the clock in nanoseconds. */
  void setMillis(StencilMetric metric, long start) {
    metric(metric).set((System.nanoTime() - start) / 1_000_000);
  }

  /**
   * Collects whole series from the batches in which they were shuffled, and returns their results,
   * lazily.
   *
   * @param layout of the columns in which they are collected
   * @param order their order; they may have more columns than what is computed, which come last
   * @param own the rows that the result has
   */
  <T> Iterator<T> ofBatches(
      TaskContext context,
      Iterator<InternalRow> batches,
      SeriesLayout layout,
      UnitOrder order,
      OwnRows own,
      SeriesComputation<T> windows) {
    SeriesColumns collected = empty(RowPages.of(context), layout);
    Iterator<InternalRow> rest = SeriesCollector.addAll(collected, batches, conf);
    metric(StencilMetric.FALLBACKS).add(collected.deviceFailures());
    if (rest == null) {
      metric(StencilMetric.DEVICE_ROWS).add(collected.deviceRows());
      metric(StencilMetric.HOST_ROWS).add(collected.hostRows());
    }
    return computed(context, collected, rest, order, own, windows);
  }

  /** Collects rows that are all one unit, and returns their results, lazily. */
  <T> Iterator<T> ofRows(
      TaskContext context,
      Iterator<InternalRow> rows,
      UnitOrder order,
      SeriesComputation<T> windows) {
    SeriesColumns collected = empty(RowPages.of(context), SeriesLayout.of(order));
    Iterator<InternalRow> rest = collected.addRows(rows);
    return computed(context, collected, rest, order, RowSpan.ALL, windows);
  }

  /**
   * Returns the results of what has been collected, lazily.
   *
   * @param rest batches of rows that found no memory; null if there are none
   */
  private <T> Iterator<T> computed(
      TaskContext context,
      SeriesColumns collected,
      Iterator<InternalRow> rest,
      UnitOrder order,
      OwnRows own,
      SeriesComputation<T> windows) {
    if (rest != null) {
      SpilledSeries all = spilled(context, order);
      RowSource sorted = all.sorted(collected, rest);
      own.check(all.rows());
      return windows.ofRows().results(context, own.of(sorted), order);
    }
    own.check(collected.rows());
    ScalaInterop.onCompletion(context, () -> countSort(collected));
    return windows.ofColumns().results(context, collected, order, own);
  }

  /** Counts the time in which what has been collected was put in order. */
  void countSort(SeriesColumns collected) {
    metric(StencilMetric.SORT_NANOS).add(collected.sortNanos());
  }

  /** Returns what collects the rows of a task, or of one unit of them. */
  static SeriesColumns empty(RowPages pages, SeriesLayout layout) {
    return new SeriesColumns(layout, pages, UnitOrder.mostBytes());
  }

  /** Returns what puts rows in order that do not find memory together. */
  SpilledSeries spilled(TaskContext context, UnitOrder order) {
    return new SpilledSeries(
        context, order, metric(StencilMetric.SORT_NANOS), metric(StencilMetric.SPILLED_BYTES));
  }

  /**
   * Returns the rows of a range of one series, in order, of columns of fixed width.
   *
   * @param units the batches of each unit
   */
  RangeUnits range(
      TaskContext context,
      Iterator<Iterator<InternalRow>> units,
      UnitOrder order,
      SeriesLayout layout) {
    RowPages pages = RowPages.of(context);
    return new RangeUnits(
        units,
        () -> empty(pages, layout),
        () -> spilled(context, order),
        metric(StencilMetric.SORT_NANOS)::add);
  }

  /**
   * Returns rows in order, one unit after the other.
   *
   * @param units the rows of each
   * @param sorted whether they come in order, but for ties
   */
  Iterator<InternalRow> inOrder(
      TaskContext context, Iterator<Iterator<InternalRow>> units, UnitOrder order, boolean sorted) {
    if (sorted) {
      return new SourceRows(order.sorted(units.flatMap(unit -> unit)));
    }
    SeriesLayout layout = SeriesLayout.of(order);
    RowPages pages = RowPages.of(context);
    return units.flatMap(
        unit -> {
          SeriesColumns collected = empty(pages, layout);
          Iterator<InternalRow> rest = collected.addRows(unit);
          return rest == null
              ? ScalaInterop.andThen(
                  new SourceRows(collected.inOrder()), () -> countSort(collected))
              : new SourceRows(spilled(context, order).sorted(collected, rest));
        });
  }

  /** Returns results of a partition, which is counted, as are its rows. */
  Iterator<InternalRow> counted(Iterator<InternalRow> results) {
    metric(StencilMetric.PARTITIONS).add(1);
    return new CountedRows(results, metric(StencilMetric.ROWS));
  }

  /** Returns batches, each of whose rows are counted; the task may end before each. */
  Iterator<ColumnarBatch> counted(Iterator<ColumnarBatch> batches, StencilMetric... counts) {
    SQLMetric[] rows = Stream.of(counts).map(this::metric).toArray(SQLMetric[]::new);
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

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.columns.BatchPacker;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.loops.LoopBatches;
import io.sparkstencil.spark.catalyst.loops.LoopPlan;
import io.sparkstencil.spark.catalyst.rows.CountedRows;
import io.sparkstencil.spark.catalyst.rows.RowPages;
import io.sparkstencil.spark.catalyst.rows.RowSource;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.catalyst.running.SeriesFrames;
import io.sparkstencil.spark.catalyst.series.SeriesColumns;
import io.sparkstencil.spark.catalyst.series.SeriesLayout;
import io.sparkstencil.spark.conf.StencilConf;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;

/**
 * Windows that are no stencils, over whole series.
 *
 * @param frames the windows
 * @param conf options of the query
 * @param metrics what is counted
 */
public record SeriesWindowTask(
    SeriesFrames frames, StencilConf conf, Map<StencilMetric, SQLMetric> metrics)
    implements SeriesTask {
  @Override
  public Iterator<InternalRow> run(
      TaskContext context, Iterator<Iterator<InternalRow>> units, UnitOrder order) {
    return run(context, inOrder(context, units, order));
  }

  /**
   * Returns series with their results, lazily. Their rows are collected as columns.
   *
   * @param shuffled the rows in the batches in which they were shuffled
   */
  Iterator<InternalRow> runShuffled(
      TaskContext context, Iterator<InternalRow> shuffled, UnitOrder order, SeriesLayout series) {
    SeriesColumns collected = empty(context, series);
    RowSource spilled = collect(context, collected, shuffled, order);
    return run(context, spilled == null ? collected.inOrder() : spilled);
  }

  /**
   * Returns the columns of series with those of their results, lazily.
   *
   * @param plan the windows that are loops
   * @param mixed all of them; null if there are no others
   * @param shuffled the rows in the batches in which they were shuffled
   */
  Iterator<ColumnarBatch> runColumns(
      TaskContext context,
      LoopPlan plan,
      MixedWindows mixed,
      Iterator<InternalRow> shuffled,
      UnitOrder order,
      SeriesLayout series) {
    SeriesColumns collected = empty(context, series);
    RowSource spilled = collect(context, collected, shuffled, order);
    if (spilled != null) {
      StructType all = DataTypeUtils.fromAttributes(ScalaInterop.seq(frames.results()));
      return BatchPacker.of(plan.input(), all).batches(run(context, spilled));
    }
    metric(StencilMetric.PARTITIONS).add(1);
    LoopBatches batches = new LoopBatches(plan, collected, null, collected::release);
    return counted(mixed == null ? batches : mixed.beside(batches, collected), StencilMetric.ROWS);
  }

  private static SeriesColumns empty(TaskContext context, SeriesLayout series) {
    return new SeriesColumns(series, RowPages.of(context), UnitOrder.mostBytes());
  }

  /** Collects rows, and returns null, or all rows in order if they found no memory. */
  private RowSource collect(
      TaskContext context, SeriesColumns to, Iterator<InternalRow> shuffled, UnitOrder order) {
    Iterator<InternalRow> rest = collect(to, shuffled);
    if (rest != null) {
      return spilled(context, order, to.layout(), to.pages()).sorted(to, rest);
    }
    metric(StencilMetric.COLUMN_ROWS).add(to.rows());
    SQLMetric sortNanos = metric(StencilMetric.SORT_NANOS);
    ScalaInterop.onCompletion(context, () -> sortNanos.add(to.sortNanos()));
    return null;
  }

  @Override
  public Iterator<InternalRow> run(TaskContext context, RowSource source) {
    metric(StencilMetric.PARTITIONS).add(1);
    SQLMetric rows = metric(StencilMetric.ROWS);
    return new CountedRows(frames.run(source), rows);
  }

  @Override
  public SQLMetric metric(StencilMetric metric) {
    return metrics.get(metric);
  }
}

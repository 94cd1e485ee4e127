/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.frames.StateCollector;
import io.sparkstencil.spark.catalyst.frames.StateSpec;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.CountedRows;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.rows.RowSource;
import io.sparkstencil.spark.catalyst.rows.SourceRows;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.catalyst.running.BoundedFrames;
import io.sparkstencil.spark.catalyst.running.HaloRows;
import io.sparkstencil.spark.catalyst.running.UnitFacts;
import io.sparkstencil.spark.catalyst.running.UnitHalo;
import io.sparkstencil.spark.catalyst.shuffle.ExtentCollector;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.collection.Iterator;

/**
 * What every task of an operator of bounded windows does.
 *
 * @param frames the windows
 * @param order how the rows of a unit are put in order
 * @param sorted whether each unit comes in order, but for ties
 * @param metrics what is counted
 */
record BoundedTask(
    BoundedFrames frames, UnitOrder order, boolean sorted, Map<StencilMetric, SQLMetric> metrics)
    implements CollectingTask {

  /**
   * Returns the rows of a task's own units with their results, lazily.
   *
   * @param units the task's own and those beside them
   */
  Iterator<InternalRow> run(
      TaskContext context, Iterator<Iterator<InternalRow>> units, UnitHalo halo) {
    metrics.get(StencilMetric.PARTITIONS).add(1);
    SQLMetric rows = metrics.get(StencilMetric.ROWS);
    SQLMetric haloRows = metrics.get(StencilMetric.HALO_ROWS);
    HaloRows counts = new HaloRows(halo, order.order());
    ScalaInterop.onCompletion(context, () -> haloRows.add(counts.beside()));
    return new CountedRows(frames.run(ordered(context, counts.of(units)), counts), rows);
  }

  /**
   * Returns what is to be known of a unit.
   *
   * @param unit the rows of one
   * @param keys the order whose keys matter; null if none do
   * @param spec what is aggregated
   */
  UnitFacts facts(
      TaskContext context, Iterator<Iterator<InternalRow>> unit, RowOrder keys, StateSpec spec) {
    ExtentCollector extent = new ExtentCollector(keys);
    StateCollector state = spec.collectors().get();
    Iterator<InternalRow> rows = spec.ordered() ? ordered(context, unit) : unit.next();
    while (rows.hasNext()) {
      UnsafeRow row = (UnsafeRow) rows.next();
      extent.add(row);
      state.add(row);
    }
    return new UnitFacts(extent.packed(), state.state());
  }

  private Iterator<InternalRow> ordered(
      TaskContext context, Iterator<Iterator<InternalRow>> units) {
    RowSource source =
        sorted ? order.sorted(units.flatMap(unit -> unit)) : inOrder(context, units, order);
    return new SourceRows(source);
  }

  @Override
  public SQLMetric metric(StencilMetric metric) {
    return metrics.get(metric);
  }
}

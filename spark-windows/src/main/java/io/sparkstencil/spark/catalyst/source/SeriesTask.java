/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.rows.RowSource;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.catalyst.series.SeriesCollector;
import io.sparkstencil.spark.catalyst.series.SeriesColumns;
import io.sparkstencil.spark.conf.StencilConf;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.collection.Iterator;

/** What a task does with a partition of whole series. */
public interface SeriesTask extends CollectingTask {
  /** Puts the rows of units in order and returns them with their results, lazily. */
  Iterator<InternalRow> run(
      TaskContext context, Iterator<Iterator<InternalRow>> units, UnitOrder order);

  /** Returns rows that are in order with their results, lazily. */
  Iterator<InternalRow> run(TaskContext context, RowSource rows);

  /** Returns the options of the query. */
  StencilConf conf();

  /**
   * Collects rows as columns, and counts who has put them in order.
   *
   * @param shuffled the rows in the batches in which they were shuffled
   * @return null if all rows are there, else batches of those that found no memory
   */
  default Iterator<InternalRow> collect(SeriesColumns to, Iterator<InternalRow> shuffled) {
    Iterator<InternalRow> rest = SeriesCollector.addAll(to, shuffled, conf());
    metric(StencilMetric.FALLBACKS).add(to.deviceFailures());
    if (rest == null) {
      metric(StencilMetric.DEVICE_ROWS).add(to.deviceRows());
      metric(StencilMetric.HOST_ROWS).add(to.hostRows());
    }
    return rest;
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.inputs;

import io.sparkstencil.spark.catalyst.order.UnitOrder;
import io.sparkstencil.spark.catalyst.rows.RowSource;
import java.io.Serializable;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.collection.Iterator;

/** What a task does with a partition of whole series. */
public interface SeriesTask extends Serializable {
  /** Puts the rows of units in order and returns them with their results, lazily. */
  Iterator<InternalRow> run(
      TaskContext context, Iterator<Iterator<InternalRow>> units, UnitOrder order);

  /** Returns rows that are in order with their results, lazily. */
  Iterator<InternalRow> run(TaskContext context, RowSource rows);

  /** Returns what counts. */
  SQLMetric metric(StencilMetric metric);
}

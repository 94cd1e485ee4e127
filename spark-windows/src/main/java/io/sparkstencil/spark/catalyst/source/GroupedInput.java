/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import java.io.Serializable;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.collection.Iterator;

/**
 * Runs windows over partitions each of which holds whole series: Spark has seen to that.
 *
 * @param task what each task is
 * @param windows what it computes
 * @param order the order of a partition: by series, then within each
 * @param sorted whether the rows of each partition are in this order
 */
public record GroupedInput(
    WindowTask task, SeriesComputation<InternalRow> windows, UnitOrder order, boolean sorted)
    implements Serializable {

  /** Returns the rows, in order, with their results. */
  public RDD<InternalRow> run(RDD<InternalRow> rows) {
    return rows.mapPartitionsWithEvaluator(
        () -> (index, inputs) -> results(inputs.apply(0)), ScalaInterop.tag(InternalRow.class));
  }

  private Iterator<InternalRow> results(Iterator<InternalRow> rows) {
    TaskContext context = TaskContext.get();
    return sorted
        ? windows.ofRows().results(context, order.sorted(rows), order)
        : task.ofRows(context, rows, order, windows);
  }
}

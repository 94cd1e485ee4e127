/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.inputs;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.order.UnitOrder;
import io.sparkstencil.spark.exec.SeriesHalos;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;

/** Runs stencils over partitions each of which holds whole series: Spark has seen to that. */
public final class GroupedInput {
  private final StencilTask task;
  private final UnitOrder order;
  private final boolean sorted;

  /**
   * Creates the plan of an input.
   *
   * @param task what each task does
   * @param order the order of a partition: by series, then within each
   * @param sorted whether the rows of each partition are in this order
   */
  public GroupedInput(StencilTask task, UnitOrder order, boolean sorted) {
    this.task = task;
    this.order = order;
    this.sorted = sorted;
  }

  /** Returns the rows, in order, with their results. */
  public RDD<InternalRow> run(RDD<InternalRow> rows) {
    StencilTask each = task;
    UnitOrder by = order;
    SeriesHalos none = SeriesHalos.none(task.plan().pipelines().size());
    boolean wholeSeries = task.plan().wraps();
    PartitionEvaluatorFactory<InternalRow, InternalRow> inOrder =
        () ->
            (index, inputs) ->
                each.run(TaskContext.get(), by.sorted(inputs.apply(0)), none, wholeSeries);
    PartitionEvaluatorFactory<InternalRow, InternalRow> collecting =
        () ->
            (index, inputs) ->
                each.run(
                    TaskContext.get(), ScalaInterop.seqOf(inputs.apply(0)).iterator(), by, none);
    return rows.mapPartitionsWithEvaluator(
        sorted ? inOrder : collecting, ScalaInterop.tag(InternalRow.class));
  }
}

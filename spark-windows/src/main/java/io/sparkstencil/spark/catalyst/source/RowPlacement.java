/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.interop.ArrangedRdd;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.List;
import org.apache.spark.Partition;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Where rows lie in partitions that follow each other in an order; equal rows lie in one of them.
 *
 * @param splits partitions of the files that the rows are read from; null for those of the plan
 * @param sorted whether the rows of each partition are in order
 * @param distinct whether, besides, no two rows are known to tie
 * @param counts the rows of each partition; empty if they have not been counted
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record RowPlacement(
    Partition[] splits, boolean sorted, boolean distinct, List<Long> counts) {

  /**
   * Returns the plan's own partitions.
   *
   * @param sorted whether the rows of each are in order
   */
  public static RowPlacement own(boolean sorted) {
    return new RowPlacement(null, sorted, false, List.of());
  }

  /** Returns partitions of files of whose rows nothing is known. */
  static RowPlacement inFiles(Partition[] splits) {
    return new RowPlacement(splits, false, false, List.of());
  }

  /** Returns the same partitions with what a look at their rows has told. */
  RowPlacement probed(List<OrderProbe.Found> found) {
    boolean inOrder = found.stream().allMatch(OrderProbe.Found::inOrder);
    return inOrder
        ? new RowPlacement(
            splits,
            true,
            found.stream().noneMatch(OrderProbe.Found::ties),
            found.stream().map(OrderProbe.Found::rows).toList())
        : new RowPlacement(splits, false, false, List.of());
  }

  /** Returns the rows of the plan, or of one that has fewer of its columns. */
  public RDD<InternalRow> rows(SparkPlan plan) {
    RDD<InternalRow> rows = plan.execute();
    return splits == null
        ? rows
        : new ArrangedRdd<>(rows, splits, ScalaInterop.tag(InternalRow.class));
  }

  /**
   * Returns the rows of the plan, or of one that has fewer of its columns, in batches of columns as
   * they are read; null if it has no such batches.
   */
  RDD<ColumnarBatch> batches(SparkPlan plan) {
    SparkPlan columnar = NarrowPlan.columnar(plan);
    if (columnar == null) {
      return null;
    }
    return columns(columnar);
  }

  /** Returns the batches of a plan of columns. */
  public RDD<ColumnarBatch> columns(SparkPlan plan) {
    RDD<ColumnarBatch> batches = plan.executeColumnar();
    return splits == null
        ? batches
        : new ArrangedRdd<>(batches, splits, ScalaInterop.tag(ColumnarBatch.class));
  }
}

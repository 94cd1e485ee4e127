/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.inputs;

import io.sparkstencil.spark.catalyst.interop.ArrangedRdd;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import org.apache.spark.Partition;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * Where rows lie in partitions that follow each other in an order; equal rows lie in one of them.
 *
 * @param splits partitions of the files that the rows are read from; null for those of the plan
 * @param sorted whether the rows of each partition are in order
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Placement(Partition[] splits, boolean sorted) {

  /**
   * Returns the plan's own partitions.
   *
   * @param sorted whether the rows of each are in order
   */
  public static Placement own(boolean sorted) {
    return new Placement(null, sorted);
  }

  /** Returns the rows of the plan, or of one that has fewer of its columns. */
  public RDD<InternalRow> rows(SparkPlan plan) {
    RDD<InternalRow> rows = plan.execute();
    return splits == null
        ? rows
        : new ArrangedRdd<>(rows, splits, ScalaInterop.tag(InternalRow.class));
  }
}

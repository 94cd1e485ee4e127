/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.interop.UnaryOperator;
import io.sparkstencil.spark.catalyst.source.files.OverRows;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.SparkPlan;
import scala.collection.immutable.Seq;

/**
 * An operator over batches of columns that stands for one of Spark's over rows, which says what
 * comes out.
 */
abstract class ColumnOperator extends UnaryOperator implements OverRows {
  private static final long serialVersionUID = 1L;

  ColumnOperator(SparkPlan child) {
    super(child);
  }

  @Override
  public final Seq<Attribute> output() {
    return overRows().output();
  }

  @Override
  public final Partitioning outputPartitioning() {
    return overRows().outputPartitioning();
  }

  @Override
  public final Seq<SortOrder> outputOrdering() {
    return overRows().outputOrdering();
  }

  @Override
  public final boolean supportsColumnar() {
    return true;
  }

  @Override
  public final RDD<InternalRow> doExecute() {
    return new ColumnarToRowExec(this).execute();
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.interop.CaseClass;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnaryExecNode;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * An operator over batches of columns that stands for one of Spark's over rows, which says what
 * comes out. Operators are equal if they have equal {@link #elements}.
 */
abstract class ColumnOperator extends SparkPlan implements UnaryExecNode, CaseClass {
  private static final long serialVersionUID = 1L;

  private final SparkPlan child;

  ColumnOperator(SparkPlan child) {
    this.child = child;
  }

  /** Returns Spark's operator over the rows of the child. */
  abstract SparkPlan overRows();

  @Override
  public final SparkPlan child() {
    return child;
  }

  @Override
  public final Seq<SparkPlan> children() {
    return ScalaInterop.seqOf(child);
  }

  @Override
  public final SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> newChildren) {
    return withNewChildInternal(newChildren.apply(0));
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

  @Override
  public final String verboseStringWithOperatorId() {
    return UnaryExecNode.super.verboseStringWithOperatorId();
  }

  @Override
  public final boolean equals(Object other) {
    return other != null
        && getClass() == other.getClass()
        && elements().equals(((ColumnOperator) other).elements());
  }

  @Override
  public final int hashCode() {
    return elements().hashCode();
  }
}

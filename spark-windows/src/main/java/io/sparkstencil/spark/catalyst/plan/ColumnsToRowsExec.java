/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.columns.ColumnRows;
import io.sparkstencil.spark.catalyst.columns.RowViews;
import io.sparkstencil.spark.catalyst.columns.Texts;
import io.sparkstencil.spark.catalyst.interop.RowWriters;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.UnaryOperator;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.CodegenSupport;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.ColumnarToRowTransition;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;

/**
 * Makes rows of the columns of an operator of ours, where Spark would make them one by one: for
 * consumers that are not within the same generated code, such as shuffles. Writers of Spark's get
 * views of rows, which are not made at all.
 */
public final class ColumnsToRowsExec extends UnaryOperator implements ColumnarToRowTransition {
  private static final long serialVersionUID = 1L;

  private final boolean views;
  private final transient Object metricsLock = new Object();
  private transient Map<String, SQLMetric> metrics;

  /**
   * Creates the operator over columns.
   *
   * @param views whether the consumer asks rows for values only
   */
  public ColumnsToRowsExec(SparkPlan child, boolean views) {
    super(child);
    this.views = views;
  }

  /** Returns what hands rows of a plan on to {@code consumer}, null for the result of a query. */
  static SparkPlan below(SparkPlan consumer, SparkPlan plan) {
    boolean isFused = consumer instanceof CodegenSupport generated && generated.supportCodegen();
    return plan instanceof ColumnarToRowExec rows
            && rows.child() instanceof StencilExec
            && (!isFused || hasBytes(rows.child()))
        ? replaced(rows, consumer)
        : plan;
  }

  private static SparkPlan replaced(ColumnarToRowExec rows, SparkPlan consumer) {
    boolean views =
        consumer == null ? RowWriters.isMarked(rows.child()) : RowWriters.isWriter(consumer);
    SparkPlan made = new ColumnsToRowsExec(rows.child(), views);
    made.copyTagsFrom(rows);
    return made;
  }

  /** Tells whether generated code would make columns of Spark's first. */
  private static boolean hasBytes(SparkPlan plan) {
    return ScalaInterop.list(plan.output()).stream()
        .map(Attribute::dataType)
        .anyMatch(type -> Texts.liesApart(type) && !Texts.isText(type));
  }

  @Override
  public SparkPlan withNewChildInternal(SparkPlan newChild) {
    return new ColumnsToRowsExec(newChild, views);
  }

  @Override
  public Seq<Attribute> output() {
    return child().output();
  }

  @Override
  public Partitioning outputPartitioning() {
    return child().outputPartitioning();
  }

  @Override
  public Seq<SortOrder> outputOrdering() {
    return child().outputOrdering();
  }

  @Override
  public Map<String, SQLMetric> metrics() {
    synchronized (metricsLock) {
      if (metrics == null) {
        metrics = new ColumnarToRowExec(child()).metrics(); // the same, in plans as in pages
      }
      return metrics;
    }
  }

  @Override
  public RDD<InternalRow> doExecute() {
    Map<String, SQLMetric> counts = metrics();
    SQLMetric batches = counts.apply("numInputBatches");
    SQLMetric rows = counts.apply("numOutputRows");
    return child()
        .executeColumnar()
        .mapPartitionsWithEvaluator(
            views ? new RowViews(batches, rows) : new ColumnRows(child().schema(), batches, rows),
            ScalaInterop.tag(InternalRow.class));
  }

  @Override
  public List<Object> elements() {
    return List.of(child(), views ? "views" : "copies");
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.columns.ColumnRows;
import io.sparkstencil.spark.catalyst.columns.Texts;
import io.sparkstencil.spark.catalyst.columns.WordType;
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
 * consumers that are not within the same generated code, such as writers and shuffles.
 */
public final class ColumnsToRowsExec extends UnaryOperator implements ColumnarToRowTransition {
  private static final long serialVersionUID = 1L;

  private final transient Object metricsLock = new Object();
  private transient Map<String, SQLMetric> metrics;

  /** Creates the operator over columns, all of fixed width or texts. */
  public ColumnsToRowsExec(SparkPlan child) {
    super(child);
  }

  /** Returns what hands rows of a plan on to {@code consumer}, null for the result of a query. */
  static SparkPlan below(SparkPlan consumer, SparkPlan plan) {
    boolean isFused = consumer instanceof CodegenSupport generated && generated.supportCodegen();
    return !isFused
            && plan instanceof ColumnarToRowExec rows
            && rows.child() instanceof StencilExec
            && isCovered(rows.child())
        ? replaced(rows)
        : plan;
  }

  private static SparkPlan replaced(ColumnarToRowExec rows) {
    SparkPlan made = new ColumnsToRowsExec(rows.child());
    made.copyTagsFrom(rows);
    return made;
  }

  private static boolean isCovered(SparkPlan plan) {
    return ScalaInterop.list(plan.output()).stream()
        .map(Attribute::dataType)
        .allMatch(type -> WordType.of(type) != null || Texts.isText(type));
  }

  @Override
  public SparkPlan withNewChildInternal(SparkPlan newChild) {
    return new ColumnsToRowsExec(newChild);
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
    return child()
        .executeColumnar()
        .mapPartitionsWithEvaluator(
            new ColumnRows(
                child().schema(), counts.apply("numInputBatches"), counts.apply("numOutputRows")),
            ScalaInterop.tag(InternalRow.class));
  }

  @Override
  public List<Object> elements() {
    return List.of(child());
  }
}

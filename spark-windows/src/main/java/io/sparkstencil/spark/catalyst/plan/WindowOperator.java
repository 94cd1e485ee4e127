/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.columns.BatchPacker;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.UnaryOperator;
import io.sparkstencil.spark.catalyst.loops.LoopPlan;
import io.sparkstencil.spark.catalyst.source.OperatorMetrics;
import io.sparkstencil.spark.catalyst.source.StencilMetric;
import io.sparkstencil.spark.catalyst.source.StencilRun;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.SortOrder$;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;

/** An operator that computes windows of one order by Spark's own arithmetic. */
abstract class WindowOperator extends UnaryOperator {
  private static final long serialVersionUID = 1L;

  private final Seq<NamedExpression> windows;
  private final SeriesOrder order;
  private final transient OperatorMetrics metrics = new OperatorMetrics();

  /**
   * Creates the operator.
   *
   * @param windows windows with their names
   * @param order the order of all of them
   * @param child the rows
   */
  WindowOperator(Seq<NamedExpression> windows, SeriesOrder order, SparkPlan child) {
    super(child);
    this.windows = windows;
    this.order = order;
  }

  /** Makes what tasks need, and fails if that cannot be made. */
  abstract void plan();

  /** Returns what is counted. */
  abstract Set<StencilMetric> counted();

  /** Returns the rows with their results. */
  abstract RDD<InternalRow> results();

  /** Returns what a text of the plan says beside the windows and their order. */
  abstract String remark();

  /** Returns the session's time zone. */
  final ZoneId zone() {
    return DateTimeUtils.getZoneId(conf().sessionLocalTimeZone());
  }

  /** Tells whether tasks have whole series, and not ranges of them. */
  abstract boolean takesWholeSeries();

  /** Returns the windows as they are computed of columns, where all of them are. */
  LoopPlan.Choice loops() {
    return LoopPlan.of(windows, order.orderSpec(), child().output(), zone(), takesWholeSeries());
  }

  /** Returns rows with their results as columns. */
  final RDD<ColumnarBatch> packed(RDD<InternalRow> rows) {
    List<Attribute> results = new ArrayList<>();
    ScalaInterop.list(windows).forEach(each -> results.add(each.toAttribute()));
    return BatchPacker.of(
        DataTypeUtils.fromAttributes(child().output()),
        DataTypeUtils.fromAttributes(ScalaInterop.seq(results)),
        rows);
  }

  final Seq<NamedExpression> windows() {
    return windows;
  }

  /** Returns the keys of the series, if there are any, and the order of each. */
  public final SeriesOrder order() {
    return order;
  }

  /**
   * Returns this operator.
   *
   * @throws RuntimeException if its tasks could not be made, while Spark can still plan otherwise
   */
  public final SparkPlan verified() {
    if (!missingInput().isEmpty()) {
      throw new IllegalStateException(
          "columns %s are not among %s".formatted(missingInput(), child().output()));
    }
    plan();
    return this;
  }

  /** Tells whether the child's partitions each have their rows in the windows' order. */
  final boolean hasOrder() {
    return SortOrder$.MODULE$.orderingSatisfies(child().outputOrdering(), order.full());
  }

  @Override
  public final Seq<Attribute> output() {
    List<Attribute> results = new ArrayList<>();
    ScalaInterop.list(windows).forEach(each -> results.add(each.toAttribute()));
    return ScalaInterop.concat(child().output(), ScalaInterop.seq(results));
  }

  @Override
  public final Seq<SortOrder> outputOrdering() {
    return order.full();
  }

  final java.util.Map<StencilMetric, SQLMetric> counts() {
    return metrics.of(sparkContext(), counted());
  }

  @Override
  public final Map<String, SQLMetric> metrics() {
    return ScalaInterop.map(StencilMetric.byName(counts()));
  }

  @Override
  public final RDD<InternalRow> doExecute() {
    RDD<InternalRow> results = results();
    StencilRun.post(sparkContext(), counts());
    return results;
  }

  @Override
  public final String argString(int maxFields) {
    return windows.mkString("[", ", ", "]") + order.text() + remark();
  }
}

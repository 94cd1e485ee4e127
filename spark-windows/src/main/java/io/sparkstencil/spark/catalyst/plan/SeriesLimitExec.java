/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.UnaryOperator;
import io.sparkstencil.spark.catalyst.rows.LimitedRows;
import io.sparkstencil.spark.catalyst.rows.RankLimit;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.rows.RowPages;
import io.sparkstencil.spark.catalyst.source.OperatorMetrics;
import io.sparkstencil.spark.catalyst.source.StencilMetric;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;

/**
 * Leaves out rows, before they are brought together, that have too many rows of their series before
 * them in their partition alone. Unlike Spark's operator, it needs no order, and has none.
 */
public final class SeriesLimitExec extends UnaryOperator {
  private static final long serialVersionUID = 1L;

  private final Seq<Expression> partitionSpec;
  private final Seq<SortOrder> orderSpec;
  private final RankLimit limit;
  private final transient OperatorMetrics metrics = new OperatorMetrics();

  /**
   * Creates the operator from its elements, as Spark does.
   *
   * @param partitionSpec keys of the series; empty if all rows are one series
   * @param orderSpec the order of each series
   * @param limit which rows of a series are wanted
   * @param child the rows
   */
  public SeriesLimitExec(
      Seq<Expression> partitionSpec, Seq<SortOrder> orderSpec, RankLimit limit, SparkPlan child) {
    super(child);
    this.partitionSpec = partitionSpec;
    this.orderSpec = orderSpec;
    this.limit = limit;
  }

  /**
   * Tells whether rows of these columns can be limited, as their series are told apart by bytes.
   */
  public static boolean canLimit(Seq<Expression> partitionSpec, Seq<Attribute> rows) {
    return partitionSpec.isEmpty()
        || new SeriesOrder(partitionSpec, ScalaInterop.seqOf()).canBeCollected(rows);
  }

  @Override
  public SparkPlan withNewChildInternal(SparkPlan newChild) {
    return new SeriesLimitExec(partitionSpec, orderSpec, limit, newChild);
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
    return ScalaInterop.seqOf();
  }

  private java.util.Map<StencilMetric, SQLMetric> counts() {
    return metrics.of(sparkContext(), Set.of(StencilMetric.ROWS));
  }

  @Override
  public Map<String, SQLMetric> metrics() {
    return ScalaInterop.map(StencilMetric.byName(counts()));
  }

  @Override
  public RDD<InternalRow> doExecute() {
    SeriesOrder series = new SeriesOrder(partitionSpec, orderSpec);
    Seq<Attribute> columns = child().output();
    RowOrder keys = series.hasKeys() ? new RowOrder(series.ofKeys(), columns) : null;
    RowOrder order = new RowOrder(orderSpec, columns);
    RankLimit wanted = limit;
    SQLMetric passed = counts().get(StencilMetric.ROWS);
    return child()
        .execute()
        .mapPartitionsWithEvaluator(
            () ->
                (index, inputs) ->
                    new LimitedRows(
                            inputs.apply(0), wanted, keys, order, RowPages.of(TaskContext.get()))
                        .map(
                            row -> {
                              passed.add(1);
                              return row;
                            }),
            ScalaInterop.tag(InternalRow.class));
  }

  @Override
  public String argString(int maxFields) {
    return "%s <= %d%s"
        .formatted(
            limit.kind().name().toLowerCase(Locale.ROOT),
            limit.most(),
            new SeriesOrder(partitionSpec, orderSpec).text());
  }

  @Override
  public List<Object> elements() {
    return List.of(partitionSpec, orderSpec, limit, child());
  }
}

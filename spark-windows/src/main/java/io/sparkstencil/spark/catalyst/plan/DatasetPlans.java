/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.spark.catalyst.interop.Expressions;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.exec.CellKind;
import io.sparkstencil.spark.exec.ColumnOperation;
import io.sparkstencil.spark.exec.FrameOperation;
import io.sparkstencil.spark.exec.SumOverflow;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.RowOrdering$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.SparkStrategy;

/** Makes logical plans of stencils from datasets and column names. */
public final class DatasetPlans {
  private final SparkSession session;
  private final List<Attribute> columns; // of the input

  private DatasetPlans(SparkSession session, LogicalPlan input) {
    this.session = session;
    this.columns = ScalaInterop.list(input.output());
  }

  /**
   * An operation by names.
   *
   * @param column the value column
   * @param operation what is computed; sums overflow as the session says
   * @param as the result column
   */
  public record NamedStencil(String column, ColumnOperation operation, String as) {}

  /**
   * Returns the rows of {@code input} with the results of stencils.
   *
   * @throws InvalidStencilException if a column is not there, is ambiguous or has the wrong type
   */
  public static Dataset<Row> stencils(
      Dataset<Row> input,
      List<String> partitionBy,
      List<String> orderBy,
      List<NamedStencil> stencils,
      boolean ordered,
      String engine) {
    if (!(input instanceof org.apache.spark.sql.classic.Dataset<Row> classic)) {
      throw new InvalidStencilException(
          "the dataset is a %s; stencils need a session in this process, not Spark Connect"
              .formatted(input.getClass().getName()));
    }
    SparkSession session = classic.sparkSession();
    LogicalPlan child = classic.queryExecution().analyzed();
    DatasetPlans plans = new DatasetPlans(session, child);
    List<Attribute> keys =
        partitionBy.stream().map(name -> plans.orderable(name, "partition by")).toList();
    List<SortOrder> order =
        orderBy.stream()
            .map(name -> Expressions.ascending(plans.orderable(name, "order by")))
            .toList();
    List<Expression> calls = new ArrayList<>();
    List<Attribute> results = new ArrayList<>();
    for (NamedStencil named : stencils) {
      StencilExpression call = plans.call(named);
      plans.requireFree(results, named);
      calls.add(call);
      results.add(Expressions.column(named.as(), call.dataType(), call.nullable()));
    }
    register(session, new StencilNode.Strategy());
    StencilNode node =
        new StencilNode(
            ScalaInterop.seq(calls),
            ScalaInterop.seq(results),
            ScalaInterop.seq(keys),
            ScalaInterop.seq(order),
            ordered,
            engine,
            child);
    return org.apache.spark.sql.classic.Dataset.ofRows(session, named(child, results, node));
  }

  /**
   * Gives each result its name once more: Spark renews names, not the results of operators that it
   * does not know, where a table is joined with itself. The optimizer removes them.
   */
  private static Project named(LogicalPlan child, List<Attribute> results, StencilNode node) {
    List<NamedExpression> columns = new ArrayList<>(ScalaInterop.list(child.output()));
    for (Attribute result : results) {
      columns.add(Expressions.alias(result, result.name()));
    }
    return new Project(ScalaInterop.seq(columns), node);
  }

  /** Makes the session able to plan nodes of ours, whether or not the extensions are configured. */
  public static void register(SparkSession session, SparkStrategy strategy) {
    synchronized (session.experimental()) {
      List<SparkStrategy> known =
          new ArrayList<>(ScalaInterop.list(session.experimental().extraStrategies()));
      if (known.stream().noneMatch(strategy.getClass()::isInstance)) {
        known.add(strategy);
        session.experimental().extraStrategies_$eq(ScalaInterop.seq(known));
      }
    }
  }

  private boolean same(String one, String other) {
    return (boolean) session.sessionState().analyzer().resolver().apply(one, other);
  }

  private Attribute resolve(String name) {
    List<Attribute> found = columns.stream().filter(a -> same(a.name(), name)).toList();
    if (found.size() == 1) {
      return found.get(0);
    }
    List<String> names = columns.stream().map(Attribute::name).toList();
    throw new InvalidStencilException(
        found.isEmpty()
            ? "column \"%s\" is not there; there are %s".formatted(name, String.join(", ", names))
            : "column \"%s\" is ambiguous, %d columns have this name; rename them"
                .formatted(name, found.size()));
  }

  private Attribute orderable(String name, String use) {
    Attribute attribute = resolve(name);
    if (!RowOrdering$.MODULE$.isOrderable(attribute.dataType())) {
      throw new InvalidStencilException(
          "cannot %s column \"%s\": values of type %s have no order; use another column"
              .formatted(use, attribute.name(), attribute.dataType().simpleString()));
    }
    return attribute;
  }

  private StencilExpression call(NamedStencil named) {
    Attribute value = resolve(named.column());
    CellKind kind = CellKind.of(value.dataType());
    if (kind == null) {
      throw new InvalidStencilException(
          "column \"%s\" is %s; stencils need tinyint, smallint, int, bigint, float or double: cast it"
              .formatted(value.name(), value.dataType().simpleString()));
    }
    // Refuses what no engine could stage, before anything runs.
    named.operation().requireKind(kind);
    if (named.operation() instanceof FrameOperation frames) {
      boolean ansi = session.sessionState().conf().ansiEnabled();
      return new StencilExpression(
          value, new FrameOperation(frames.stencil(), SumOverflow.ofSum(ansi)));
    }
    return new StencilExpression(value, named.operation());
  }

  private void requireFree(List<Attribute> results, NamedStencil named) {
    if (Stream.concat(columns.stream(), results.stream())
        .anyMatch(column -> same(column.name(), named.as()))) {
      throw new InvalidStencilException(
          "there is a column \"%s\" already; give the result another name".formatted(named.as()));
    }
  }
}

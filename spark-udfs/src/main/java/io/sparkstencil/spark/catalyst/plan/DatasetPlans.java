/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.exec.CellKind;
import io.sparkstencil.spark.exec.SumOverflow;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.expressions.RowOrdering$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.SparkStrategy;
import org.apache.spark.sql.types.Metadata;
import scala.Option;

/** Makes logical plans of stencils from datasets and column names. */
public final class DatasetPlans {
  private DatasetPlans() {}

  /**
   * A stencil by names.
   *
   * @param column the value column
   * @param stencil what is computed
   * @param as the result column
   */
  public record NamedStencil(String column, Stencil stencil, String as) {}

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
    List<Expression> keys = new ArrayList<>();
    for (String name : partitionBy) {
      keys.add(orderable(resolve(session, child, name), "partition by"));
    }
    List<SortOrder> order = new ArrayList<>();
    for (String name : orderBy) {
      order.add(ascending(orderable(resolve(session, child, name), "order by")));
    }
    List<Expression> calls = new ArrayList<>();
    List<Attribute> results = new ArrayList<>();
    for (NamedStencil named : stencils) {
      StencilExpression call = call(session, child, named);
      requireFree(session, child, results, named);
      calls.add(call);
      results.add(attribute(call, named.as()));
    }
    register(session);
    StencilNode node =
        new StencilNode(
            new SeriesStencils(
                ScalaInterop.seq(calls),
                ScalaInterop.seq(results),
                ScalaInterop.seq(keys),
                ScalaInterop.seq(order),
                ordered,
                engine),
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
      columns.add(
          new Alias(
              result,
              result.name(),
              NamedExpression$.MODULE$.newExprId(),
              ScalaInterop.seqOf(),
              Option.empty(),
              ScalaInterop.seqOf()));
    }
    return new Project(ScalaInterop.seq(columns), node);
  }

  static SortOrder ascending(Expression expression) {
    return new SortOrder(
        expression,
        Ascending$.MODULE$,
        Ascending$.MODULE$.defaultNullOrdering(),
        ScalaInterop.seqOf());
  }

  /** Makes the session able to plan stencils, whether or not the extensions are configured. */
  private static void register(SparkSession session) {
    synchronized (session.experimental()) {
      List<SparkStrategy> known =
          new ArrayList<>(ScalaInterop.list(session.experimental().extraStrategies()));
      StencilStrategy strategy = new StencilStrategy();
      if (!known.contains(strategy)) {
        known.add(strategy);
        session.experimental().extraStrategies_$eq(ScalaInterop.seq(known));
      }
    }
  }

  private static Attribute resolve(SparkSession session, LogicalPlan child, String name) {
    List<Attribute> found =
        ScalaInterop.list(child.output()).stream()
            .filter(
                a -> (boolean) session.sessionState().analyzer().resolver().apply(a.name(), name))
            .toList();
    if (found.size() == 1) {
      return found.get(0);
    }
    List<String> names = ScalaInterop.list(child.output()).stream().map(Attribute::name).toList();
    throw new InvalidStencilException(
        found.isEmpty()
            ? "column \"%s\" is not there; there are %s".formatted(name, String.join(", ", names))
            : "column \"%s\" is ambiguous, %d columns have this name; rename them"
                .formatted(name, found.size()));
  }

  private static Attribute orderable(Attribute attribute, String use) {
    if (!RowOrdering$.MODULE$.isOrderable(attribute.dataType())) {
      throw new InvalidStencilException(
          "cannot %s column \"%s\": values of type %s have no order; use another column"
              .formatted(use, attribute.name(), attribute.dataType().simpleString()));
    }
    return attribute;
  }

  private static StencilExpression call(
      SparkSession session, LogicalPlan child, NamedStencil named) {
    Attribute value = resolve(session, child, named.column());
    CellKind kind = StencilExpression.kindOf(value.dataType());
    if (kind == null) {
      throw new InvalidStencilException(
          "column \"%s\" is %s; stencils need tinyint, smallint, int, bigint, float or double: cast it"
              .formatted(value.name(), value.dataType().simpleString()));
    }
    // Refuses what no engine could stage, before anything runs.
    new StencilSpec(named.stencil(), kind.stagedFor(named.stencil().reduction()));
    boolean ansi = session.sessionState().conf().ansiEnabled();
    return new StencilExpression(value, named.stencil(), SumOverflow.ofSum(ansi));
  }

  private static Attribute attribute(StencilExpression call, String name) {
    return new AttributeReference(
        name,
        call.dataType(),
        call.nullable(),
        Metadata.empty(),
        NamedExpression$.MODULE$.newExprId(),
        ScalaInterop.seqOf());
  }

  private static void requireFree(
      SparkSession session, LogicalPlan child, List<Attribute> others, NamedStencil named) {
    boolean taken =
        ScalaInterop.list(child.output()).stream().anyMatch(a -> same(session, a.name(), named))
            || others.stream().anyMatch(o -> same(session, o.name(), named));
    if (taken) {
      throw new InvalidStencilException(
          "there is a column \"%s\" already; give the result another name".formatted(named.as()));
    }
  }

  private static boolean same(SparkSession session, String name, NamedStencil named) {
    return (boolean) session.sessionState().analyzer().resolver().apply(name, named.as());
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.golden;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NullsFirst$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Sort;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.catalyst.rules.Rule;
import scala.Option;

/**
 * Gives Spark's own windows over one series the rows that tie in the order in which ours take them:
 * by the values that the windows read. With one partition Spark's sort keeps that order.
 */
final class SortedTies extends Rule<LogicalPlan> {
  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    List<LogicalPlan> children = new ArrayList<>();
    ScalaInterop.list(plan.children()).forEach(child -> children.add(apply(child)));
    LogicalPlan same = plan.withNewChildren(ScalaInterop.seq(children));
    boolean series = same instanceof Window window && window.partitionSpec().isEmpty();
    return series ? sorted((Window) same) : same;
  }

  private static LogicalPlan sorted(Window window) {
    if (window.child() instanceof Sort) {
      return window;
    }
    Map<Expression, Expression> read = new LinkedHashMap<>();
    ScalaInterop.list(window.windowExpressions()).forEach(each -> add((Expression) each, read));
    List<SortOrder> order = new ArrayList<>(ScalaInterop.list(window.orderSpec()));
    read.values().forEach(each -> order.add(ascending(each)));
    if (!read.values().stream().allMatch(Attribute.class::isInstance)) {
      // Then rows come by their bits, which begin with those that say what is null.
      List<Attribute> columns = new ArrayList<>(ScalaInterop.list(window.child().output()));
      Collections.reverse(columns);
      columns.forEach(each -> order.add(ascending(new IsNull(each))));
    }
    Sort rows = new Sort(ScalaInterop.seq(order), true, window.child(), Option.empty());
    return window.withNewChildren(ScalaInterop.seqOf(rows));
  }

  private static SortOrder ascending(Expression value) {
    return new SortOrder(
        value, Ascending$.MODULE$, NullsFirst$.MODULE$, ScalaInterop.<Expression>seqOf());
  }

  /** Adds what an expression reads; of an aggregate with a filter, values or nulls. */
  private static void add(Expression expression, Map<Expression, Expression> read) {
    if (expression instanceof AggregateExpression aggregate && aggregate.filter().isDefined()) {
      Expression value = aggregate.aggregateFunction().children().apply(0);
      Literal none = new Literal(null, value.dataType());
      Expression filtered = new If(aggregate.filter().get(), value, none);
      read.putIfAbsent(filtered.canonicalized(), filtered);
    } else if (expression instanceof Attribute column) {
      read.putIfAbsent(column.canonicalized(), column);
    } else {
      ScalaInterop.list(expression.children()).forEach(child -> add(child, read));
    }
  }
}

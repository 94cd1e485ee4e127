/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.golden;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NullsFirst$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
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
    Map<ExprId, Attribute> read = new LinkedHashMap<>();
    ScalaInterop.list(window.windowExpressions()).forEach(each -> add((Expression) each, read));
    List<SortOrder> order = new ArrayList<>(ScalaInterop.list(window.orderSpec()));
    read.values().forEach(each -> order.add(ascending(each)));
    Sort rows = new Sort(ScalaInterop.seq(order), true, window.child(), Option.empty());
    return window.withNewChildren(ScalaInterop.seqOf(rows));
  }

  private static SortOrder ascending(Attribute column) {
    return new SortOrder(
        column, Ascending$.MODULE$, NullsFirst$.MODULE$, ScalaInterop.<Expression>seqOf());
  }

  private static void add(Expression expression, Map<ExprId, Attribute> columns) {
    ScalaInterop.list(expression.references().toSeq())
        .forEach(column -> columns.putIfAbsent(column.exprId(), column));
  }
}

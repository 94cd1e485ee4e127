/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.windows;

import io.sparkstencil.spark.catalyst.interop.Expressions;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.plan.RunningWindowExec;
import io.sparkstencil.spark.catalyst.running.RunningPlan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.execution.SparkPlan;
import scala.collection.immutable.Seq;

/** The windows of one node that begin with the first row of a series, and their operator. */
final class RunningCalls {
  private final List<NamedExpression> windows = new ArrayList<>();

  boolean isEmpty() {
    return windows.isEmpty();
  }

  /** Returns what a name stands for, with the results of windows in place of these. */
  NamedExpression take(Alias alias) {
    if (alias.child() instanceof WindowExpression) {
      windows.add(alias);
      return alias.toAttribute();
    }
    Expression value = compute(alias.child());
    return (NamedExpression) alias.withNewChildren(ScalaInterop.seqOf(value));
  }

  private Expression compute(Expression expression) {
    if (expression instanceof WindowExpression) {
      Alias window = Expressions.alias(expression, "_running");
      windows.add(window);
      Attribute result = window.toAttribute();
      return result;
    }
    return expression.mapChildren(this::compute);
  }

  /** Returns the operator over rows. */
  SparkPlan plan(Seq<Expression> keys, Seq<SortOrder> order, SparkPlan rows) {
    windows.sort(Comparator.comparing(RunningPlan::waitsForTies)); // these come last
    return new RunningWindowExec(ScalaInterop.seq(windows), keys, order, false, rows).verified();
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.interop.Expressions;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;

/** The windows of one node that one operator computes, each with a name. */
final class WindowCalls {
  private final List<NamedExpression> windows = new ArrayList<>();

  boolean isEmpty() {
    return windows.isEmpty();
  }

  List<NamedExpression> windows() {
    return windows;
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
      Alias window = Expressions.alias(expression, "_window");
      windows.add(window);
      Attribute result = window.toAttribute();
      return result;
    }
    return expression.mapChildren(this::compute);
  }
}

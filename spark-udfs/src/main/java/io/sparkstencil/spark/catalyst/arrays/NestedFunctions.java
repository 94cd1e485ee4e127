/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.spark.catalyst.interop.Expressions;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ConditionalExpression;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.LambdaFunction;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.execution.SparkPlan;

/** Array functions taken out of the expressions around them. */
final class NestedFunctions {
  private final List<Alias> columns = new ArrayList<>();

  boolean isEmpty() {
    return columns.isEmpty();
  }

  /** Tells whether an array function is in {@code expression} that can be taken out. */
  static boolean anyIn(Expression expression) {
    return expression instanceof ArrayExpression
        || (!isClosed(expression)
            && ScalaInterop.list(expression.children()).stream().anyMatch(NestedFunctions::anyIn));
  }

  private static boolean isClosed(Expression expression) {
    return expression instanceof ConditionalExpression || expression instanceof LambdaFunction;
  }

  /** Returns {@code expression} with references to columns in place of its innermost functions. */
  Expression takeOut(Expression expression) {
    if (isClosed(expression)) {
      return expression;
    }
    return expression instanceof ArrayExpression function && !anyIn(function.array())
        ? columnOf(function)
        : expression.mapChildren(this::takeOut);
  }

  private Attribute columnOf(ArrayExpression function) {
    for (Alias column : columns) {
      if (column.child().semanticEquals(function)) {
        return column.toAttribute();
      }
    }
    Alias made = Expressions.alias(function, "_" + function.prettyName() + columns.size());
    columns.add(made);
    return made.toAttribute();
  }

  /**
   * Returns the projection below: the functions, and the columns of {@code child} that are used.
   */
  List<NamedExpression> below(List<NamedExpression> above, SparkPlan child) {
    List<NamedExpression> below = new ArrayList<>();
    for (Attribute attribute : ScalaInterop.list(child.output())) {
      if (above.stream().anyMatch(named -> ((Expression) named).references().contains(attribute))) {
        below.add(attribute);
      }
    }
    below.addAll(columns);
    return below;
  }
}

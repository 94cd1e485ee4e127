/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ConditionalExpression;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.LambdaFunction;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.execution.SparkPlan;
import scala.Option;

/** Array functions taken out of the expressions around them. */
final class NestedFunctions {
  private final List<ArrayExpression> functions = new ArrayList<>();
  private final List<NamedExpression> columns = new ArrayList<>();

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

  /** Returns {@code named} with references to columns in the place of its innermost functions. */
  NamedExpression takeOut(NamedExpression named) {
    return (NamedExpression) takeOut((Expression) named);
  }

  private Expression takeOut(Expression expression) {
    if (isClosed(expression)) {
      return expression;
    }
    if (expression instanceof ArrayExpression function && !anyIn(function.array())) {
      return columnOf(function);
    }
    List<Expression> children = new ArrayList<>();
    boolean changed = false;
    for (Expression child : ScalaInterop.list(expression.children())) {
      Expression newChild = takeOut(child);
      changed |= newChild != child;
      children.add(newChild);
    }
    return changed ? expression.withNewChildren(ScalaInterop.seq(children)) : expression;
  }

  private Attribute columnOf(ArrayExpression function) {
    for (int i = 0; i < functions.size(); i++) {
      if (functions.get(i).semanticEquals(function)) {
        return columns.get(i).toAttribute();
      }
    }
    functions.add(function);
    columns.add(
        new Alias(
            function,
            "_" + function.prettyName() + columns.size(),
            NamedExpression$.MODULE$.newExprId(),
            ScalaInterop.seq(List.of()),
            Option.empty(),
            ScalaInterop.seq(List.of())));
    return columns.get(columns.size() - 1).toAttribute();
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

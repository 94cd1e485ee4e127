/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import org.apache.spark.sql.catalyst.expressions.AggregateWindowFunction;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.FrameLessOffsetWindowFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Complete$;
import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.ImperativeAggregate;

/** Which functions Spark's frames compute wherever the rows of a series are. */
final class WindowFunctions {
  private WindowFunctions() {}

  /** Returns why windows of a function stay with Spark, or null if they need not. */
  static String refusal(Expression function) {
    if (function instanceof AggregateExpression aggregate) {
      return refusal(aggregate);
    }
    boolean known =
        function instanceof AggregateWindowFunction
            || function instanceof FrameLessOffsetWindowFunction;
    if (!known) {
      return function.prettyName() + " is not an aggregate";
    }
    return isDeterministic(function) ? null : "its values are not deterministic";
  }

  private static String refusal(AggregateExpression aggregate) {
    AggregateFunction function = aggregate.aggregateFunction();
    if (aggregate.isDistinct()) {
      return "it is DISTINCT";
    } else if (aggregate.filter().isDefined()) {
      return "it has a FILTER";
    } else if (aggregate.mode() != Complete$.MODULE$) {
      return "it is aggregated in parts";
    } else if (!(function instanceof DeclarativeAggregate)
        && !(function instanceof ImperativeAggregate)) {
      return function.prettyName() + " is not computed in the JVM";
    }
    return isDeterministic(function) ? null : "its values are not deterministic";
  }

  /** Tells whether what a function reads is; Spark takes functions of an order for random. */
  private static boolean isDeterministic(Expression function) {
    return ScalaInterop.list(function.children()).stream().allMatch(Expression::deterministic);
  }
}

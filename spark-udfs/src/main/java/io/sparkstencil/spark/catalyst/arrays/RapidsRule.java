/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.spark.catalyst.interop.Guarded;
import io.sparkstencil.spark.catalyst.interop.Rapids;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.conf.StencilOptions;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * Hands array functions to the RAPIDS Accelerator, where it is on, in the form in which it takes
 * functions of users; after it has planned, takes back what it has left on the CPU.
 */
final class RapidsRule extends Rule<LogicalPlan> {
  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return isOn() ? Guarded.plan(RapidsRule.class, plan, () -> handedOver(plan)) : plan;
  }

  private static boolean isOn() {
    return Rapids.isActive() && SessionOptions.ofSession(StencilOptions.ARRAYS_RAPIDS);
  }

  private static LogicalPlan handedOver(LogicalPlan plan) {
    return plan.mapChildren(RapidsRule::handedOver).mapExpressions(RapidsRule::handedOver);
  }

  private static Expression handedOver(Expression expression) {
    Expression rebuilt = expression.mapChildren(RapidsRule::handedOver);
    return rebuilt instanceof ArrayExpression function && RapidsFunction.suits(function)
        ? RapidsFunction.wrap(function)
        : rebuilt;
  }

  /** Returns the operator with our own expressions in place of what RAPIDS did not take. */
  static SparkPlan takeBack(SparkPlan operator) {
    return isOn() ? operator.mapExpressions(RapidsRule::takenBack) : operator;
  }

  private static Expression takenBack(Expression expression) {
    return RapidsFunction.unwrap(expression.mapChildren(RapidsRule::takenBack));
  }
}

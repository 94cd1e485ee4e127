/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.spark.catalyst.interop.Guarded;
import io.sparkstencil.spark.conf.StencilOptions;
import java.io.Serializable;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.internal.SQLConf;
import scala.Function1;
import scala.runtime.AbstractPartialFunction;

/**
 * Hands array functions to the RAPIDS Accelerator, where it is on, in the form in which it takes
 * functions of users; after it has planned, takes back what it has left on the CPU.
 */
final class RapidsRule extends Rule<LogicalPlan> {
  private static final String PLUGIN = "com.nvidia.spark.SQLPlugin";

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return isOn()
        ? Guarded.plan(RapidsRule.class, plan, () -> plan.transformAllExpressions(new Wrapping()))
        : plan;
  }

  private static boolean isOn() {
    SQLConf conf = SQLConf.get();
    return conf.getConfString("spark.plugins", "").contains(PLUGIN)
        && Boolean.parseBoolean(conf.getConfString("spark.rapids.sql.enabled", "true"))
        && StencilOptions.ARRAYS_RAPIDS.parse(
            conf.getConfString(
                StencilOptions.ARRAYS_RAPIDS.key(), StencilOptions.ARRAYS_RAPIDS.defaultText()));
  }

  /** Returns the operator with our own expressions in place of what RAPIDS did not take. */
  static SparkPlan takeBack(SparkPlan operator) {
    return isOn() ? operator.transformExpressions(new Unwrapping()) : operator;
  }

  /** A function of expressions for all of them. */
  private abstract static class Rewriting extends AbstractPartialFunction<Expression, Expression>
      implements Serializable {
    private static final long serialVersionUID = 1L;

    abstract Expression rewrite(Expression expression);

    @Override
    public final boolean isDefinedAt(Expression expression) {
      return true;
    }

    @Override
    @SuppressWarnings("unchecked") // B is what the function returns
    public final <A extends Expression, B> B applyOrElse(A expression, Function1<A, B> otherwise) {
      return (B) rewrite(expression);
    }
  }

  private static final class Wrapping extends Rewriting {
    private static final long serialVersionUID = 1L;

    @Override
    Expression rewrite(Expression expression) {
      return expression instanceof ArrayExpression function && RapidsFunction.suits(function)
          ? RapidsFunction.wrap(function)
          : expression;
    }
  }

  private static final class Unwrapping extends Rewriting {
    private static final long serialVersionUID = 1L;

    @Override
    Expression rewrite(Expression expression) {
      return RapidsFunction.unwrap(expression);
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Skewness;
import org.apache.spark.sql.catalyst.expressions.aggregate.StddevPop;
import org.apache.spark.sql.catalyst.expressions.aggregate.StddevSamp;
import org.apache.spark.sql.catalyst.expressions.aggregate.VariancePop;
import org.apache.spark.sql.catalyst.expressions.aggregate.VarianceSamp;
import org.junit.jupiter.api.Test;
import scala.Option;

/** Functions that go through arrays where their frames move, and others. */
final class CellFunctionPlanTest {
  private static final Expression VALUE = Literal.fromObject(1.0);

  @Test
  void variancesGoThroughArrays() {
    assertThat(start(new VariancePop(VALUE, true))).isInstanceOf(DoubleFunction.Variance.class);
    assertThat(start(new VarianceSamp(VALUE, true))).isInstanceOf(DoubleFunction.Variance.class);
    assertThat(start(new StddevPop(VALUE, true))).isInstanceOf(DoubleFunction.Variance.class);
    assertThat(start(new StddevSamp(VALUE, true))).isInstanceOf(DoubleFunction.Variance.class);
  }

  @Test
  void higherMomentsAndFilteredFunctionsAreSparks() {
    assertThat(plan(new Skewness(VALUE, true), Option.empty())).isNull();
    Option<Expression> filter = Option.apply(Literal.fromObject(true));
    assertThat(plan(new VariancePop(VALUE, true), filter)).isNull();
  }

  private static FrameFunction start(AggregateFunction function) {
    return plan(function, Option.empty()).start();
  }

  private static CellFunctionPlan plan(AggregateFunction function, Option<Expression> filter) {
    return CellFunctionPlan.of(function.toAggregateExpression(false, filter));
  }
}

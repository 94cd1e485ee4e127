/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.frames.FrameExtent;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.running.Aggregates;
import io.sparkstencil.spark.conf.SqlOptions;
import io.sparkstencil.spark.conf.StencilConf;
import org.apache.spark.sql.catalyst.expressions.CumeDist;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NTile;
import org.apache.spark.sql.catalyst.expressions.NthValue;
import org.apache.spark.sql.catalyst.expressions.RankLike;
import org.apache.spark.sql.catalyst.expressions.RowNumber;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.Complete$;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.execution.adaptive.LogicalQueryStage;

/** Which ranks and windows without bounds give Spark's own answer in ranges of one series. */
final class RunningRules {
  private final StencilConf conf;

  RunningRules(StencilConf conf) {
    this.conf = conf;
  }

  /** Returns why all such windows of a node stay with Spark, or null if they need not. */
  String refusal(Window window) {
    if (window.orderSpec().isEmpty()) {
      return "it has no ORDER BY";
    }
    if (!conf.get(SqlOptions.RUNNING_ENABLED)) {
      return SqlOptions.RUNNING_ENABLED.key() + " is false";
    }
    return isLimited(window.child()) ? "Spark has limited its rows" : null;
  }

  /** Tells whether the optimizer found that a few rows suffice. */
  static boolean isLimited(LogicalPlan plan) {
    if (plan instanceof Project || plan instanceof Filter) {
      return isLimited(plan.children().apply(0));
    } else if (plan instanceof LogicalQueryStage stage) { // adaptive execution plans again
      return isLimited(stage.logicalPlan());
    }
    return plan instanceof GlobalLimit || plan instanceof LocalLimit;
  }

  /** Tells whether a window is of those that these rules are about. */
  static boolean concern(WindowExpression window) {
    return FrameExtent.of(window) != null;
  }

  /** Returns why a window stays with Spark, or null if it need not. */
  String refusal(WindowExpression window) {
    Expression function = window.windowFunction();
    if (!concern(window)) {
      return "its frame has no end without a bound";
    } else if (!ScalaInterop.list(function.children()).stream()
        .allMatch(Expression::deterministic)) {
      return "its values are not deterministic";
    } else if (FrameExtent.of(window).isRest() && !Aggregates.canBeJoined(function)) {
      return "its parts cannot be joined from the last row to the first";
    } else if (function instanceof AggregateExpression aggregate) {
      return refusal(aggregate);
    }
    boolean rank =
        function instanceof RowNumber
            || function instanceof NthValue
            || function instanceof RankLike
            || function instanceof CumeDist
            || function instanceof NTile;
    return rank ? null : function.prettyName() + " is not an aggregate or a rank";
  }

  private static String refusal(AggregateExpression aggregate) {
    if (aggregate.isDistinct()) {
      return "it is DISTINCT";
    } else if (aggregate.filter().isDefined()) {
      return "it has a FILTER";
    } else if (aggregate.mode() != Complete$.MODULE$) {
      return "it is aggregated in parts";
    }
    return Aggregates.refusal(aggregate.aggregateFunction());
  }
}

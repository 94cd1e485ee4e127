/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.frames.OpenBound;
import io.sparkstencil.spark.catalyst.running.Aggregates;
import io.sparkstencil.spark.catalyst.running.FrameReach;
import io.sparkstencil.spark.catalyst.running.RowFrame;
import io.sparkstencil.spark.conf.SqlOptions;
import io.sparkstencil.spark.conf.StencilConf;
import java.time.ZoneId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.FrameLessOffsetWindowFunction;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.apache.spark.sql.internal.SQLConf;

/** Which windows between two bounds give Spark's own answer in ranges of one series. */
final class BoundedRules {
  private final StencilConf conf;
  private final WindowRules rules;
  private final ZoneId zone = DateTimeUtils.getZoneId(SQLConf.get().sessionLocalTimeZone());

  BoundedRules(StencilConf conf, WindowRules rules) {
    this.conf = conf;
    this.rules = rules;
  }

  /** Returns why all such windows of a node stay with Spark, or null if they need not. */
  String refusal(Window window) {
    if (window.orderSpec().isEmpty()) {
      return "it has no ORDER BY";
    }
    if (!conf.get(SqlOptions.BOUNDED_ENABLED)) {
      return SqlOptions.BOUNDED_ENABLED.key() + " is false";
    }
    return RunningRules.isLimited(window.child()) ? "Spark has limited its rows" : null;
  }

  /** Returns why a window stays with Spark, or null if it need not. */
  String refusal(WindowExpression window) {
    Expression function = window.windowFunction();
    String refusal = WindowFunctions.refusal(function);
    if (refusal == null && OpenBound.of(window) != null && !Aggregates.canBeJoined(function)) {
      return "its frame has one bound, and its parts cannot be joined";
    }
    return refusal == null ? frameRefusal(window) : refusal;
  }

  private String frameRefusal(WindowExpression window) {
    FrameReach reach = FrameReach.of(window, zone);
    if (reach == null) {
      return "it is not known how far its frame reaches";
    }
    long values =
        window.windowFunction() instanceof FrameLessOffsetWindowFunction neighbour
            ? RowFrame.of(neighbour).reach()
            : 0;
    return rules.reachRefusal(Math.max(values, Math.max(reach.before(), reach.after())));
  }
}

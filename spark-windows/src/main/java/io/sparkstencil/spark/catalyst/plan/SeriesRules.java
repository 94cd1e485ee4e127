/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.conf.ConfigOption;
import io.sparkstencil.spark.conf.SqlOptions;
import io.sparkstencil.spark.conf.StencilConf;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.plans.logical.Window;

/** Which windows give Spark's own answer in series given by keys, whose rows are collected. */
final class SeriesRules {
  private final StencilConf conf;

  SeriesRules(StencilConf conf) {
    this.conf = conf;
  }

  /** Returns why all such windows of a node stay with Spark, or null if they need not. */
  static String refusal(Window window) {
    return RunningRules.isLimited(window.child()) ? "Spark has limited its rows" : null;
  }

  /** Returns why a window stays with Spark, or null if it need not. */
  String refusal(WindowExpression window) {
    ConfigOption<Boolean> option =
        RunningRules.concern(window) ? SqlOptions.RUNNING_ENABLED : SqlOptions.BOUNDED_ENABLED;
    return conf.get(option)
        ? WindowFunctions.refusal(window.windowFunction())
        : option.key() + " is false";
  }
}

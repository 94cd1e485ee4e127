/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.interop.Guarded;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.conf.SqlOptions;
import io.sparkstencil.spark.conf.StencilConf;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import scala.collection.immutable.Seq;

/**
 * Plans SQL windows as stencils where these give Spark's own answer. Spark's strategy plans what
 * this one leaves.
 */
public final class WindowStrategy extends SparkStrategy {
  private final NotOffloaded notOffloaded = new NotOffloaded();

  @Override
  public Seq<SparkPlan> apply(LogicalPlan plan) {
    if (!(plan instanceof Window window)) {
      return ScalaInterop.seqOf();
    }
    StencilConf conf = SessionOptions.ofSession();
    if (!conf.get(SqlOptions.ENABLED)) {
      return ScalaInterop.seqOf();
    }
    return Guarded.plan(
        WindowStrategy.class, ScalaInterop.<SparkPlan>seqOf(), () -> planned(window, conf));
  }

  private Seq<SparkPlan> planned(Window window, StencilConf conf) {
    WindowTakeover takeover = WindowTakeover.of(window, conf);
    if (conf.get(SqlOptions.EXPLAIN).equals("not_offloaded")) {
      notOffloaded.say(takeover.left());
    }
    if (takeover.isEmpty()) {
      return ScalaInterop.seqOf();
    }
    // Spark's operator wants its rows in order, and rows that are to leave as Spark's come so.
    boolean sparks = !takeover.left().isEmpty() || conf.get(SqlOptions.ROWS_AS_SPARK);
    SparkPlan rows = sparks ? planLater(window.child()) : RankLimits.rows(window, this::planLater);
    return ScalaInterop.seqOf(takeover.plan(rows));
  }
}

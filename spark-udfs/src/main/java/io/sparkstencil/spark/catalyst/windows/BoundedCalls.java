/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.windows;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.plan.BoundedWindowExec;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.execution.SparkPlan;
import scala.collection.immutable.Seq;

/** The windows of one node that Spark's frames compute in ranges of the series. */
final class BoundedCalls {
  private final List<NamedExpression> windows = new ArrayList<>();

  boolean isEmpty() {
    return windows.isEmpty();
  }

  /** Takes what is computed of windows; returns its column. */
  NamedExpression take(Alias alias) {
    windows.add(alias);
    return alias.toAttribute();
  }

  /** Returns the operator over rows. */
  SparkPlan plan(Seq<SortOrder> order, SparkPlan rows) {
    return new BoundedWindowExec(ScalaInterop.seq(windows), order, rows).verified();
  }
}

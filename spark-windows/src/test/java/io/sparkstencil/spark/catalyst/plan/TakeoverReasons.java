/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Window;

/** Counts why the windows of some queries stay with Spark. */
public final class TakeoverReasons {
  private final Map<String, Integer> counts = new TreeMap<>();

  /** Adds the windows of a plan and of its subqueries, by the options of the active session. */
  public void add(LogicalPlan plan) {
    addOwn(plan);
    ScalaInterop.list(plan.subqueriesAll()).forEach(this::addOwn);
  }

  private void addOwn(LogicalPlan plan) {
    if (plan instanceof Window window) {
      WindowTakeover.of(window, SessionOptions.ofSession())
          .left()
          .forEach(each -> counts.merge(each.reason(), 1, Integer::sum));
    }
    ScalaInterop.list(plan.children()).forEach(this::addOwn);
  }

  /** Returns the reasons, the most frequent first, as a table of Markdown. */
  public String table() {
    StringBuilder text = new StringBuilder("| windows | stay with Spark because |\n|---:|---|\n");
    counts.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder()))
        .forEach(each -> text.append("| %d | %s |\n".formatted(each.getValue(), each.getKey())));
    return text.toString();
  }
}

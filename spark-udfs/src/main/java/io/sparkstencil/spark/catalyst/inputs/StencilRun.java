/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.inputs;

import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * Says to listeners that a stencil operator has been started, and gives them its counters, which
 * are whole once the query has ended.
 */
public final class StencilRun implements SparkListenerEvent {
  private final String execution;
  private final StencilMetrics metrics;

  public StencilRun(String execution, StencilMetrics metrics) {
    this.execution = execution;
    this.metrics = metrics;
  }

  @Override
  public boolean logEvent() {
    return false;
  }

  /** Returns the id of the SQL execution, or null outside of one. */
  public String execution() {
    return execution;
  }

  /** Returns a counter by the name under which the plan has it; 0 if nothing was counted. */
  public long counter(String name) {
    return Math.max(0, metrics.byName().get(name).value());
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;

/**
 * Says to listeners that a stencil operator has been started, and gives them its counters, which
 * are whole once the query has ended.
 *
 * @param execution the id of the SQL execution, or null outside of one
 * @param metrics the counters by the names under which the plan has them
 */
public record StencilRun(String execution, Map<String, SQLMetric> metrics)
    implements SparkListenerEvent {

  /** Returns the id of the SQL execution that the driver is in, or null outside of one. */
  public static String execution(SparkContext context) {
    return context.getLocalProperty("spark.sql.execution.id");
  }

  /** Tells the UI what the driver has counted, and listeners that an operator has been started. */
  public static void post(SparkContext context, Map<StencilMetric, SQLMetric> counters) {
    String execution = execution(context);
    List<SQLMetric> all = List.copyOf(counters.values());
    SQLMetrics.postDriverMetricUpdates(context, execution, ScalaInterop.seq(all));
    tell(context, StencilMetric.byName(counters));
  }

  /** Tells listeners that an operator has been started. */
  public static void tell(SparkContext context, Map<String, SQLMetric> counters) {
    context.listenerBus().post(new StencilRun(execution(context), counters));
  }

  @Override
  public boolean logEvent() {
    return false;
  }

  /** Returns the number by which Spark knows a counter, if the operator has it. */
  public OptionalLong id(String name) {
    SQLMetric metric = metrics.get(name);
    return metric == null ? OptionalLong.empty() : OptionalLong.of(metric.id());
  }

  /** Returns a counter by the name under which the plan has it; 0 if nothing was counted. */
  public long counter(String name) {
    SQLMetric metric = metrics.get(name);
    return metric == null ? 0 : Math.max(0, metric.value());
  }
}

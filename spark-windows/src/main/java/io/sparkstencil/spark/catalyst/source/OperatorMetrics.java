/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import java.util.Map;
import java.util.Set;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.execution.metric.SQLMetric;

/** The metrics of an operator, made on the driver when they are first asked for. */
public final class OperatorMetrics {
  private Map<StencilMetric, SQLMetric> metrics;

  /** Returns the metrics, which are the same in every call. */
  public synchronized Map<StencilMetric, SQLMetric> of(
      SparkContext context, Set<StencilMetric> counted) {
    if (metrics == null) {
      metrics = StencilMetric.create(context, counted);
    }
    return metrics;
  }
}

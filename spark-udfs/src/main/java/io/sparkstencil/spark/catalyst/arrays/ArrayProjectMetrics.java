/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;

/** What the operator counts for the SQL page. */
record ArrayProjectMetrics(SQLMetric rows, SQLMetric cells, SQLMetric stagedBytes)
    implements Serializable {

  static ArrayProjectMetrics create(SparkContext context) {
    return new ArrayProjectMetrics(
        SQLMetrics.createMetric(context, "number of output rows"),
        SQLMetrics.createMetric(context, "stencil cells"),
        SQLMetrics.createSizeMetric(context, "staged bytes", -1L));
  }

  /** Returns the metrics by the names under which the plan has them. */
  Map<String, SQLMetric> byName() {
    Map<String, SQLMetric> all = new LinkedHashMap<>();
    all.put("numOutputRows", rows);
    all.put("cells", cells);
    all.put("stagedBytes", stagedBytes);
    return all;
  }
}

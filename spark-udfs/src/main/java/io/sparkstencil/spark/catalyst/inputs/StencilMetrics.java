/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.inputs;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;

/** The operator's metrics, which the SQL page and {@code StencilReport} show. */
public record StencilMetrics(
    SQLMetric rows,
    SQLMetric cells,
    SQLMetric haloCells,
    SQLMetric partitions,
    SQLMetric fallbacks,
    SQLMetric cpuTasks,
    SQLMetric gpuTasks,
    SQLMetric referenceTasks,
    SQLMetric shuffledBytes,
    SQLMetric sortNanos,
    SQLMetric haloMillis,
    SQLMetric shuffleMillis,
    SQLMetric stencilNanos,
    SQLMetric stagedBytes,
    SQLMetric copyNanos,
    SQLMetric kernelNanos,
    SQLMetric queueNanos,
    SQLMetric deviceFasterTasks,
    SQLMetric hostFasterTasks,
    SQLMetric onlyEngineTasks,
    SQLMetric askedForTasks)
    implements Serializable {

  /** Returns new metrics, registered with Spark. */
  public static StencilMetrics create(SparkContext context) {
    return new StencilMetrics(
        SQLMetrics.createMetric(context, "number of output rows"),
        SQLMetrics.createMetric(context, "stencil cells"),
        SQLMetrics.createMetric(context, "halo cells moved"),
        SQLMetrics.createMetric(context, "partitions"),
        SQLMetrics.createMetric(context, "tasks that fell back to another engine"),
        SQLMetrics.createMetric(context, "tasks on the CPU engine"),
        SQLMetrics.createMetric(context, "tasks on the GPU engine"),
        SQLMetrics.createMetric(context, "tasks on the reference engine"),
        SQLMetrics.createSizeMetric(context, "shuffled bytes", -1L),
        SQLMetrics.createNanoTimingMetric(context, "sort time", -1L),
        SQLMetrics.createTimingMetric(context, "halo exchange time", -1L),
        SQLMetrics.createTimingMetric(context, "shuffle time", -1L),
        SQLMetrics.createNanoTimingMetric(context, "stencil time", -1L),
        SQLMetrics.createSizeMetric(context, "staged bytes", -1L),
        SQLMetrics.createNanoTimingMetric(context, "GPU copy time", -1L),
        SQLMetrics.createNanoTimingMetric(context, "GPU kernel time", -1L),
        SQLMetrics.createNanoTimingMetric(context, "wait for a GPU", -1L),
        SQLMetrics.createMetric(context, "tasks for which a GPU was estimated faster"),
        SQLMetrics.createMetric(context, "tasks for which the CPU was estimated faster"),
        SQLMetrics.createMetric(context, "tasks that had one engine only"),
        SQLMetrics.createMetric(context, "tasks for which an engine was requested"));
  }

  /** Returns the metrics by the names under which the plan has them. */
  public Map<String, SQLMetric> byName() {
    Map<String, SQLMetric> all = new LinkedHashMap<>();
    all.put("numOutputRows", rows);
    all.put("cells", cells);
    all.put("haloCells", haloCells);
    all.put("partitions", partitions);
    all.put("fallbacks", fallbacks);
    all.put("cpuTasks", cpuTasks);
    all.put("gpuTasks", gpuTasks);
    all.put("referenceTasks", referenceTasks);
    all.put("shuffledBytes", shuffledBytes);
    all.put("sortTime", sortNanos);
    all.put("haloTime", haloMillis);
    all.put("shuffleTime", shuffleMillis);
    all.put("stencilTime", stencilNanos);
    all.put("stagedBytes", stagedBytes);
    all.put("copyTime", copyNanos);
    all.put("kernelTime", kernelNanos);
    all.put("queueTime", queueNanos);
    all.put("deviceFasterTasks", deviceFasterTasks);
    all.put("hostFasterTasks", hostFasterTasks);
    all.put("onlyEngineTasks", onlyEngineTasks);
    all.put("askedForTasks", askedForTasks);
    return all;
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.spark.plugin.TaskEngine;
import io.sparkstencil.spark.plugin.TaskReport;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;

/**
 * What the operator counts for the SQL page. Engines are counted per task and group of stencils
 * that share a staging.
 */
record ArrayProjectMetrics(
    SQLMetric rows,
    SQLMetric cells,
    SQLMetric fallbacks,
    SQLMetric cpuTasks,
    SQLMetric gpuTasks,
    SQLMetric referenceTasks,
    SQLMetric stencilNanos,
    SQLMetric stagedBytes,
    SQLMetric copyNanos,
    SQLMetric kernelNanos,
    SQLMetric queueNanos)
    implements Serializable {

  static ArrayProjectMetrics create(SparkContext context) {
    return new ArrayProjectMetrics(
        SQLMetrics.createMetric(context, "number of output rows"),
        SQLMetrics.createMetric(context, "stencil cells"),
        SQLMetrics.createMetric(context, "failures of engines that others took over"),
        SQLMetrics.createMetric(context, "stagings on the CPU engine"),
        SQLMetrics.createMetric(context, "stagings on the GPU engine"),
        SQLMetrics.createMetric(context, "stagings on the reference engine"),
        SQLMetrics.createNanoTimingMetric(context, "stencil time", -1L),
        SQLMetrics.createSizeMetric(context, "staged bytes", -1L),
        SQLMetrics.createNanoTimingMetric(context, "GPU copy time", -1L),
        SQLMetrics.createNanoTimingMetric(context, "GPU kernel time", -1L),
        SQLMetrics.createNanoTimingMetric(context, "wait for a GPU", -1L));
  }

  /** Counts what a task has done, when its pipeline has been closed. */
  void add(PartitionPipeline<?, ?, ?> pipeline, List<TaskEngine> engines) {
    cells.add(pipeline.outputCells());
    for (TaskEngine engine : engines) {
      TaskReport report = engine.report();
      switch (report.engine()) {
        case "gpu" -> gpuTasks.add(1);
        case "reference" -> referenceTasks.add(1);
        default -> cpuTasks.add(1);
      }
      report.fallbacks().values().forEach(times -> fallbacks.add(times));
      stagedBytes.add(report.stagedBytes());
      stencilNanos.add(report.engineNanos());
      copyNanos.add(report.deviceTimes().copyNanos());
      kernelNanos.add(report.deviceTimes().kernelNanos());
      queueNanos.add(report.queueNanos());
    }
  }

  /** Returns the metrics by the names under which the plan has them. */
  Map<String, SQLMetric> byName() {
    Map<String, SQLMetric> all = new LinkedHashMap<>();
    all.put("numOutputRows", rows);
    all.put("cells", cells);
    all.put("fallbacks", fallbacks);
    all.put("cpuTasks", cpuTasks);
    all.put("gpuTasks", gpuTasks);
    all.put("referenceTasks", referenceTasks);
    all.put("stencilTime", stencilNanos);
    all.put("stagedBytes", stagedBytes);
    all.put("copyTime", copyNanos);
    all.put("kernelTime", kernelNanos);
    all.put("queueTime", queueNanos);
    return all;
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.spark.plugin.TaskEngine;
import io.sparkstencil.spark.plugin.TaskProgram;
import io.sparkstencil.spark.plugin.TaskReport;
import io.sparkstencil.spark.programs.ProgramRunner;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;

/**
 * What the operator counts for the SQL page. Engines are counted per task and group of stencils
 * that share a staging.
 *
 * @param rows the rows that come out
 * @param byName all metrics by the names under which the plan has them
 */
public record ArrayProjectMetrics(SQLMetric rows, LinkedHashMap<String, SQLMetric> byName)
    implements Serializable {
  /** Creates the metrics, on the driver. */
  public static ArrayProjectMetrics create(SparkContext context) {
    LinkedHashMap<String, SQLMetric> all = new LinkedHashMap<>();
    SQLMetric rows = SQLMetrics.createMetric(context, "number of output rows");
    all.put("numOutputRows", rows);
    all.put("cells", SQLMetrics.createMetric(context, "stencil cells"));
    all.put("partitions", SQLMetrics.createMetric(context, "partitions"));
    all.put(
        "fallbacks", SQLMetrics.createMetric(context, "failures of engines that others took over"));
    all.put("cpuTasks", SQLMetrics.createMetric(context, "stagings on the CPU engine"));
    all.put("gpuTasks", SQLMetrics.createMetric(context, "stagings on the GPU engine"));
    all.put("referenceTasks", SQLMetrics.createMetric(context, "stagings on the reference engine"));
    all.put("stencilTime", SQLMetrics.createNanoTimingMetric(context, "stencil time", -1L));
    all.put("stagedBytes", SQLMetrics.createSizeMetric(context, "staged bytes", -1L));
    all.put("copyTime", SQLMetrics.createNanoTimingMetric(context, "GPU copy time", -1L));
    all.put("kernelTime", SQLMetrics.createNanoTimingMetric(context, "GPU kernel time", -1L));
    all.put("deviceBytes", SQLMetrics.createSizeMetric(context, "GPU memory", -1L));
    all.put("queueTime", SQLMetrics.createNanoTimingMetric(context, "wait for a GPU", -1L));
    return new ArrayProjectMetrics(rows, all);
  }

  private void add(String name, long value) {
    byName.get(name).add(value);
  }

  /** Counts what a task has done with programs. */
  public void add(List<ProgramRunner> runners, long cells, long nanos) {
    add("partitions", 1);
    add("cells", cells);
    add("stencilTime", nanos);
    long deviceBytes = 0;
    for (ProgramRunner runner : runners) {
      addTask(runner.engine());
      for (TaskProgram program : runner.tasks()) {
        add("fallbacks", program.fallbacks());
        deviceBytes = Math.max(deviceBytes, program.deviceBytes());
      }
    }
    add("deviceBytes", deviceBytes);
  }

  private void addTask(String engine) {
    switch (engine) {
      case Engines.GPU, Engines.REFERENCE -> add(engine + "Tasks", 1);
      default -> add(Engines.CPU + "Tasks", 1);
    }
  }

  /** Counts what a task has done, when its pipeline has been closed. */
  void add(PartitionPipeline<?, ?, ?> pipeline, List<TaskEngine> engines) {
    add("partitions", 1);
    add("cells", pipeline.outputCells());
    for (TaskEngine engine : engines) {
      TaskReport report = engine.report();
      addTask(report.engine());
      report.fallbacks().values().forEach(times -> add("fallbacks", times));
      add("stagedBytes", report.stagedBytes());
      add("stencilTime", report.engineNanos());
      add("copyTime", report.deviceTimes().copyNanos());
      add("kernelTime", report.deviceTimes().kernelNanos());
      add("queueTime", report.queueNanos());
      add("deviceBytes", report.deviceBytes());
    }
  }
}

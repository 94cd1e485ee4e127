/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.spark.plugin.EngineChoice;
import io.sparkstencil.spark.plugin.TaskEngine;
import io.sparkstencil.spark.plugin.TaskProgram;
import io.sparkstencil.spark.plugin.TaskReport;
import io.sparkstencil.spark.programs.ProgramRunner;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.execution.metric.SQLMetric;

/** Counts what engines of tasks have done. */
record EngineCounts(Map<StencilMetric, SQLMetric> metrics) {
  private SQLMetric metric(StencilMetric metric) {
    return metrics.get(metric);
  }

  /** Counts what runs of a program were done by. */
  void count(ProgramRunner runner) {
    countEngine(runner.engine());
    for (TaskProgram program : runner.tasks()) {
      count(program.choice());
      metric(StencilMetric.FALLBACKS).add(program.fallbacks());
    }
  }

  /** Counts the device memory of a task: its engines have theirs together, programs by turns. */
  void countDeviceBytes(List<TaskEngine> engines, List<ProgramRunner> programs) {
    long ofEngines = engines.stream().mapToLong(TaskEngine::deviceBytes).sum();
    long ofPrograms =
        programs.stream()
            .flatMap(runner -> runner.tasks().stream())
            .mapToLong(TaskProgram::deviceBytes)
            .max()
            .orElse(0);
    metric(StencilMetric.DEVICE_BYTES).add(ofEngines + ofPrograms);
  }

  private void countEngine(String engine) {
    switch (engine) {
      case Engines.GPU -> metric(StencilMetric.GPU_TASKS).add(1);
      case Engines.REFERENCE -> metric(StencilMetric.REFERENCE_TASKS).add(1);
      default -> metric(StencilMetric.CPU_TASKS).add(1);
    }
  }

  private void count(EngineChoice choice) {
    switch (choice) {
      case DEVICE_FASTER -> metric(StencilMetric.DEVICE_FASTER_TASKS).add(1);
      case HOST_FASTER -> metric(StencilMetric.HOST_FASTER_TASKS).add(1);
      case ONLY_ONE -> metric(StencilMetric.ONLY_ENGINE_TASKS).add(1);
      case ASKED_FOR -> metric(StencilMetric.ASKED_FOR_TASKS).add(1);
    }
  }

  /** Counts what an engine has done, after the runner was closed. */
  void count(TaskReport report) {
    countEngine(report.engine());
    count(report.choice());
    report.fallbacks().values().forEach(times -> metric(StencilMetric.FALLBACKS).add(times));
    metric(StencilMetric.STAGED_BYTES).add(report.stagedBytes());
    metric(StencilMetric.COPY_NANOS).add(report.deviceTimes().copyNanos());
    metric(StencilMetric.KERNEL_NANOS).add(report.deviceTimes().kernelNanos());
    metric(StencilMetric.QUEUE_NANOS).add(report.queueNanos());
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Histogram;
import com.codahale.metrics.Meter;
import com.codahale.metrics.MetricRegistry;
import io.sparkstencil.error.ErrorCode;
import java.util.Collection;
import java.util.function.ToIntFunction;

/**
 * What an executor's engines have done, in Spark's metrics system: {@code
 * <application>.<executor>.plugin.io.sparkstencil.spark.StencilPlugin.<name>}.
 */
final class RuntimeMetrics {
  private final MetricRegistry registry;
  private final Meter cells;
  private final Histogram cellsPerSecond;
  private final Counter stagedBytes;
  private final Counter copyNanos;
  private final Counter kernelNanos;
  private final Counter engineNanos;
  private final Counter queueNanos;

  /** Registers all metrics; those of permits show how {@code engines} stand. */
  RuntimeMetrics(MetricRegistry registry, Collection<ProcessEngine> engines) {
    this.registry = registry;
    this.cells = registry.meter("cells");
    this.cellsPerSecond = registry.histogram("partition.cellsPerSecond");
    this.stagedBytes = registry.counter("staged.bytes");
    this.copyNanos = registry.counter("device.copyNanos");
    this.kernelNanos = registry.counter("device.kernelNanos");
    this.engineNanos = registry.counter("engine.nanos");
    this.queueNanos = registry.counter("queue.waitNanos");
    watch("permits.held", engines, ProcessEngine::held);
    watch("permits.waiting", engines, ProcessEngine::waiting);
    for (EngineChoice choice : EngineChoice.values()) {
      registry.counter(choice.metric());
    }
    for (ErrorCode code : ErrorCode.values()) {
      registry.counter(fallbackName(code));
    }
  }

  private void watch(
      String name, Collection<ProcessEngine> engines, ToIntFunction<ProcessEngine> tasks) {
    registry.register(name, (Gauge<Integer>) () -> engines.stream().mapToInt(tasks).sum());
  }

  /** Counts an engine that failed, and why. */
  void fallback(ErrorCode code) {
    registry.counter(fallbackName(code)).inc();
  }

  private static String fallbackName(ErrorCode code) {
    return "fallbacks." + code.name();
  }

  /** Adds what a task has done. */
  void add(TaskReport report) {
    registry.counter("partitions." + report.engine()).inc();
    registry.counter(report.choice().metric()).inc();
    cells.mark(report.outputCells());
    if (report.engineNanos() > 0 && report.outputCells() > 0) {
      cellsPerSecond.update((long) (report.outputCells() * 1e9 / report.engineNanos()));
    }
    stagedBytes.inc(report.stagedBytes());
    copyNanos.inc(report.deviceTimes().copyNanos());
    kernelNanos.inc(report.deviceTimes().kernelNanos());
    engineNanos.inc(report.engineNanos());
    queueNanos.inc(report.queueNanos());
  }
}

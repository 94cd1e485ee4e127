/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;

/** What the operators count, for the SQL page and {@code StencilReport}. */
public enum StencilMetric {
  ROWS("numOutputRows", "number of output rows", Unit.COUNT),
  CELLS("cells", "stencil cells", Unit.COUNT),
  HALO_CELLS("haloCells", "halo cells moved", Unit.COUNT),
  HALO_ROWS("haloRows", "halo rows read", Unit.COUNT),
  COLUMN_ROWS("columnRows", "rows kept as columns", Unit.COUNT),
  DEVICE_ROWS("deviceRows", "rows sorted on a GPU", Unit.COUNT),
  HOST_ROWS("hostRows", "rows sorted all together on the host", Unit.COUNT),
  STAYED_ROWS("stayedRows", "rows that stayed with their files", Unit.COUNT),
  PARTITIONS("partitions", "partitions", Unit.COUNT),
  FALLBACKS("fallbacks", "tasks that fell back to another engine", Unit.COUNT),
  CPU_TASKS("cpuTasks", "tasks on the CPU engine", Unit.COUNT),
  GPU_TASKS("gpuTasks", "tasks on the GPU engine", Unit.COUNT),
  REFERENCE_TASKS("referenceTasks", "tasks on the reference engine", Unit.COUNT),
  CUT_SERIES("cutSeries", "skewed series cut into ranges", Unit.COUNT),
  SHUFFLED_BYTES("shuffledBytes", "shuffled bytes", Unit.BYTES),
  SPILLED_BYTES("spilledBytes", "spilled bytes of columns", Unit.BYTES),
  SORT_NANOS("sortTime", "sort time", Unit.NANOS),
  HALO_MILLIS("haloTime", "halo exchange time", Unit.MILLIS),
  SHUFFLE_MILLIS("shuffleTime", "shuffle time", Unit.MILLIS),
  STENCIL_NANOS("stencilTime", "stencil time", Unit.NANOS),
  STAGED_BYTES("stagedBytes", "staged bytes", Unit.BYTES),
  COPY_NANOS("copyTime", "GPU copy time", Unit.NANOS),
  KERNEL_NANOS("kernelTime", "GPU kernel time", Unit.NANOS),
  DEVICE_BYTES("deviceBytes", "GPU memory", Unit.BYTES),
  QUEUE_NANOS("queueTime", "wait for a GPU", Unit.NANOS),
  DEVICE_FASTER_TASKS(
      "deviceFasterTasks", "tasks for which a GPU was estimated faster", Unit.COUNT),
  HOST_FASTER_TASKS("hostFasterTasks", "tasks for which the CPU was estimated faster", Unit.COUNT),
  ONLY_ENGINE_TASKS("onlyEngineTasks", "tasks that had one engine only", Unit.COUNT),
  ASKED_FOR_TASKS("askedForTasks", "tasks for which an engine was requested", Unit.COUNT);

  private enum Unit {
    COUNT,
    BYTES,
    MILLIS,
    NANOS
  }

  private final String key; // in the plan's metrics
  private final String label; // on the SQL page
  private final Unit unit;

  StencilMetric(String key, String label, Unit unit) {
    this.key = key;
    this.label = label;
    this.unit = unit;
  }

  /** What an operator of windows counts, whatever it computes. */
  public static final Set<StencilMetric> OF_OPERATOR = Set.of(values());

  /** Returns new metrics, registered with Spark. */
  public static Map<StencilMetric, SQLMetric> create(
      SparkContext context, Set<StencilMetric> wanted) {
    Map<StencilMetric, SQLMetric> made = new EnumMap<>(StencilMetric.class);
    for (StencilMetric each : wanted) {
      made.put(
          each,
          switch (each.unit) {
            case COUNT -> SQLMetrics.createMetric(context, each.label);
            case BYTES -> SQLMetrics.createSizeMetric(context, each.label, -1L);
            case MILLIS -> SQLMetrics.createTimingMetric(context, each.label, -1L);
            case NANOS -> SQLMetrics.createNanoTimingMetric(context, each.label, -1L);
          });
    }
    return made;
  }

  /** Returns metrics by the names under which the plan has them. */
  public static Map<String, SQLMetric> byName(Map<StencilMetric, SQLMetric> metrics) {
    Map<String, SQLMetric> named = new LinkedHashMap<>();
    metrics.forEach((each, metric) -> named.put(each.key, metric));
    return named;
  }
}

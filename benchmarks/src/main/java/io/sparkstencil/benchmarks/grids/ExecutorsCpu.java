/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import com.sun.management.OperatingSystemMXBean;
import io.sparkstencil.benchmarks.harness.EachExecutor;
import java.lang.management.ManagementFactory;
import java.util.Map;
import org.apache.spark.sql.SparkSession;

/** The time of cores that the processes of executors take, from a moment on. */
final class ExecutorsCpu {
  private final SparkSession spark;
  private final int executors;
  private final Map<String, Long> before;

  /**
   * Begins.
   *
   * @param executors how many there are
   */
  ExecutorsCpu(SparkSession spark, int executors) {
    this.spark = spark;
    this.executors = executors;
    before = nanos();
  }

  /** Returns the seconds of cores that all have taken since then. */
  double seconds() {
    Map<String, Long> now = nanos();
    return 1e-9
        * before.entrySet().stream()
            .mapToLong(each -> now.get(each.getKey()) - each.getValue())
            .sum();
  }

  private Map<String, Long> nanos() {
    return EachExecutor.ask(
        spark.sparkContext(),
        executors,
        () -> ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime());
  }
}

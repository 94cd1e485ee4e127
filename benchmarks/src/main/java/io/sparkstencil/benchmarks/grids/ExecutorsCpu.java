/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

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
    List<Integer> tasks = IntStream.range(0, 8 * executors).boxed().toList();
    Map<String, Long> found = new HashMap<>();
    while (found.size() < executors) {
      new JavaSparkContext(spark.sparkContext())
          .parallelize(tasks, tasks.size())
          .map(
              any -> {
                Thread.sleep(20); // so that no executor does it all
                OperatingSystemMXBean system =
                    ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
                return new Tuple2<>(SparkEnv.get().executorId(), system.getProcessCpuTime());
              })
          .collect()
          .forEach(each -> found.merge(each._1(), each._2(), Math::max));
    }
    return found;
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.harness;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function0;
import scala.Tuple2;

/** The processes of Spark's executors. */
public final class ExecutorProcesses {
  private ExecutorProcesses() {}

  /**
   * Returns the numbers of the processes, when all executors are there.
   *
   * @param executors how many there will be
   * @param name says in an executor by which name it is returned
   */
  public static Map<String, Long> of(
      JavaSparkContext spark, int executors, Function0<String> name) {
    List<Integer> tasks = IntStream.range(0, 4 * executors).boxed().toList();
    Map<String, Long> found = new TreeMap<>();
    while (found.size() < executors) {
      found.clear();
      spark
          .parallelize(tasks, tasks.size())
          .mapToPair(
              any -> {
                Thread.sleep(20); // so that no executor does it all
                return new Tuple2<>(name.call(), ProcessHandle.current().pid());
              })
          .collect()
          .forEach(each -> found.put(each._1(), each._2()));
    }
    return found;
  }
}

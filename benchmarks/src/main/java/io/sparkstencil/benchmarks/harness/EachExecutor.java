/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.harness;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function0;
import scala.Tuple2;

/** Asks all executors of a Spark something, wherever its tasks run. */
public final class EachExecutor {
  private static final int TASKS = 8; // of each, if each has as many

  private EachExecutor() {}

  /**
   * Returns what executors answer, by their numbers, when all are there.
   *
   * @param executors how many there will be
   * @param question may be asked more than once; the last answer counts
   */
  public static <T extends Serializable> Map<String, T> ask(
      SparkContext spark, int executors, Function0<T> question) {
    return ask(spark, executors, () -> SparkEnv.get().executorId(), question);
  }

  /**
   * Returns what executors answer, when all are there.
   *
   * @param name says in an executor by which name its answer is returned
   */
  public static <T extends Serializable> Map<String, T> ask(
      SparkContext spark, int executors, Function0<String> name, Function0<T> question) {
    List<Integer> tasks = IntStream.range(0, TASKS * executors).boxed().toList();
    Map<String, T> answers = new TreeMap<>();
    while (answers.size() < executors) {
      answers.clear(); // an executor may have ended
      new JavaSparkContext(spark)
          .parallelize(tasks, tasks.size())
          .mapToPair(
              any -> {
                Thread.sleep(20); // so that no executor does it all
                return new Tuple2<>(name.call(), question.call());
              })
          .collect()
          .forEach(each -> answers.put(each._1(), each._2()));
    }
    return answers;
  }

  /** Returns the numbers of the processes of executors, when all are there. */
  public static Map<String, Long> processes(SparkContext spark, int executors) {
    return ask(spark, executors, () -> ProcessHandle.current().pid());
  }
}

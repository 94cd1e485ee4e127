/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.cluster;

import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.survey.Experiment;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * Surveys each GPU of each executor, all of them at once and each by one task.
 *
 * @param surveyor finds the engine on the executors
 * @param experiments what is asked
 * @param options values of {@code spark.stencil.*} keys
 */
public record ClusterSurvey(
    Surveyor surveyor, List<Experiment> experiments, Map<String, String> options) {
  /** What suits the job: a second attempt of a task would find its device taken. */
  public static final Map<String, String> SUITED =
      Map.of("spark.speculation", "false", "spark.scheduler.minRegisteredResourcesRatio", "1.0");

  private static final int PATIENCE_MILLIS = 30_000;
  private static final int CALM_MILLIS = 3_000;
  private static final int BETWEEN_MILLIS = 250;

  /**
   * Runs the job.
   *
   * @return what was found, by host and address; each device once
   * @throws EngineUnavailableException if no executor has a device, with the reason of one
   */
  List<DeviceAnswer> outcomes(SparkSession session) {
    JavaSparkContext spark = JavaSparkContext.fromSparkContext(session.sparkContext());
    awaitExecutors(spark);
    // One for each core, so that the first ones, which start at once, reach every executor.
    int tasks = spark.defaultParallelism();
    List<Integer> numbers = IntStream.range(0, tasks).boxed().toList();
    List<String> names = experiments.stream().map(Experiment::name).toList();
    SurveyTask task =
        new SurveyTask(
            surveyor, List.copyOf(names), Map.copyOf(options), UUID.randomUUID().toString());
    return spark.parallelize(numbers, tasks).mapPartitions(task).collect().stream()
        .map(DeviceAnswer::of)
        .toList();
  }

  /** Runs the job and returns what it has found. */
  public ClusterFindings run(SparkSession session) {
    ClusterFindings findings = ClusterFindings.of(outcomes(session));
    if (findings.results().isEmpty()) {
      throw new EngineUnavailableException(
          findings.failures().isEmpty()
              ? "no executor has a device to survey; start executors on hosts with GPUs"
              : findings.failures().get(0));
    }
    return findings;
  }

  /** Executors of a cluster come one by one; waits until no more of them come. */
  private static void awaitExecutors(JavaSparkContext spark) {
    if (spark.isLocal()) {
      return;
    }
    long began = System.nanoTime();
    long changed = began;
    int known = 0;
    while (millisSince(began) < PATIENCE_MILLIS
        && (known == 0 || millisSince(changed) < CALM_MILLIS)) {
      int now = spark.sc().statusTracker().getExecutorInfos().length - 1; // one is the driver
      if (now != known) {
        known = now;
        changed = System.nanoTime();
      }
      try {
        Thread.sleep(BETWEEN_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private static long millisSince(long nanoTime) {
    return (System.nanoTime() - nanoTime) / 1_000_000;
  }
}

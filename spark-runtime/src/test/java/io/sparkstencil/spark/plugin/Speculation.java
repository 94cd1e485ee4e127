/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.testkit.StandaloneCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.TaskContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;

/** A job of which one task is slow, so that Spark starts a second attempt and kills the loser. */
final class Speculation {
  private static final int SERIES = 32;

  private Speculation() {}

  /** Attempts as the driver sees them. */
  private static final class Attempts extends SparkListener {
    private final AtomicInteger speculative = new AtomicInteger();
    private final AtomicInteger killed = new AtomicInteger();

    @Override
    public void onTaskStart(SparkListenerTaskStart start) {
      speculative.addAndGet(start.taskInfo().speculative() ? 1 : 0);
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
      killed.addAndGet(end.taskInfo().killed() ? 1 : 0);
    }
  }

  /**
   * Runs the job on two workers, whose hosts must differ for Spark to duplicate tasks.
   *
   * @param folder for files
   * @param javaOptions of executors
   * @param settings keys and values of Spark's configuration
   */
  static void run(Path folder, String javaOptions, String... settings) throws Exception {
    List<String> all =
        new ArrayList<>(
            List.of(
                "spark.speculation", "true",
                "spark.speculation.interval", "50ms",
                "spark.speculation.quantile", "0.5",
                "spark.speculation.multiplier", "1.1",
                "spark.speculation.minTaskRuntime", "10ms",
                "spark.cores.max", "4",
                "spark.executor.cores", "2"));
    all.addAll(List.of(settings));
    String once = folder.resolve("slow").toString();
    try (StandaloneCluster workers = new StandaloneCluster(folder.resolve("standalone"))) {
      workers.startWorker("127.0.0.1", 2, "2g", null, Map.of());
      workers.startWorker("127.0.0.2", 2, "2g", null, Map.of());
      try (LocalCluster cluster =
          new LocalCluster(workers.url(), javaOptions, all.toArray(String[]::new))) {
        Attempts attempts = new Attempts();
        cluster.spark().sc().addSparkListener(attempts);
        List<Integer> results =
            StencilWork.run(
                cluster.spark(),
                SERIES,
                8,
                number -> {
                  if (number % 4 == 2 && isFirst(once)) {
                    sleep(TaskContext.get());
                  }
                  return number;
                });
        assertThat(results).isEqualTo(StencilWork.expected(SERIES));
        assertThat(folder.resolve("slow")).exists();
        assertThat(cluster.removed()).isEmpty();
        assertThat(attempts.speculative.get()).as("duplicates").isPositive();
        assertThat(openInExecutors(cluster)).as("lanes and permits").containsOnly(0);
        cluster.removed(); // all events are in
        assertThat(attempts.killed.get()).as("attempts that lost").isPositive();
      }
    }
  }

  /** Tells one task of all executors apart. */
  static boolean isFirst(String file) {
    try {
      Files.createFile(Path.of(file));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Sleeps until the other attempt has won and this one is killed; a minute at most. */
  private static void sleep(TaskContext task) {
    for (int i = 0; i < 1200 && !task.isInterrupted(); i++) {
      try {
        Thread.sleep(50);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** Returns what tasks hold, as each of eight tasks that hold nothing sees it, after a while. */
  private static List<Integer> openInExecutors(LocalCluster cluster) throws InterruptedException {
    List<Integer> open = List.of(-1);
    for (int i = 0; i < 50 && open.stream().anyMatch(count -> count != 0); i++) {
      Thread.sleep(100);
      open =
          cluster
              .spark()
              .parallelize(List.of(1, 2, 3, 4, 5, 6, 7, 8), 8)
              .map(
                  any ->
                      ExecutorRuntime.current().openLanes() + ExecutorRuntime.current().permits())
              .collect();
    }
    return open;
  }
}

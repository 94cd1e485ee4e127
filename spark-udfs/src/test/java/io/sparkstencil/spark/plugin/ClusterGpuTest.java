/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.TaskContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What can go wrong on a real GPU with executors in processes of their own. */
@OnGpu
@Timeout(150)
class ClusterGpuTest {
  private static final int SERIES = 64;
  private static final List<Integer> EXPECTED = StencilWork.expected(SERIES);

  @TempDir Path folder;

  private static LocalCluster cluster(String... settings) throws IOException {
    String[] all = new String[settings.length + 2];
    all[0] = "spark.stencil.engine";
    all[1] = "gpu";
    System.arraycopy(settings, 0, all, 2, settings.length);
    return new LocalCluster(2, "-Dio.sparkstencil.test=gpu", all);
  }

  /** Tells one task of all executors apart. */
  private static boolean isFirst(String file) {
    try {
      Files.createFile(Path.of(file));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void anIllegalAddressEndsTheExecutorAndAnotherOneFinishesTheJob() throws Exception {
    String once = folder.resolve("struck").toString();
    try (LocalCluster cluster = cluster()) {
      List<Integer> results =
          StencilWork.run(
              cluster.spark(),
              SERIES,
              8,
              number -> {
                if (number == 20 && isFirst(once)) {
                  IllegalAddress.strike();
                }
                return number;
              });
      assertThat(results).isEqualTo(EXPECTED);
      assertThat(folder.resolve("struck")).exists();
      assertThat(cluster.removed())
          .singleElement()
          .asString()
          .contains("code " + DeviceLoss.EXIT_CODE);
      cluster.awaitExecutors();
      assertThat(StencilWork.engines(cluster.spark(), SERIES, 8).values())
          .allSatisfy(engines -> assertThat(engines).containsExactly("gpu"));
    }
  }

  @Test
  void anExecutorThatIsKilledInTheMiddleIsReplaced() throws Exception {
    String once = folder.resolve("killed").toString();
    try (LocalCluster cluster = cluster()) {
      List<Integer> results =
          StencilWork.run(
              cluster.spark(),
              SERIES,
              8,
              number -> {
                if (number == 20 && isFirst(once)) {
                  Runtime.getRuntime().halt(137); // while batches of all its tasks are underway
                }
                return number;
              });
      assertThat(results).isEqualTo(EXPECTED);
      assertThat(cluster.removed()).singleElement().asString().contains("code 137");
    }
  }

  @Test
  void speculativeDuplicatesGiveEverythingBack() throws Exception {
    String once = folder.resolve("slow").toString();
    try (LocalCluster cluster =
        cluster(
            "spark.speculation", "true",
            "spark.speculation.quantile", "0.5",
            "spark.speculation.multiplier", "1.1",
            "spark.speculation.minTaskRuntime", "10ms")) {
      List<Integer> results =
          StencilWork.run(
              cluster.spark(),
              SERIES,
              8,
              number -> {
                if (number % 8 == 5 && isFirst(once)) {
                  sleep(TaskContext.get());
                }
                return number;
              });
      assertThat(results).isEqualTo(EXPECTED);
      assertThat(folder.resolve("slow")).exists();
      assertThat(cluster.removed()).isEmpty();
      assertThat(openInExecutors(cluster)).as("lanes and permits").containsOnly(0);
    }
  }

  /** Sleeps until the other attempt has won and this one is killed. */
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

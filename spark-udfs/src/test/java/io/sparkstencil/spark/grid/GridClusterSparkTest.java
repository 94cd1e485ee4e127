/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.spark.Sessions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/** Grids on executors in processes of their own, which end or do not get their blocks. */
final class GridClusterSparkTest {
  private static SparkSession cluster(String master, String localityWait) throws Exception {
    Path home = Path.of(System.getenv("SPARK_HOME"));
    Files.createDirectories(home.resolve("jars"));
    Files.createDirectories(home.resolve("launcher/target/scala-2.13"));
    return Sessions.builder(master)
        .config("spark.executor.memory", "512m")
        .config("spark.locality.wait", localityWait)
        .config("spark.scheduler.minRegisteredResourcesRatio", "1")
        .config("spark.scheduler.maxRegisteredResourcesWaitingTime", "60s")
        .config(
            "spark.executor.extraClassPath",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")))
        .getOrCreate();
  }

  private static Map<String, Long> pidsByExecutor(SparkSession cluster) {
    return new JavaSparkContext(cluster.sparkContext())
            .parallelize(IntStream.range(0, 24).boxed().toList(), 24)
            .map(any -> new Tuple2<>(SparkEnv.get().executorId(), ProcessHandle.current().pid()))
            .collect()
            .stream()
            .collect(Collectors.toMap(Tuple2::_1, Tuple2::_2, (a, b) -> a));
  }

  @Test
  @Timeout(180)
  void onlyTheBlocksOfAKilledExecutorAreReplayed() throws Exception {
    WholeGrid whole = WholeGrid.heat(Boundary.REFLECT);
    AtomicBoolean armed = new AtomicBoolean();
    List<Long> victim = new ArrayList<>();
    try (SparkSession cluster = cluster("local-cluster[2,1,512]", "3s");
        StencilGrid grid =
            whole
                .builder(cluster)
                .blocks(5)
                .stepsPerExchange(2)
                .listener(
                    progress -> {
                      if (progress.done() >= 10 && armed.compareAndSet(true, false)) {
                        ProcessHandle.of(victim.get(0)).orElseThrow().destroyForcibly();
                      }
                    })
                .create()) {
      StencilGrid before = grid.step(6);
      assertThat(before.metrics().replayedBlocks()).isEmpty();
      List<String> places = before.executors();
      Map<String, Long> pids = pidsByExecutor(cluster);
      String executor = places.get(0).substring(places.get(0).lastIndexOf('_') + 1);
      victim.add(pids.get(executor));
      List<Integer> lost =
          IntStream.range(0, places.size())
              .filter(block -> places.get(block).equals(places.get(0)))
              .boxed()
              .toList();
      armed.set(true);

      StencilGrid after = before.step(30);

      assertThat(armed).isFalse();
      assertThat(after.read("u")).isEqualTo(whole.after(36));
      assertThat(lost).hasSizeBetween(1, 4);
      List<String> now = after.executors();
      assertThat(after.metrics().replayedBlocks())
          .containsAll(lost)
          .as("those of the killed executor, and those that Spark has moved since")
          .allMatch(block -> lost.contains(block) || !now.get(block).equals(places.get(block)));
    }
  }

  @Test
  @Timeout(180)
  void blocksThatRunElsewhereAreRight(@TempDir Path folder) throws Exception {
    WholeGrid whole = WholeGrid.heat(Boundary.WRAP);
    Path taken = folder.resolve("taken");
    Path free = folder.resolve("free");
    try (SparkSession cluster = cluster("local-cluster[2,1,512]", "0s");
        StencilGrid grid = whole.builder(cluster).blocks(4).stepsPerExchange(1).create()) {
      StencilGrid before = grid.step(4);
      assertThat(Set.copyOf(before.executors())).as("executors with blocks").hasSize(2);
      CompletableFuture<Void> other =
          CompletableFuture.runAsync(() -> occupy(cluster, taken.toString(), free.toString()));
      await(taken.toString());

      StencilGrid after = before.step(4); // on the executor that is left
      Files.createFile(free);
      other.get();

      assertThat(after.read("u")).isEqualTo(whole.after(8));
      assertThat(after.metrics().replayedSupersteps()).as("blocks have moved").isPositive();
    }
  }

  /** Keeps the only core of an executor busy from when one file is there until another one is. */
  private static void occupy(SparkSession cluster, String taken, String free) {
    new JavaSparkContext(cluster.sparkContext())
        .parallelize(List.of(0), 1)
        .foreach(
            any -> {
              Files.createFile(Path.of(taken));
              await(free);
            });
  }

  private static void await(String file) throws InterruptedException {
    while (Files.notExists(Path.of(file))) {
      Thread.sleep(20);
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.testkit.ApplicationJar;
import io.sparkstencil.testkit.RequiresGpu;
import io.sparkstencil.testkit.StandaloneCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A master, two workers and an application that is submitted to them, as on a cluster: right
 * results, by both executors. The system property {@code stencil.jar} names the application's jar;
 * without it one is made of the classes under test. The build runs it on the shaded jar, once that
 * is there.
 */
final class StandaloneSparkTest {
  private static final String JAR_PROPERTY = "stencil.jar";
  private static final int ROWS = 40_000;
  private static final int RADIUS = 8;

  @TempDir private Path folder;

  @Test
  @Timeout(180)
  void bothExecutorsWorkOnTheirCpu() throws Exception {
    try (StandaloneCluster cluster = new StandaloneCluster(folder.resolve("cluster"))) {
      cluster.startWorker("127.0.0.1", 1, "1g", null, Map.of());
      cluster.startWorker("127.0.0.1", 1, "1g", null, Map.of());
      apply(cluster, "cpu", "spark.executor.cores=1", "spark.executor.memory=640m");
    }
  }

  /** Workers offer the GPU that our script finds; four tasks of each executor share it. */
  @Test
  @RequiresGpu
  @Timeout(180)
  void bothExecutorsWorkOnTheGpuThatTheScriptFinds() throws Exception {
    Path project = Path.of(System.getProperty("stencil.home")).toAbsolutePath();
    Path environment = project.resolve("conf/standalone/spark-env.sh");
    Map<String, String> home = Map.of("STENCIL_HOME", project.toString());
    try (StandaloneCluster cluster = new StandaloneCluster(folder.resolve("cluster"))) {
      cluster.startWorker("127.0.0.1", 4, "4g", environment, home);
      cluster.startWorker("127.0.0.1", 4, "4g", environment, home);
      apply(
          cluster,
          "gpu",
          "spark.executor.cores=4",
          "spark.executor.memory=2g",
          "spark.executor.resource.gpu.amount=1",
          "spark.task.resource.gpu.amount=0.25");
    }
  }

  private void apply(StandaloneCluster cluster, String engine, String... settings)
      throws Exception {
    double[] cells = new SplittableRandom(11).doubles(ROWS, -1, 1).toArray();
    Path input = writeCsv(cells);
    Path output = folder.resolve("out");
    Path metrics = Files.createDirectories(folder.resolve("metrics"));
    List<String> arguments = new ArrayList<>();
    for (String setting : settings) {
      arguments.addAll(List.of("--conf", setting));
    }
    for (String setting :
        List.of(
            "spark.plugins=io.sparkstencil.spark.StencilPlugin",
            "spark.executor.extraJavaOptions=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
            "spark.scheduler.minRegisteredResourcesRatio=1",
            "spark.scheduler.maxRegisteredResourcesWaitingTime=60s",
            "spark.sql.shuffle.partitions=8",
            "spark.sql.adaptive.enabled=false",
            "spark.ui.enabled=false",
            "spark.stencil.sql.smallBytes=0", // few rows would all go to one task
            "spark.metrics.namespace=stencil",
            "spark.metrics.conf.*.sink.csv.class=org.apache.spark.metrics.sink.CsvSink",
            "spark.metrics.conf.*.sink.csv.period=1",
            "spark.metrics.conf.*.sink.csv.directory=" + metrics)) {
      arguments.addAll(List.of("--conf", setting));
    }
    arguments.addAll(
        List.of("--class", "io.sparkstencil.jobs.StencilCommand", jar().toString(), "apply"));
    arguments.addAll(List.of("--input", input.toString(), "--order-by", "t", "--column", "v"));
    arguments.addAll(List.of("--op", "mean", "--radius", Integer.toString(RADIUS), "--as", "m"));
    arguments.addAll(List.of("--engine", engine, "--output", output.toString()));

    StandaloneCluster.Ended ended = cluster.submit(arguments, 150);

    assertThat(ended.exitCode()).as(cluster.logs()).isZero();
    assertThat(ended.output()).contains("engine  " + engine);
    assertThat(readResults(output)).isEqualTo(expected(cells));
    for (String executor : List.of("0", "1")) {
      assertThat(lastValue(metrics, executor, "partitions." + engine))
          .as("tasks of executor %s on engine %s", executor, engine)
          .isPositive();
    }
  }

  private Path jar() throws IOException {
    String built = System.getProperty(JAR_PROPERTY);
    return built == null ? ApplicationJar.write(folder.resolve("app.jar")) : Path.of(built);
  }

  private Path writeCsv(double[] cells) throws IOException {
    List<String> lines = new ArrayList<>(List.of("t,v"));
    for (int i = 0; i < ROWS; i++) {
      int t = (int) ((long) i * 7919 % ROWS); // out of order
      lines.add(t + "," + cells[t]);
    }
    Path file = folder.resolve("series.csv");
    return Files.write(file, lines);
  }

  private static Map<Integer, Double> expected(double[] cells) {
    Map<Integer, Double> means = new TreeMap<>();
    for (int i = 0; i < cells.length; i++) {
      int from = Math.max(0, i - RADIUS);
      int to = Math.min(cells.length - 1, i + RADIUS);
      double sum = 0;
      for (int j = from; j <= to; j++) {
        sum += cells[j];
      }
      means.put(i, sum / (to - from + 1));
    }
    return means;
  }

  private static Map<Integer, Double> readResults(Path output) throws IOException {
    Map<Integer, Double> results = new TreeMap<>();
    try (Stream<Path> files = Files.list(output)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".csv")).toList()) {
        List<String> lines = Files.readAllLines(file);
        for (String line : lines.subList(1, lines.size())) {
          String[] fields = line.split(",", -1);
          results.put(Integer.parseInt(fields[0]), Double.parseDouble(fields[2]));
        }
      }
    }
    return results;
  }

  /** Returns the last value of a counter of an executor in the files of Spark's metrics system. */
  private static long lastValue(Path metrics, String executor, String counter) throws IOException {
    String name =
        "stencil.%s.plugin.io.sparkstencil.spark.StencilPlugin.%s.csv".formatted(executor, counter);
    Path file = metrics.resolve(name);
    assertThat(file).as("files %s", List.of(metrics.toFile().list())).exists();
    List<String> lines = Files.readAllLines(file);
    String last = lines.get(lines.size() - 1);
    return Long.parseLong(last.substring(last.indexOf(',') + 1));
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.conf.StencilOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Grids on two hosts made of two network namespaces, which {@code build/two-hosts.sh} makes; this
 * process is on the first of them.
 */
@EnabledIfSystemProperty(named = "stencil.test.hosts", matches = ".+")
@Timeout(1800)
final class GridTwoHostsSparkTest {
  private static final String MASTER = "spark://10.77.0.1:7077";
  private static final int STEPS = 2;

  private static final List<Process> DAEMONS = new ArrayList<>();

  @TempDir static Path folder;

  @BeforeAll
  static void start() throws Exception {
    Sessions.stopOpen();
    start(1, "master.Master", "--host", "10.77.0.1", "--port", "7077", "--webui-port", "0");
    Thread.sleep(3000);
    for (int host = 1; host <= 2; host++) {
      start(
          host,
          "worker.Worker",
          "--host",
          "10.77.0." + host,
          "--cores",
          "1",
          "--memory",
          "1g",
          "--webui-port",
          "0",
          "--work-dir",
          folder.resolve("work" + host).toString(),
          MASTER);
    }
  }

  private static void start(int host, String type, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("ip", "netns", "exec", "stencil-" + host));
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(List.of("-cp", classPath(), "-Xmx256m"));
    command.add("org.apache.spark.deploy." + type);
    command.addAll(List.of(arguments));
    Path log = Files.createTempFile(folder, type, ".log");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("SPARK_LOCAL_IP", "10.77.0." + host);
    DAEMONS.add(builder.redirectErrorStream(true).redirectOutput(log.toFile()).start());
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  @AfterAll
  static void stop() {
    DAEMONS.forEach(each -> each.descendants().forEach(ProcessHandle::destroyForcibly));
    DAEMONS.forEach(Process::destroyForcibly);
  }

  private static GridCluster cluster(boolean pushes) throws IOException {
    Map<String, String> options = new HashMap<>();
    options.put("spark.driver.host", "10.77.0.1");
    options.put("spark.driver.bindAddress", "10.77.0.1");
    options.put("spark.deploy.maxExecutorRetries", "-1");
    options.put(StencilOptions.GRID_PUSH.key(), Boolean.toString(pushes));
    return new GridCluster(MASTER, 2, options);
  }

  private static StencilGrid grid(GridCluster cluster, WholeGrid whole, GridListener listener) {
    cluster.executors();
    cluster.localityWait("300s");
    return whole
        .builder(cluster.session())
        .blocks(6)
        .stepsPerExchange(STEPS)
        .listener(listener)
        .create();
  }

  @Test
  void killsAndACutAndALateHostLeaveTheBits() throws Exception {
    Random random = new Random(51);
    try (GridCluster cluster = cluster(true)) {
      for (int kill = 0; kill < Integer.getInteger("stencil.test.hosts"); kill++) {
        WholeGrid whole =
            WholeGrid.heat(
                1 + random.nextInt(3),
                random.nextBoolean() ? ElementType.F32 : ElementType.F64,
                random.nextBoolean() ? Boundary.WRAP : Boundary.REFLECT);
        Killer killer = new Killer();
        try (StencilGrid grid = grid(cluster, whole, killer)) {
          StencilGrid before = grid.step(4L * STEPS);
          List<String> places = before.executors().stream().distinct().toList();
          assertThat(places).hasSize(2);
          Map<String, ProcessHandle> processes = cluster.processesByLocation(places);
          killer.killAfter(1 + random.nextInt(30), processes.get(places.get(random.nextInt(2))));
          long start = System.nanoTime();

          StencilGrid after = before.step(40L * STEPS);

          assertThat(killer.isDone()).isTrue();
          assertThat(after.read("u")).isEqualTo(whole.after(44L * STEPS));
          report("kill %d".formatted(kill + 1), start, after);
        }
      }
      disturb(cluster, "cut for 3 s", (killer, victim) -> cut());
      disturb(cluster, "stopped for 3 s", (killer, victim) -> killer.stopAfter(1, victim, 3000));
      cluster.awaitEmpty();
    }
  }

  /** What is done to one of two executors. */
  private interface Deed {
    void to(Killer killer, ProcessHandle victim);
  }

  private static void disturb(GridCluster cluster, String name, Deed deed) {
    WholeGrid whole = WholeGrid.heat(Boundary.WRAP);
    Killer killer = new Killer();
    try (StencilGrid grid = grid(cluster, whole, killer)) {
      StencilGrid before = grid.step(4L * STEPS);
      assertThat(before.metrics().faces().get("pushed")).isPositive();
      String far =
          before.executors().stream().filter(each -> each.contains("10.77.0.2")).findAny().get();
      ProcessHandle victim = cluster.processesByLocation(List.of(far)).get(far);
      long start = System.nanoTime();
      deed.to(killer, victim);

      StencilGrid after = before.step(400L * STEPS);

      assertThat(after.read("u")).isEqualTo(whole.after(404L * STEPS));
      assertThat(after.metrics().replayedSupersteps()).isZero();
      assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(60));
      report(name, start, after);
    }
  }

  /** Takes the link between the hosts away, while steps are taken. */
  private static void cut() {
    link("down");
    CompletableFuture.delayedExecutor(3, TimeUnit.SECONDS).execute(() -> link("up"));
  }

  private static void link(String state) {
    try {
      new ProcessBuilder("ip", "-n", "stencil-2", "link", "set", "stencil-2", state)
          .inheritIO()
          .start()
          .waitFor();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException("the link is not " + state, e);
    }
  }

  /** Says what a superstep takes by each way, with faces of some sizes. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void bothWaysAreTimed(boolean pushes) throws Exception {
    try (GridCluster cluster = cluster(pushes)) {
      for (int size : List.of(64, 256, 512)) {
        cluster.executors();
        cluster.localityWait("300s");
        try (StencilGrid grid =
            StencilGrids.builder(
                    cluster.session(), WholeGrid.heat(3, ElementType.F32, Boundary.WRAP).program())
                .extent(16, size, size)
                .type(ElementType.F32)
                .field("u", at -> WholeGrid.first("u", at))
                .field("k", at -> 0.5)
                .parameter("a", 0.1)
                .blocksPerAxis(2, 1, 1)
                .stepsPerExchange(1)
                .create()) {
          StencilGrid before = grid.step(10);
          GridMetrics early = before.metrics();
          long start = System.nanoTime();
          StencilGrid after = before.step(30);
          double seconds = 1e-9 * (System.nanoTime() - start);
          assertThat(after.metrics().faces().containsKey("pushed")).isEqualTo(pushes);
          System.out.printf(
              "push %s, faces of %d kB: %.1f ms a superstep, of which each task %.1f ms for faces;"
                  + " %s%n",
              pushes,
              8 * size * size / 1000,
              1e3 * seconds / 30,
              1e3 * (after.metrics().exchangeSeconds() - early.exchangeSeconds()) / 60,
              after.metrics().faces());
        }
      }
    }
  }

  private static void report(String name, long start, StencilGrid grid) {
    System.out.printf(
        "%s: %.1f s, %s, %d supersteps again%n",
        name,
        1e-9 * (System.nanoTime() - start),
        grid.metrics().faces(),
        grid.metrics().replayedSupersteps());
  }
}

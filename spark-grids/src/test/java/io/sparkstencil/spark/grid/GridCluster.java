/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cpu.CpuOptions;
import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.grid.blocks.BlockRegistry;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.BlockId;
import scala.Function1;
import scala.jdk.javaapi.CollectionConverters;

/** Executors with one core each, in processes of their own, and what grids have left in them. */
final class GridCluster implements AutoCloseable {
  /** Executors drop blocks in a second or two, on a busy machine in some ten. */
  private static final Duration LONGEST_CLEANUP = Duration.ofMinutes(2);

  private final int executors;
  private final SparkSession session;
  private final JavaSparkContext spark;

  /**
   * What an executor says about itself.
   *
   * @param pid its process
   * @param blocks the blocks of grids that it holds
   */
  record Executor(String id, long pid, int blocks) {
    /** Returns what it says as text, which every serializer knows. */
    static String text() {
      return "%s %d %d"
          .formatted(
              SparkEnv.get().executorId(),
              ProcessHandle.current().pid(),
              BlockRegistry.of(ExecutorRuntime.current()).count());
    }

    static Executor of(String text) {
      String[] words = text.split(" ");
      return new Executor(words[0], Long.parseLong(words[1]), Integer.parseInt(words[2]));
    }
  }

  GridCluster(int executors) throws IOException {
    this(executors, Map.of());
  }

  /** Starts executors with some more options. */
  GridCluster(int executors, Map<String, String> options) throws IOException {
    this("local-cluster[%d,1,512]".formatted(executors), executors, options);
  }

  /**
   * Takes executors that a master starts.
   *
   * @param executors how many there will be
   */
  GridCluster(String master, int executors, Map<String, String> options) throws IOException {
    this.executors = executors;
    Path home = Path.of(System.getenv("SPARK_HOME"));
    Files.createDirectories(home.resolve("jars"));
    Files.createDirectories(home.resolve("launcher/target/scala-2.13"));
    SparkSession.Builder builder = Sessions.builder(master);
    builder.config(CpuOptions.VECTORS.key(), "false"); // slow where code lives for seconds
    options.forEach(builder::config);
    session =
        builder
            .config("spark.executor.memory", "512m")
            .config("spark.scheduler.minRegisteredResourcesRatio", "1")
            .config("spark.scheduler.maxRegisteredResourcesWaitingTime", "60s")
            .config(
                "spark.executor.extraClassPath",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")))
            .getOrCreate();
    spark = new JavaSparkContext(session.sparkContext());
  }

  SparkSession session() {
    return session;
  }

  JavaSparkContext spark() {
    return spark;
  }

  /** Sets how long tasks of later jobs wait for the executors that they prefer. */
  void localityWait(String duration) {
    session.sparkContext().conf().set("spark.locality.wait", duration);
  }

  /** Returns all executors by their names, when all are there. */
  Map<String, Executor> executors() {
    Map<String, Executor> found = new TreeMap<>();
    while (found.size() < executors) {
      found.clear();
      awaitExecutors();
      spark
          .parallelize(IntStream.range(0, 4 * executors).boxed().toList(), 4 * executors)
          .map(
              any -> {
                Thread.sleep(10); // so that no executor does it all
                return Executor.text();
              })
          .collect()
          .forEach(each -> found.put(each.split(" ")[0], Executor.of(each)));
    }
    return found;
  }

  /** Waits until the driver knows all, with less work than jobs that look for them. */
  private void awaitExecutors() {
    while (spark.sc().statusTracker().getExecutorInfos().length <= executors) { // and the driver
      LockSupport.parkNanos(50_000_000);
    }
  }

  /** Returns the blocks of grids that executors hold. */
  int heldBlocks() {
    return executors().values().stream().mapToInt(Executor::blocks).sum();
  }

  /** Returns faces, marks and copies of cells that block managers have. */
  List<String> storedBlocks() {
    return blocks(true);
  }

  /** Returns those of them that the driver knows of. */
  List<String> toldBlocks() {
    return blocks(false);
  }

  private List<String> blocks(boolean asksExecutors) {
    Function1<BlockId, Object> ofGrids = (Function1<BlockId, Object> & Serializable) BlockId::isRDD;
    return CollectionConverters.asJava(
            spark.env().blockManager().master().getMatchingBlockIds(ofGrids, asksExecutors))
        .stream()
        .map(BlockId::name)
        .toList();
  }

  /** Waits until executors have nothing of any grid; they drop blocks in the background. */
  void awaitEmpty() throws InterruptedException {
    long start = System.nanoTime();
    int held = heldBlocks();
    List<String> stored = storedBlocks();
    while (held > 0 || !stored.isEmpty()) {
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .as("time in which executors hold %d blocks, and have %s", held, stored)
          .isLessThan(LONGEST_CLEANUP);
      Thread.sleep(50);
      held = heldBlocks();
      stored = storedBlocks();
    }
  }

  /** Returns the processes that run executors, also those that are just starting. */
  static List<ProcessHandle> processes() {
    return ProcessHandle.current()
        .children()
        .filter(ProcessHandle::isAlive)
        .filter(child -> child.info().command().filter(name -> name.endsWith("java")).isPresent())
        .filter(GridCluster::isOld) // Hadoop starts others, such as chmod, which begin as copies
        .toList();
  }

  private static boolean isOld(ProcessHandle process) {
    Instant second = Instant.now().minusSeconds(1);
    return process.info().startInstant().filter(start -> start.isBefore(second)).isPresent();
  }

  /** Returns the processes of executors, by preferred locations of tasks. */
  Map<String, ProcessHandle> processesByLocation(List<String> locations) {
    Map<String, Executor> all = executors();
    return locations.stream()
        .distinct()
        .collect(
            Collectors.toMap(
                location -> location,
                location ->
                    ProcessHandle.of(
                            all.get(location.substring(location.lastIndexOf('_') + 1)).pid())
                        .orElseThrow()));
  }

  @Override
  public void close() {
    session.stop();
  }
}

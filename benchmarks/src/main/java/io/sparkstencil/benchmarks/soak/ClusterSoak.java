/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.soak;

import com.sun.management.UnixOperatingSystemMXBean;
import io.sparkstencil.benchmarks.harness.EachExecutor;
import io.sparkstencil.benchmarks.harness.LocalSpark;
import io.sparkstencil.benchmarks.harness.ProcessMemory;
import io.sparkstencil.grid.CellChange;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.spark.grid.GridMetrics;
import io.sparkstencil.spark.grid.StencilGrid;
import io.sparkstencil.spark.grid.StencilGrids;
import io.sparkstencil.spark.grid.blocks.BlockRegistry;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import java.io.IOException;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.SparkSession;

/**
 * Grids whose faces are pushed between executors, in one application. While each of them takes its
 * steps, executors are killed by signal 9 at random moments, but one of them never: it and the
 * driver are looked at after each grid. Every result is compared.
 */
final class ClusterSoak {
  private static final int EXECUTORS = 3;
  private static final int BLOCKS = 6;
  private static final int MOST_MILLIS = 600;

  /** So that what a process grows by is not its heap, of which more pages are touched with time. */
  private static final String WHOLE_HEAP =
      "--add-modules=jdk.incubator.vector -Xms%dm -XX:+AlwaysPreTouch";

  private final SplittableRandom random;
  private final int megabytes;

  /**
   * Prepares the run.
   *
   * @param megabytes the memory of an executor
   */
  ClusterSoak(int megabytes, long seed) {
    this.megabytes = megabytes;
    this.random = new SplittableRandom(seed);
  }

  /**
   * What a process has in use.
   *
   * @param heapBytes of Java objects, after a collection
   * @param processBytes of physical memory
   * @param left blocks of grids, and faces, that are still there though no grid is
   */
  record ProcessLook(long heapBytes, long processBytes, long files, long threads, int left)
      implements Serializable {
    /** Looks at this process, when executors have dropped what nobody wants, as they soon do. */
    static ProcessLook here(boolean hasBlocks) throws IOException, InterruptedException {
      int left = hasBlocks ? countLeft() : 0;
      for (int i = 0; i < 500 && left > 0; i++) {
        Thread.sleep(20);
        left = countLeft();
      }
      for (int i = 0; i < 3; i++) {
        System.gc();
      }
      return new ProcessLook(
          ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
          ProcessMemory.bytes("VmRSS"),
          ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class)
              .getOpenFileDescriptorCount(),
          ManagementFactory.getThreadMXBean().getThreadCount(),
          left);
    }

    private static int countLeft() {
      return BlockRegistry.of(ExecutorRuntime.current()).count()
          + SparkEnv.get().blockManager().getMatchingBlockIds(id -> id.isRDD()).size();
    }
  }

  /**
   * What came of it.
   *
   * @param right the grids with right results
   * @param killed the executors
   * @param replayed the supersteps that blocks have taken again
   * @param pushed the faces that have come by pushes
   */
  record ClusterOutcome(
      int right,
      int killed,
      long replayed,
      long pushed,
      double seconds,
      List<ProcessLook> driver,
      List<ProcessLook> executor) {}

  /** Takes {@code grids} grids through so many supersteps each, and kills executors meanwhile. */
  ClusterOutcome run(int grids, int supersteps, int kills) throws Exception {
    if (!LocalSpark.startsExecutors()) {
      throw new IllegalStateException(
          "no executors can be started; set SPARK_HOME to a folder, and SPARK_SCALA_VERSION");
    }
    String master = "local-cluster[%d,1,%d]".formatted(EXECUTORS, megabytes);
    SparkSession spark =
        LocalSpark.session("cluster soak", master)
            .config("spark.stencil.cpu.vectors", "false") // slow in executors that live for seconds
            .config("spark.executor.extraJavaOptions", WHOLE_HEAP.formatted(megabytes))
            .getOrCreate();
    List<ProcessLook> driver = new ArrayList<>();
    List<ProcessLook> executor = new ArrayList<>();
    long replayed = 0;
    long pushed = 0;
    long start = System.nanoTime();
    try {
      spark.sparkContext().setLogLevel("OFF"); // of the losses
      String spared =
          EachExecutor.processes(spark.sparkContext(), EXECUTORS).keySet().iterator().next();
      for (int i = 0; i < grids; i++) {
        GridMetrics done = run(spark, spared, supersteps, kills);
        replayed += done.replayedSupersteps();
        pushed += done.faces().getOrDefault("pushed", 0L);
        driver.add(ProcessLook.here(false));
        executor.add(look(spark.sparkContext(), spared));
        System.out.printf(
            "grid %d: driver %s, executor %s%n", i, driver.get(i), executor.get(i)); // as it goes
      }
    } finally {
      spark.stop();
    }
    double seconds = (System.nanoTime() - start) * 1e-9;
    return new ClusterOutcome(grids, grids * kills, replayed, pushed, seconds, driver, executor);
  }

  private GridMetrics run(SparkSession spark, String spared, int supersteps, int kills)
      throws Exception {
    int dimensions = 1 + random.nextInt(3);
    ElementType type = random.nextBoolean() ? ElementType.F32 : ElementType.F64;
    Boundary boundary = random.nextBoolean() ? Boundary.WRAP : Boundary.REFLECT;
    StencilProgram program = GridSoak.heat(dimensions, boundary);
    Extent extent = GridSoak.extent(dimensions);
    int steps = 1 + random.nextInt(4);
    try (StencilGrid first =
        StencilGrids.builder(spark, program)
            .extent(extent.sizes().stream().mapToLong(Integer::longValue).toArray())
            .type(type)
            .field("u", GridSoak::first)
            .parameter("a", GridSoak.COEFFICIENT)
            .blocks(BLOCKS + random.nextInt(BLOCKS))
            .stepsPerExchange(steps)
            .create()) {
      StencilGrid grid = first;
      for (int part = 0; part < kills; part++) {
        CompletableFuture<Void> killed = kill(spark.sparkContext(), spared);
        grid = grid.step((long) steps * supersteps / kills);
        killed.get();
      }
      Object expected = GridSoak.expected(program, type, extent, grid.steps());
      if (CellChange.largest(grid.read("u"), expected) != 0) {
        throw new IllegalStateException(
            "%s, %s, %s cells, %d steps per exchange: wrong cells after %d steps"
                .formatted(program, type, extent, steps, grid.steps()));
      }
      return grid.metrics();
    }
  }

  /** Kills an executor other than one in a moment; returns what ends then. */
  private CompletableFuture<Void> kill(SparkContext spark, String spared) {
    Map<String, Long> all = EachExecutor.processes(spark, EXECUTORS);
    all.remove(spared);
    List<Long> others = List.copyOf(all.values());
    long victim = others.get(random.nextInt(others.size()));
    return CompletableFuture.runAsync(
        () -> ProcessHandle.of(victim).orElseThrow().destroyForcibly(),
        CompletableFuture.delayedExecutor(random.nextInt(MOST_MILLIS), TimeUnit.MILLISECONDS));
  }

  private static ProcessLook look(SparkContext spark, String executor) {
    return EachExecutor.ask(
            spark,
            EXECUTORS,
            () -> SparkEnv.get().executorId().equals(executor) ? ProcessLook.here(true) : null)
        .get(executor);
  }
}

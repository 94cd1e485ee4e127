/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.grid.blocks.BlockRegistry;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import io.sparkstencil.spark.plugin.IllegalAddress;
import io.sparkstencil.testkit.LeakCheck;
import io.sparkstencil.testkit.RequiresGpu;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Grids on executors with a GPU, and on some with and some without one, have the bits of the CPU.
 */
@RequiresGpu
@Timeout(180)
final class GridGpuSparkTest {
  @RegisterExtension
  final LeakCheck leaks =
      new LeakCheck().watch("handles", () -> CudaDriver.get().liveHandles().size());

  @BeforeAll
  static void stopOpen() {
    Sessions.stopOpen(); // budgets of memory and executors are settled when a session begins
  }

  @ParameterizedTest
  @CsvSource({"1, 1, reflect", "4, 3, wrap", "6, 8, constant:1", "12, 2, mirror", "37, 4, wrap"})
  void blocksStayOnTheGpu(int blocks, int steps, String boundary) throws Exception {
    WholeGrid whole = WholeGrid.heat(Boundary.parse(boundary));
    try (SparkSession spark = Sessions.local()) {
      try (StencilGrid grid =
          whole.builder(spark).engine("gpu").blocks(blocks).stepsPerExchange(steps).create()) {
        StencilGrid later = grid.step(5).step(16);

        assertThat(later.read("u")).isEqualTo(whole.after(21));
        assertThat(later.summarize("u")).isEqualTo(whole.summaryAfter(21));
        assertThat(later.metrics().engines()).containsExactly("gpu");
        assertThat(later.metrics().deviceBytes()).isGreaterThan(3L * 40 * 30 * Float.BYTES);
        assertThat(later.metrics().replayedSupersteps()).isZero();
      }
      while (BlockRegistry.of(ExecutorRuntime.current()).deviceBytes() > 0) {
        Thread.sleep(20); // executors drop blocks in the background
      }
    }
  }

  @Test
  void blocksOverTheBudgetComeAndGo() throws Exception {
    WholeGrid whole = WholeGrid.heat(Boundary.REFLECT);
    int budget = 10 << 10; // of each GPU; a block takes some 3 KB
    int gpus = CudaDriver.get().devices().size();
    try (SparkSession spark =
            Sessions.builder("local[2]")
                .config("spark.stencil.grid.deviceBytes", budget)
                .getOrCreate();
        StencilGrid grid =
            whole.builder(spark).engine("gpu").blocks(12).stepsPerExchange(2).create()) {
      StencilGrid later = grid.step(11);

      assertThat(later.read("u")).isEqualTo(whole.after(11));
      assertThat(later.metrics().engines()).containsExactly("gpu");
      assertThat(later.metrics().deviceBytes()).isBetween(1L, (long) gpus * budget);
      assertThat(BlockRegistry.of(ExecutorRuntime.current()).heapBytes()).isPositive();
    }
  }

  @Test
  void executorsWithAndWithoutGpuShareAGrid(@TempDir Path folder) throws IOException {
    WholeGrid whole = WholeGrid.heat(Boundary.WRAP);
    String once = folder.resolve("struck").toString();
    Path home = Path.of(System.getenv("SPARK_HOME"));
    Files.createDirectories(home.resolve("jars"));
    Files.createDirectories(home.resolve("launcher/target/scala-2.13"));
    try (SparkSession cluster =
        Sessions.builder("local-cluster[2,1,1024]")
            .config("spark.executor.memory", "1g")
            .config("spark.locality.wait", "3s")
            .config("spark.scheduler.minRegisteredResourcesRatio", "1")
            .config("spark.scheduler.maxRegisteredResourcesWaitingTime", "60s")
            .config("spark.stencil.gpu.onDeviceLost", "cpu")
            .config(
                "spark.executor.extraClassPath",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")))
            .getOrCreate()) {
      loseOneGpu(cluster, once);
      try (StencilGrid grid =
          whole.builder(cluster).engine("gpu").blocks(6).stepsPerExchange(2).create()) {
        StencilGrid later = grid.step(8).step(5);

        assertThat(later.read("u")).isEqualTo(whole.after(13));
        assertThat(Set.copyOf(later.executors())).hasSize(2);
        assertThat(later.metrics().engines()).containsExactlyInAnyOrder("cpu", "gpu");
        assertThat(later.metrics().deviceBytes()).isPositive();
      }
    }
  }

  /** Ends the use of GPUs in one of the executors: no context of its process answers. */
  private static void loseOneGpu(SparkSession cluster, String once) {
    new JavaSparkContext(cluster.sparkContext())
        .parallelize(IntStream.range(0, 4).boxed().toList(), 4)
        .foreach(
            any -> {
              if (isFirst(once)) {
                IllegalAddress.strike();
              }
            });
  }

  private static boolean isFirst(String file) {
    try {
      Files.createFile(Path.of(file));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.kernels.gpu.GpuOptions;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.Sessions;
import io.sparkstencil.testkit.RequiresGpu;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Grids on two GPUs of an executor, and on executors with a GPU each (or with the same one, if
 * there is no other), have the bits of the CPU, and faces come the short way.
 */
@RequiresGpu
@Timeout(180)
final class GridPeersGpuSparkTest {
  private static WholeGrid whole(int dimensions, String boundary) {
    return WholeGrid.heat(dimensions, ElementType.F32, Boundary.parse(boundary));
  }

  @ParameterizedTest
  @CsvSource({"1, 6, 4, reflect", "2, 8, 3, wrap", "3, 5, 2, reflect", "2, 2, 1, wrap"})
  void blocksOfOneExecutorReadBothGpus(int dimensions, int blocks, int steps, String boundary)
      throws IOException {
    int gpus = CudaDriver.get().devices().size();
    if (gpus < 2) {
      System.out.println("skipped: a grid on two GPUs needs two");
    }
    assumeTrue(gpus >= 2, "two GPUs");
    WholeGrid whole = whole(dimensions, boundary);
    try (SparkSession spark = Sessions.local();
        StencilGrid grid =
            whole.builder(spark).engine("gpu").blocks(blocks).stepsPerExchange(steps).create()) {
      StencilGrid later = grid.step(5).step(16);

      assertThat(later.read("u")).isEqualTo(whole.after(21));
      assertThat(later.metrics().engines()).containsExactly("gpu");
      assertThat(later.metrics().replayedSupersteps()).isZero();
      assertThat(later.metrics().faces()).containsKey("peer").doesNotContainKeys("heap", "log");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 4, 4, reflect, true",
    "2, 6, 3, wrap, true",
    "3, 5, 2, reflect, true",
    "2, 6, 3, wrap, false"
  })
  void executorsReadEachOthersGpus(
      int dimensions, int blocks, int steps, String boundary, boolean shares) throws Exception {
    WholeGrid whole = whole(dimensions, boundary);
    try (GridCluster cluster =
        new GridCluster(
            2,
            Map.of(
                "spark.stencil.grid.deviceBytes",
                "64m",
                GpuOptions.GRID_IPC.key(),
                Boolean.toString(shares)))) {
      giveGpus(cluster);
      try (StencilGrid grid =
          whole
              .builder(cluster.session())
              .engine("gpu")
              .blocks(blocks)
              .stepsPerExchange(steps)
              .create()) {
        StencilGrid before = grid.step(4L * steps);
        GridMetrics early = before.metrics();
        StencilGrid later = before.step(16L * steps);

        assertThat(later.read("u")).isEqualTo(whole.after(20L * steps));
        assertThat(later.metrics().engines()).containsExactly("gpu");
        if (shares) {
          assertThat(later.metrics().logBytes())
              .as("no face goes to the host once all are known to read what is shared")
              .isEqualTo(early.logBytes());
        }
        assertThat(later.metrics().deviceLogBytes()).as("kept on the GPUs").isPositive();
        assertThat(later.metrics().faces()).containsKey(shares ? "shared" : "log");
        assertThat(later.metrics().faces().containsKey("shared")).isEqualTo(shares);
        assertThat(later.metrics().replayedSupersteps()).isZero();

        GridCluster.processes().get(0).destroyForcibly(); // signal 9
        StencilGrid after = later.step(10L * steps);

        assertThat(after.read("u")).isEqualTo(whole.after(30L * steps));
        System.out.println("after the death of an executor: " + after.metrics());
      }
      cluster.awaitEmpty();
    }
  }

  /** Gives each executor a GPU of its own, if there are two, before it uses any. */
  private static void giveGpus(GridCluster cluster) {
    int gpus = CudaDriver.get().devices().size();
    String option = GpuOptions.DEVICE.key();
    Set<String> given = new TreeSet<>();
    while (given.size() < 2) {
      given.addAll(
          cluster
              .spark()
              .parallelize(IntStream.range(0, 16).boxed().toList(), 16)
              .map(
                  any -> {
                    Thread.sleep(20); // so that no executor does it all
                    SparkEnv here = SparkEnv.get();
                    int gpu = Integer.parseInt(here.executorId()) % gpus;
                    here.conf().set(option, Integer.toString(gpu));
                    return here.executorId();
                  })
              .collect());
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.testkit.LeakCheck;
import io.sparkstencil.testkit.RequiresGpu;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What can go wrong on a real GPU within one process; each test ends without a live handle. */
@RequiresGpu
@Timeout(120)
class FailureGpuTest {
  private static final int SERIES = 24;
  private static final List<Integer> EXPECTED = StencilWork.expected(SERIES);

  @RegisterExtension
  final LeakCheck leaks =
      new LeakCheck()
          .watch("handles", () -> CudaDriver.get().liveHandles().size())
          .watchThreads("stencil-");

  private JavaSparkContext spark;

  private void start(String... settings) {
    SparkConf conf =
        new SparkConf(false)
            .setMaster("local[4]")
            .setAppName("failures on a GPU")
            .set("spark.ui.enabled", "false")
            .set("spark.plugins", ProcessPlugin.class.getName())
            .set("spark.stencil.engine", "gpu")
            .set("spark.stencil.gpu.memoryWait", "200ms")
            .set("spark.stencil.shutdownTimeout", "20s");
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    spark = StencilWork.start(conf);
  }

  @AfterEach
  void stop() {
    if (spark != null) {
      ExecutorRuntime runtime = ExecutorRuntime.current();
      new LeakCheck()
          .watch("lanes of tasks", runtime::openLanes)
          .watch("permits", runtime::permits)
          .verify();
      spark.stop();
    }
  }

  private static long counter(String name) {
    return ExecutorRuntime.current().setup().registry().counter(name).getCount();
  }

  @ParameterizedTest
  @ValueSource(strings = {"400k", "900k"})
  void pinnedMemoryThatIsShortCostsNothingButTime(String bytes) {
    start("spark.stencil.gpu.pinnedBytes", bytes);
    assertThat(StencilWork.run(spark, SERIES, 4, FailureGpuTest::whileMemoryIsShort))
        .isEqualTo(EXPECTED);
    assertThat(counter("fallbacks.OUT_OF_DEVICE_MEMORY")).isPositive();
  }

  /**
   * Has tasks keep the memory of their first series until some task found none: on a busy machine
   * they would have it one after the other.
   */
  private static int whileMemoryIsShort(int number) {
    long start = System.nanoTime();
    while (number % (SERIES / 4) != 0
        && counter("fallbacks.OUT_OF_DEVICE_MEMORY") == 0
        && System.nanoTime() - start < TimeUnit.SECONDS.toNanos(10)) {
      LockSupport.parkNanos(1_000_000);
    }
    return number;
  }

  /** The partitions have 7.7 MB and the stencils two outputs; batches take turns in 2 MiB. */
  @Test
  void partitionsThatAreLargerThanTheDevicesMemoryStayOnTheDevice() {
    start("spark.stencil.gpu.deviceBytes", "2m", "spark.stencil.gpu.concurrentTasks", "1");
    assertThat(StencilWork.run(spark, SERIES, 1)).isEqualTo(EXPECTED);
    assertThat(counter("partitions.gpu")).isEqualTo(1);
    assertThat(counter("partitions.cpu")).isZero();
  }

  @Test
  void deviceMemoryThatHoldsNoBatchIsLeftToTheCpu() {
    start("spark.stencil.gpu.deviceBytes", "64k");
    assertThat(StencilWork.run(spark, SERIES, 4)).isEqualTo(EXPECTED);
    assertThat(counter("fallbacks.OUT_OF_DEVICE_MEMORY")).isPositive();
    assertThat(counter("partitions.cpu")).isEqualTo(4);
  }

  @Test
  void whatTheInputThrowsComesOut() {
    start();
    assertThatThrownBy(
            () ->
                StencilWork.run(
                    spark,
                    SERIES,
                    2,
                    number -> {
                      if (number == 9) {
                        throw new IllegalStateException("series 9 cannot be read");
                      }
                      return number;
                    }))
        .isInstanceOf(SparkException.class)
        .hasMessageContaining("series 9 cannot be read");
    assertThat(StencilWork.run(spark, SERIES, 2)).isEqualTo(EXPECTED);
    assertThat(counter("partitions.gpu")).isPositive();
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void killedTasksGiveEverythingBack(boolean interrupt) throws InterruptedException {
    start();
    spark.sc().setJobGroup("killed", "a job that is cancelled", interrupt);
    JavaFutureAction<List<Integer>> job = StencilWork.runAsync(spark, 40_000, 4);
    awaitWork();
    spark.sc().cancelJobGroup("killed");
    assertThatThrownBy(() -> job.get(30, TimeUnit.SECONDS)).isNotNull();
    spark.sc().clearJobGroup();
    assertThat(StencilWork.run(spark, SERIES, 4)).isEqualTo(EXPECTED);
  }

  @Test
  void stoppingSparkDuringWorkLeavesNothingOpen() throws InterruptedException {
    start();
    JavaFutureAction<List<Integer>> job = StencilWork.runAsync(spark, 40_000, 4);
    awaitWork();
    spark.stop();
    spark = null;
    assertThatThrownBy(() -> job.get(30, TimeUnit.SECONDS)).isNotNull();
  }

  private static void awaitWork() throws InterruptedException {
    while (ExecutorRuntime.current().openLanes() < 4) {
      Thread.sleep(5);
    }
    Thread.sleep(200);
  }
}

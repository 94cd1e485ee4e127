/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.testkit.Fault;
import io.sparkstencil.testkit.FaultPlan;
import io.sparkstencil.testkit.LeakCheck;
import java.util.List;
import java.util.concurrent.TimeUnit;
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

/** Every failure of an engine, in tasks of a real Spark with the plugin. */
@Timeout(120)
class FailureSparkTest {
  private static final FaultPlan PLAN = FaultPlan.ofProcess();
  private static final int SERIES = 12;
  private static final List<Integer> EXPECTED = StencilWork.expected(SERIES);

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck().watch(PLAN, true).watchThreads("stencil-");

  private JavaSparkContext spark;

  private void start(String... settings) {
    SparkConf conf =
        new SparkConf(false)
            .setMaster("local[2]")
            .setAppName("failures")
            .set("spark.ui.enabled", "false")
            .set("spark.plugins", ProcessPlugin.class.getName())
            .set("spark.stencil.warmUp", "false")
            .set("spark.stencil.shutdownTimeout", "20s");
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    spark = StencilWork.start(conf);
  }

  @AfterEach
  void stop() {
    try {
      if (spark != null) {
        ExecutorRuntime runtime = ExecutorRuntime.current();
        new LeakCheck()
            .watch("lanes of tasks", runtime::openLanes)
            .watch("permits", runtime::permits)
            .watch(PLAN, false)
            .verify();
      }
    } finally {
      if (spark != null) {
        spark.stop();
      }
      PLAN.reset();
    }
  }

  private static long counter(String name) {
    return ExecutorRuntime.current().setup().registry().counter(name).getCount();
  }

  @ParameterizedTest
  @CsvSource({
    "OPEN, UNAVAILABLE, ENGINE_UNAVAILABLE",
    "REASON, REFUSED, UNSUPPORTED",
    "COMPILE, NOT_COMPILED, KERNEL_COMPILATION",
    "OPEN_LANE, OUT_OF_MEMORY, OUT_OF_DEVICE_MEMORY",
    "LEASE, OUT_OF_MEMORY, OUT_OF_DEVICE_MEMORY",
    "SUBMIT, OUT_OF_MEMORY, OUT_OF_DEVICE_MEMORY",
    "AWAIT, OUT_OF_MEMORY, OUT_OF_DEVICE_MEMORY",
    "AWAIT, DEVICE_LOST, DEVICE_LOST"
  })
  void jobsAreRightWhereverTheEngineFails(
      Fault.EngineCall call, Fault.Symptom kind, ErrorCode code) {
    PLAN.enable(Fault.always(call, kind));
    start();
    assertThat(StencilWork.run(spark, SERIES, 4)).isEqualTo(EXPECTED);
    assertThat(counter("fallbacks." + code)).isPositive();
    assertThat(counter("partitions.faulty")).isZero();
  }

  @ParameterizedTest
  @CsvSource({"COMPILE", "OPEN_LANE", "LEASE", "SUBMIT", "AWAIT"})
  void jobsAreRightWhenADeviceIsLostInTheMiddle(Fault.EngineCall call) {
    PLAN.enable(Fault.at(call, Fault.Symptom.DEVICE_LOST, 4));
    start();
    assertThat(StencilWork.run(spark, SERIES, 4)).isEqualTo(EXPECTED);
    assertThat(counter("fallbacks.DEVICE_LOST")).isPositive();
    int openings = PLAN.calls(Fault.EngineCall.OPEN);
    assertThat(StencilWork.run(spark, SERIES, 4)).isEqualTo(EXPECTED);
    assertThat(PLAN.calls(Fault.EngineCall.OPEN))
        .as("the lost device is left alone")
        .isEqualTo(openings);
  }

  @Test
  void memoryThatIsShortForAWhileCostsNothingButTime() {
    PLAN.enable(new Fault(Fault.EngineCall.LEASE, Fault.Symptom.OUT_OF_MEMORY, 3, 2));
    start();
    assertThat(StencilWork.run(spark, SERIES, 4)).isEqualTo(EXPECTED);
    assertThat(counter("fallbacks.OUT_OF_DEVICE_MEMORY")).isEqualTo(2);
  }

  @Test
  void withoutFallbackTheTaskFailsWithTheReason() {
    PLAN.enable(Fault.always(Fault.EngineCall.COMPILE, Fault.Symptom.NOT_COMPILED));
    start("spark.stencil.fallback", "false");
    assertThatThrownBy(() -> StencilWork.run(spark, SERIES, 2))
        .isInstanceOf(SparkException.class)
        .hasMessageContaining("injected: NOT_COMPILED");
  }

  @Test
  void faultsOfTheLibraryFailTheTask() {
    PLAN.enable(Fault.always(Fault.EngineCall.SUBMIT, Fault.Symptom.INTERNAL));
    start();
    assertThatThrownBy(() -> StencilWork.run(spark, SERIES, 2))
        .isInstanceOf(SparkException.class)
        .hasMessageContaining("injected: INTERNAL");
  }

  @Test
  void whatTheInputThrowsComesOut() {
    PLAN.enable();
    start();
    assertThatThrownBy(
            () ->
                StencilWork.run(
                    spark,
                    SERIES,
                    2,
                    number -> {
                      if (number == 4) {
                        throw new IllegalStateException("series 4 cannot be read");
                      }
                      return number;
                    }))
        .isInstanceOf(SparkException.class)
        .hasMessageContaining("series 4 cannot be read");
    assertThat(StencilWork.run(spark, SERIES, 2)).isEqualTo(EXPECTED);
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void killedTasksGiveEverythingBack(boolean interrupt) throws InterruptedException {
    PLAN.enable();
    PLAN.setBatchMillis(50);
    start();
    spark.sc().setJobGroup("killed", "a job that is cancelled", interrupt);
    JavaFutureAction<List<Integer>> job = StencilWork.runAsync(spark, 400, 2);
    awaitBatches(4);
    spark.sc().cancelJobGroup("killed");
    assertThatThrownBy(() -> job.get(30, TimeUnit.SECONDS)).isNotNull();
    PLAN.setBatchMillis(0);
    spark.sc().clearJobGroup();
    assertThat(StencilWork.run(spark, SERIES, 2)).isEqualTo(EXPECTED);
  }

  @Test
  void stoppingSparkDuringWorkLeavesNothingOpen() throws InterruptedException {
    PLAN.enable();
    PLAN.setBatchMillis(50);
    start();
    JavaFutureAction<List<Integer>> job = StencilWork.runAsync(spark, 400, 2);
    awaitBatches(4);
    spark.stop();
    spark = null;
    assertThatThrownBy(() -> job.get(30, TimeUnit.SECONDS)).isNotNull();
    leaks.verify(); // before the plan is reset
  }

  private static void awaitBatches(int count) throws InterruptedException {
    while (PLAN.batches() < count) {
      Thread.sleep(5);
    }
  }

  @Test
  void aTaskThatWaitsForItsTurnCanBeKilled() throws InterruptedException {
    PLAN.enable();
    PLAN.setBatchMillis(50);
    start("spark.stencil.gpu.concurrentTasks", "1");
    spark.sc().setJobGroup("killed", "a job that is cancelled", false);
    JavaFutureAction<List<Integer>> job = StencilWork.runAsync(spark, 400, 2);
    awaitBatches(2);
    while (ExecutorRuntime.current().permits() < 2) {
      Thread.sleep(5); // until one works and one waits
    }
    spark.sc().cancelJobGroup("killed");
    assertThatThrownBy(() -> job.get(30, TimeUnit.SECONDS)).isNotNull();
  }

  @Test
  void tasksShareADeviceByTurnsAndUseSeveralDevices() {
    PLAN.enable();
    PLAN.setDevices(List.of("0", "1"));
    start("spark.stencil.gpu.concurrentTasks", "1");
    assertThat(StencilWork.run(spark, SERIES, 6)).isEqualTo(EXPECTED);
    assertThat(counter("partitions.faulty")).isEqualTo(6);
    assertThat(PLAN.openEngines()).isEqualTo(2);
    assertThat(counter("staged.bytes")).isGreaterThan(SERIES * 40_000L * Double.BYTES);
    assertThat(counter("device.kernelNanos")).isPositive();
    assertThat(ExecutorRuntime.current().setup().registry().meter("cells").getCount())
        .isGreaterThan(2L * SERIES * 40_000);
  }

  @Test
  void theEngineThatWasAskedForIsUsed() {
    PLAN.enable();
    start("spark.stencil.engine", "reference");
    assertThat(StencilWork.run(spark, SERIES, 2)).isEqualTo(EXPECTED);
    assertThat(counter("partitions.reference")).isEqualTo(2);
    assertThat(PLAN.calls(Fault.EngineCall.OPEN)).isZero();
  }

  @Test
  void anEngineThatIsNotThereFailsTheQuery() {
    start("spark.stencil.engine", "faulty");
    assertThatThrownBy(() -> StencilWork.run(spark, SERIES, 2))
        .isInstanceOf(SparkException.class)
        .hasMessageContaining("no test has enabled it");
  }

  @Test
  void warmUpOpensEnginesBeforeTheFirstTask() throws InterruptedException {
    PLAN.enable();
    start("spark.stencil.warmUp", "true");
    awaitBatches(1);
    assertThat(PLAN.openEngines()).isEqualTo(1);
    assertThat(StencilWork.run(spark, SERIES, 2)).isEqualTo(EXPECTED);
    assertThat(PLAN.calls(Fault.EngineCall.OPEN)).isEqualTo(1);
  }

  @Test
  void worksWithoutThePluginAndEndsWithTheApplication() {
    PLAN.enable();
    start("spark.plugins", "");
    assertThat(StencilWork.run(spark, SERIES, 2)).isEqualTo(EXPECTED);
    assertThat(counter("partitions.faulty")).isEqualTo(2);
  }

  @Test
  void wrongOptionsStopTheApplication() {
    assertThatThrownBy(() -> start("spark.stencil.gpu.concurrentTask", "2"))
        .hasStackTraceContaining("did you mean spark.stencil.gpu.concurrentTasks?");
    spark = null;
  }
}

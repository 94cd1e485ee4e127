/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.testkit.FaultPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An executor that loses its device ends, is replaced, and the job is right. */
class DeviceLostClusterSparkTest {
  private static final int SERIES = 16;

  @TempDir Path folder;

  /** Executors as the driver sees them come and go. */
  private static final class Executors extends SparkListener {
    private final Queue<String> added = new ConcurrentLinkedQueue<>();
    private final Queue<String> removed = new ConcurrentLinkedQueue<>();

    @Override
    public void onExecutorAdded(SparkListenerExecutorAdded event) {
      added.add(event.executorId());
    }

    @Override
    public void onExecutorRemoved(SparkListenerExecutorRemoved event) {
      removed.add(event.reason());
    }
  }

  private JavaSparkContext cluster(String faults, String... settings) throws IOException {
    Path home = Path.of(System.getenv("SPARK_HOME"));
    Files.createDirectories(home.resolve("jars"));
    Files.createDirectories(home.resolve("launcher/target/scala-2.13"));
    SparkConf conf =
        new SparkConf(false)
            .setMaster("local-cluster[2,1,1024]")
            .setAppName("device lost")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.executor.memory", "1g")
            .set(
                "spark.executor.extraClassPath",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")))
            .set("spark.plugins", "io.sparkstencil.spark.StencilPlugin")
            .set("spark.stencil.warmUp", "false")
            .set(
                "spark.executor.extraJavaOptions",
                "-D%s=%s -D%s=%s"
                    .formatted(
                        FaultPlan.PROPERTY,
                        faults,
                        FaultPlan.ONCE_PROPERTY,
                        folder.resolve("struck")));
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    return StencilWork.start(conf);
  }

  @Test
  @Timeout(150)
  void theExecutorExitsWithItsCodeAndAnotherOneFinishesTheJob() throws Exception {
    Executors executors = new Executors();
    try (JavaSparkContext spark = cluster("AWAIT:DEVICE_LOST:3:1")) {
      spark.sc().addSparkListener(executors);
      assertThat(StencilWork.run(spark, SERIES, 8)).isEqualTo(StencilWork.expected(SERIES));
      assertThat(folder.resolve("struck")).exists();
      spark.sc().listenerBus().waitUntilEmpty(30_000);
      assertThat(executors.removed).hasSize(1);
      assertThat(executors.removed.peek()).contains("code " + DeviceLoss.EXIT_CODE);
      while (spark.sc().statusTracker().getExecutorInfos().length < 3) {
        Thread.sleep(50); // the driver and two executors, one of them new
      }
      assertThat(StencilWork.run(spark, SERIES, 8)).isEqualTo(StencilWork.expected(SERIES));
      assertThat(executors.removed).hasSize(1);
    }
  }

  @Test
  @Timeout(150)
  void theExecutorStaysWhereThatIsWanted() throws Exception {
    Executors executors = new Executors();
    try (JavaSparkContext spark =
        cluster("AWAIT:DEVICE_LOST:3:1", "spark.stencil.gpu.onDeviceLost", "cpu")) {
      spark.sc().addSparkListener(executors);
      List<Integer> results = StencilWork.run(spark, SERIES, 8);
      assertThat(results).isEqualTo(StencilWork.expected(SERIES));
      assertThat(folder.resolve("struck")).exists();
      spark.sc().listenerBus().waitUntilEmpty(30_000);
      assertThat(executors.removed).isEmpty();
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.spark.Sessions;
import io.sparkstencil.testkit.LiveFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;

/** Executors in processes of their own, with the plugin, and what becomes of them. */
final class LocalCluster implements AutoCloseable {
  /** Executors as the driver sees them come and go. */
  private static final class Watcher extends SparkListener {
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

  private final Watcher watcher = new Watcher();
  private final JavaSparkContext spark;

  /**
   * Starts two executors.
   *
   * @param cores of each
   * @param javaOptions of the executors' JVMs
   * @param settings keys and values of Spark's configuration
   */
  LocalCluster(int cores, String javaOptions, String... settings) throws IOException {
    this("local-cluster[2,%d,1024]".formatted(cores), javaOptions, settings);
  }

  /** Starts executors on the workers of {@code master}. */
  LocalCluster(String master, String javaOptions, String... settings) throws IOException {
    Path home = home();
    Files.createDirectories(home.resolve("jars"));
    Files.createDirectories(home.resolve("launcher/target/scala-2.13"));
    SparkConf conf =
        new SparkConf(false)
            .setMaster(master)
            .setAppName("local cluster")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.executor.memory", "1g")
            .set("spark.scheduler.minRegisteredResourcesRatio", "1")
            .set("spark.scheduler.maxRegisteredResourcesWaitingTime", "60s")
            .set(
                "spark.executor.extraClassPath",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")))
            .set("spark.plugins", ProcessPlugin.class.getName())
            .set("spark.stencil.warmUp", "false")
            .set("spark.executor.extraJavaOptions", Sessions.SHORT_RUN + " " + javaOptions);
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    spark = StencilWork.start(conf);
    spark.sc().addSparkListener(watcher);
  }

  private static Path home() {
    return Path.of(System.getenv("SPARK_HOME"));
  }

  JavaSparkContext spark() {
    return spark;
  }

  /** Returns why executors have ended, as far as the driver knows by now. */
  List<String> removed() throws Exception {
    spark.sc().listenerBus().waitUntilEmpty(30_000);
    return new ArrayList<>(watcher.removed);
  }

  /** Waits until there are two executors again. */
  void awaitExecutors() throws InterruptedException {
    while (spark.sc().statusTracker().getExecutorInfos().length < 3) {
      Thread.sleep(50); // the driver and two executors
    }
  }

  /** Returns the lines that executors of this application have logged so far. */
  List<String> logged() throws IOException {
    Path work = home().resolve("work").resolve(spark.sc().applicationId());
    List<String> lines = new ArrayList<>();
    for (Path file : LiveFolder.files(work)) {
      if (file.endsWith("stderr")) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    return lines;
  }

  @Override
  public void close() {
    spark.close();
  }
}

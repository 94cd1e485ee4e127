/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Spark on this machine, and how long its queries take. */
public final class LocalSpark {
  private static final Pattern CLUSTER = Pattern.compile("local-cluster\\[\\d+,\\d+,(\\d+)]");

  private LocalSpark() {}

  /**
   * Returns the configuration of a Spark without a user interface. Executors of a {@code
   * local-cluster} have the classes of this process and all memory of their workers. Tests have
   * more options for their JVMs, which live for seconds: {@code -Dstencil.executor.options}.
   */
  public static SparkConf conf(String name, String master) {
    SparkConf conf = new SparkConf(false);
    Matcher cluster = CLUSTER.matcher(master);
    if (cluster.matches()) {
      conf.set("spark.executor.memory", cluster.group(1) + "m")
          .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
          .set(
              "spark.executor.extraJavaOptions",
              "--add-modules=jdk.incubator.vector "
                  + System.getProperty("stencil.executor.options", ""))
          .set("spark.scheduler.minRegisteredResourcesRatio", "1");
    }
    return conf.setMaster(master)
        .setAppName(name)
        .set("spark.ui.enabled", "false")
        .set("spark.log.level", "ERROR")
        .set("spark.driver.host", "127.0.0.1")
        .set("spark.driver.bindAddress", "127.0.0.1");
  }

  /**
   * Makes the folders in which the processes of a {@code local-cluster} look for Spark.
   *
   * @return whether this process may start some: the environment has SPARK_HOME
   */
  public static boolean startsExecutors() throws IOException {
    String home = System.getenv("SPARK_HOME");
    if (home != null) {
      Files.createDirectories(Path.of(home, "jars"));
      Files.createDirectories(Path.of(home, "launcher/target/scala-2.13"));
    }
    return home != null;
  }

  /** Returns a builder of sessions with that configuration. */
  public static SparkSession.Builder session(String name, String master) {
    return SparkSession.builder().config(conf(name, master));
  }

  /** Writes a table as Parquet, unless it is there. */
  public static void writeOnce(String file, Dataset<Row> table) {
    if (!Files.exists(Path.of(file, "_SUCCESS"))) {
      table.write().mode("overwrite").parquet(file);
    }
  }

  /** Returns the seconds in which {@code query} runs into a sink that drops its rows. */
  public static double seconds(Dataset<Row> query) {
    return Turns.seconds(() -> query.write().format("noop").mode("overwrite").save());
  }

  /**
   * Returns a number that depends on every value of the rows, and not on their order.
   *
   * @param columns the columns, separated by commas
   */
  public static long digest(Dataset<Row> query, String columns) {
    return query.selectExpr("bit_xor(xxhash64(%s))".formatted(columns)).first().getLong(0);
  }
}

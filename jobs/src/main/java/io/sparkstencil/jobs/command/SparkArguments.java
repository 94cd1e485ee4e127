/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.command;

import io.sparkstencil.engine.EngineProvider;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.jobs.files.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import scala.Tuple2;

/** How Spark is reached: the options that all commands share. */
public final class SparkArguments {
  /** After the options of the command itself in its help. */
  private static final int LAST = 1;

  /** Set by the launcher where the error stream is a terminal. Java itself cannot tell. */
  private static final String TERMINAL = "STENCIL_TERMINAL";

  private static final String LOCAL_FOLDERS = "SPARK_LOCAL_DIRS";

  @Option(
      names = "--conf",
      order = LAST,
      paramLabel = "K=V",
      description = "A Spark configuration value, such as spark.driver.memory=8g; repeatable.")
  private Map<String, String> conf = new LinkedHashMap<>();

  @Option(
      names = "--master",
      order = LAST,
      paramLabel = "URL",
      description = "Submit to this Spark master instead of running Spark in this process.")
  private String master;

  @Option(names = "--verbose", order = LAST, description = "Show stack traces.")
  private boolean verbose;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  private boolean startedHere;

  public boolean verbose() {
    return verbose;
  }

  /** Returns whether Spark runs elsewhere: a master was named, or spark-submit was given one. */
  public boolean onCluster() {
    String submitted = System.getProperty("spark.master");
    return master != null || (submitted != null && !submitted.startsWith("local"));
  }

  /** Returns whether notes are read at a terminal, where a line can be written again. */
  public boolean onTerminal() {
    return System.getenv(TERMINAL) != null;
  }

  /** Tells the user something that is no error. */
  void note(String text) {
    command.commandLine().getErr().println("stencil: note: " + text);
  }

  /** Returns whether a command has had Spark run in this process. */
  public boolean startedHere() {
    return startedHere;
  }

  /**
   * Opens Spark: the session of spark-submit if it started us, else one in this process.
   *
   * @param suited values that suit the job; those given by {@code --conf} win
   * @throws StencilException if Spark cannot work on this JVM, or not be reached
   */
  public SparkRun open(String applicationName, Map<String, String> suited) {
    HadoopOnJava.require();
    boolean running = SparkEnv.get() != null;
    Map<String, String> values = new HashMap<>(suited);
    values.put("spark.ui.showConsoleProgress", Boolean.toString(onTerminal()));
    // Times without a zone are read and written as they stand, whatever the machine's zone.
    values.put("spark.sql.session.timeZone", "UTC");
    SparkSession.Builder builder = SparkSession.builder().appName(applicationName);
    if (System.getProperty("spark.master") == null) {
      builder.master(master == null ? "local[*]" : master);
      startedHere = isHere();
      if (!running && isHere() && !choosesLocalFolders()) {
        temporaryFolder().ifPresent(folder -> values.put("spark.local.dir", folder.toString()));
      }
      values.put("spark.ui.enabled", "false");
      // A task without memory fails the job, which says so; Spark would end this process at once.
      values.put("spark.executor.killOnFatalError.depth", "0");
    }
    values.keySet().removeIf(key -> System.getProperty(key) != null);
    values.putAll(conf);
    values.forEach(builder::config);
    try {
      return new SparkRun(builder.getOrCreate(), !running);
    } catch (RuntimeException e) {
      String where = values.getOrDefault("spark.master", System.getProperty("spark.master"));
      if (where == null || where.startsWith("local")) {
        throw e;
      }
      throw new StencilException(
          ErrorCode.ENGINE_UNAVAILABLE,
          "Spark cannot be started on %s (%s); check that a Spark master of the same version is running there"
              .formatted(where, e.getMessage()),
          e);
    }
  }

  private boolean isHere() {
    return master == null || master.matches("local(\\[.*\\])?");
  }

  private boolean choosesLocalFolders() {
    return System.getenv(LOCAL_FOLDERS) != null || sparkConf().contains("spark.local.dir");
  }

  /** Returns a folder for what Spark keeps on disk in this process; nothing leaves it to Spark. */
  private Optional<Path> temporaryFolder() {
    try {
      return Optional.of(
          TemporaryFolder.make(Path.of(System.getProperty("java.io.tmpdir")), this::note));
    } catch (IOException e) {
      return Optional.empty(); // Spark will say that it cannot write there
    }
  }

  /** Returns Spark's configuration as it will be, before Spark is started. */
  public SparkConf sparkConf() {
    SparkConf all = new SparkConf();
    conf.forEach(all::set);
    return all;
  }

  /**
   * Returns the values of {@code spark.stencil.*} keys, for engines that are opened without Spark.
   *
   * @param device the device to open them on; null for that of the configuration
   */
  public Map<String, String> engineOptions(String device) {
    Map<String, String> values = new HashMap<>();
    for (Tuple2<String, String> each : sparkConf().getAll()) {
      if (each._1.startsWith("spark.stencil.")) {
        values.put(each._1, each._2);
      }
    }
    if (device != null) {
      values.put(EngineProvider.DEVICE_OPTION, device);
    }
    return values;
  }

  /** Returns the folders where Spark keeps what it shuffles, on this machine. */
  public List<String> localFolders() {
    String given = System.getenv(LOCAL_FOLDERS);
    String folders =
        given != null
            ? given
            : sparkConf().get("spark.local.dir", System.getProperty("java.io.tmpdir"));
    return List.of(folders.split(","));
  }

  /**
   * Returns the file systems' configuration as Spark will see it, before Spark is started.
   *
   * @throws StencilException if Hadoop cannot reach files on this JVM
   */
  public Configuration hadoopConfiguration() {
    HadoopOnJava.require();
    return SparkHadoopUtil.get().newConfiguration(sparkConf());
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Spark's own cluster manager on this machine: a master and workers, each a process of its own, and
 * applications that are submitted to them. Their Spark is a folder of links to the jars on this
 * process's class path, without those of this project, so that an application brings its own.
 */
public final class StandaloneCluster implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;
  private static final Pattern MASTER = Pattern.compile("spark://127\\.0\\.0\\.1:\\d+");
  private static final String HOST = "127.0.0.1";

  /**
   * A process that has ended.
   *
   * @param exitCode what it returned
   * @param output what it wrote, errors among the rest
   */
  public record Ended(int exitCode, String output) {}

  private final Path folder;
  private final Path home;
  private final List<Process> processes = new ArrayList<>();
  private final String url;
  private int workers;

  /** Starts a master; everything is kept below {@code folder}. */
  public StandaloneCluster(Path folder) throws IOException, InterruptedException {
    this.folder = folder;
    this.home = folder.resolve("spark");
    Files.createDirectories(home.resolve("jars"));
    for (Path jar : jars()) {
      Path link = home.resolve("jars").resolve(jar.getFileName());
      if (!Files.exists(link)) {
        Files.createSymbolicLink(link, jar.toAbsolutePath());
      }
    }
    Path log = folder.resolve("master.log");
    try {
      List<String> command = java("512m", "org.apache.spark.deploy.master.Master");
      command.addAll(List.of("--host", HOST, "--port", "0", "--webui-port", "0"));
      start(command, Map.of(), log);
      this.url = awaitText(log, MASTER);
    } catch (IOException | InterruptedException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Returns the jars that an installed Spark would have. */
  private static List<Path> jars() {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Arrays.stream(classPath.split(File.pathSeparator))
        .map(Path::of)
        .filter(path -> path.toString().endsWith(".jar"))
        .filter(path -> !path.getFileName().toString().startsWith("spark-stencil"))
        .toList();
  }

  /** Returns the master's address, {@code spark://...}. */
  public String url() {
    return url;
  }

  /**
   * Starts a worker and waits until the master knows it.
   *
   * @param host the address by which it is known: {@code 127.0.0.1}, or another one of this machine
   * @param cores what it offers
   * @param memory what it offers, such as {@code 1g}
   * @param script what is sourced before, as {@code spark-env.sh} is, or null
   * @param environment further variables
   */
  public void startWorker(
      String host, int cores, String memory, Path script, Map<String, String> environment)
      throws IOException, InterruptedException {
    int number = workers++;
    List<String> worker = java("512m", "org.apache.spark.deploy.worker.Worker");
    // As Spark's start-worker.sh does: SPARK_WORKER_OPTS are options of the JVM.
    String words = String.join(" ", worker.subList(1, worker.size()));
    String line =
        "%s exec %s $SPARK_WORKER_OPTS %s --host %s --webui-port 0 --cores %d --memory %s --work-dir %s %s"
            .formatted(
                script == null ? "" : ". " + script + " &&",
                worker.get(0),
                words,
                host,
                cores,
                memory,
                folder.resolve("work-" + number),
                url);
    Path log = folder.resolve("worker-%d.log".formatted(number));
    start(List.of("bash", "-c", line), environment, log);
    awaitText(log, Pattern.compile("Successfully registered with master"));
  }

  /**
   * Submits an application, with these arguments of {@code spark-submit}, and waits for its end.
   */
  public Ended submit(List<String> arguments, long seconds)
      throws IOException, InterruptedException {
    List<String> command = java("1g", "org.apache.spark.deploy.SparkSubmit");
    command.addAll(List.of("--master", url, "--conf", "spark.driver.host=" + HOST));
    command.addAll(arguments);
    Path log = Files.createTempFile(folder, "submit", ".log");
    Process process = start(command, Map.of(), log);
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException(
          "the application has not ended after %d s:%n%s".formatted(seconds, said(log)));
    }
    return new Ended(process.exitValue(), Files.readString(log));
  }

  /** Returns what all processes have written, for messages of tests. */
  public String logs() {
    try {
      StringBuilder text = new StringBuilder();
      for (Path file : LiveFolder.files(folder)) {
        if (file.toString().endsWith(".log") || file.endsWith("stderr")) {
          text.append("== ").append(file).append('\n').append(said(file)).append('\n');
        }
      }
      return text.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Processes live for seconds: compiling code well costs them more than it gains. */
  private List<String> java(String heap, String main) {
    String path = home.resolve("conf") + File.pathSeparator + home.resolve("jars") + "/*";
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // The modules that Spark needs are open in this process.
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-"))
        .forEach(command::add);
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-Xmx" + heap, "-cp", path, main));
    return command;
  }

  private Process start(List<String> command, Map<String, String> environment, Path log)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().put("SPARK_HOME", home.toString());
    builder.environment().put("SPARK_SCALA_VERSION", "2.13"); // as bin/load-spark-env.sh does
    builder.environment().put("SPARK_LOCAL_IP", HOST);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    processes.add(process);
    return process;
  }

  private static String awaitText(Path log, Pattern wanted)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (System.nanoTime() < deadline) {
      Matcher matcher = wanted.matcher(said(log));
      if (matcher.find()) {
        return matcher.group();
      }
      Thread.sleep(50);
    }
    throw new IllegalStateException("no \"%s\" in %s:%n%s".formatted(wanted, log, said(log)));
  }

  private static String said(Path log) throws IOException {
    return Files.exists(log) ? Files.readString(log) : "";
  }

  /** Ends all processes, those started last first. */
  @Override
  public void close() {
    for (int i = processes.size() - 1; i >= 0; i--) {
      Process process = processes.get(i);
      List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
      all.add(process.toHandle());
      all.forEach(ProcessHandle::destroy);
      for (ProcessHandle each : all) {
        each.onExit().completeOnTimeout(each, 10, TimeUnit.SECONDS).join();
        each.destroyForcibly(); // of no effect on one that has ended
      }
    }
    processes.clear();
    deleteLinks();
  }

  private void deleteLinks() {
    try (Stream<Path> links = Files.list(home.resolve("jars"))) {
      for (Path link : links.toList()) {
        Files.delete(link);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

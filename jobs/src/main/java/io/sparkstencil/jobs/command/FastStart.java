/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.command;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileUtil;

/**
 * The archive of loaded classes by which later runs of {@code bin/stencil} start sooner: the
 * classes of a small job, for one JVM and one build. The launcher names it where it is not there
 * yet; it is made after a command that has run Spark, whose results are there by then.
 *
 * @param archive the file, {@code stencil-BUILD-JVM.jsa}
 * @param command how the small job is started, up to the folder that its files go to
 */
public record FastStart(Path archive, List<String> command) {
  /** The system property by which the launcher names the archive. */
  static final String PROPERTY = "stencil.archive";

  /**
   * Options that say how classes are found and compiled, and how memory is laid out. No other
   * option of a JVM is handed on: many open a port, or write a file, that the JVM before may still
   * have.
   */
  private static final Pattern OF_EACH_JVM =
      Pattern.compile(
          "--(add-|enable-|limit-|patch-|upgrade-|illegal-).*|-XX:\\+IgnoreUnrecognizedVMOptions|-XX:Tier\\d.*|-XX:[+-]Use.*|-D.*");

  /** Properties by which a JVM can be reached, or that name a file of this one alone. */
  private static final Pattern OF_THIS_JVM_ALONE =
      Pattern.compile(
          "-D(%s|com\\.sun\\.management|java\\.rmi\\.|jdk\\.|sun\\.rmi\\.|log4j2?\\.|spark\\.).*"
              .formatted(Pattern.quote(PROPERTY)));

  /** What the launcher itself says of logs and reflection. */
  private static final Pattern OF_THE_LAUNCHER =
      Pattern.compile(
          "-Dlog4j2\\.configurationFile=file:.*/conf/log4j2\\.properties|-Djdk\\.reflect\\.useDirectMethodHandle=.*");

  /** Variables whose options every JVM takes, beside those of its command. */
  private static final List<String> VARIABLES =
      List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

  /** Codes of processes that a signal has ended are above this. */
  private static final int FIRST_SIGNAL = 128;

  private static final String TRAINING = "examples/data/seattle-weather.csv";

  /** Makes the archive that the launcher asks for, if it does, and says so. */
  public static void prepare(String mainClass, PrintWriter err) {
    String archive = System.getProperty(PROPERTY);
    String home = System.getenv("STENCIL_HOME");
    if (archive != null && home != null) {
      new FastStart(Path.of(archive), command(mainClass, Path.of(home, TRAINING))).make(err);
    }
  }

  private static List<String> command(String mainClass, Path training) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(handedOn(ManagementFactory.getRuntimeMXBean().getInputArguments()));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
    command.addAll(List.of("apply", "--input", training.toString(), "--order-by", "date"));
    command.addAll(List.of("--column", "temp_max", "--op", "mean", "--radius", "1"));
    return command;
  }

  /** Returns those options of this JVM that another may have at the same time. */
  static List<String> handedOn(List<String> options) {
    return options.stream()
        .filter(
            each ->
                OF_THE_LAUNCHER.matcher(each).matches()
                    || (OF_EACH_JVM.matcher(each).matches()
                        && !OF_THIS_JVM_ALONE.matcher(each).matches()))
        .toList();
  }

  /**
   * Makes the archive, unless another process does. What fails leaves an empty file, so that it is
   * not tried again; what is interrupted leaves none.
   */
  void make(PrintWriter err) {
    Path folder = archive.toAbsolutePath().getParent();
    try (FileChannel file =
            FileChannel.open(
                folder.resolve("stencil-archive.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = file.tryLock()) {
      if (lock == null || Files.exists(archive)) {
        return;
      }
      err.println(
          "stencil: preparing fast starts, once after each build (takes half a minute; Ctrl-C leaves it to a later run)");
      removeOlder(folder);
      make(folder.resolve("stencil-archive"));
    } catch (IOException e) {
      err.println("stencil: no fast starts could be prepared: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void make(Path work) throws IOException, InterruptedException {
    FileUtil.fullyDelete(work.toFile()); // of a run that was killed
    Files.createDirectories(work);
    Path classes = work.resolve("classes.jsa");
    ProcessBuilder builder =
        new ProcessBuilder(arguments(classes))
            .redirectErrorStream(true)
            .redirectOutput(work.resolve("log").toFile())
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    builder.environment().keySet().removeAll(VARIABLES); // this JVM has them among its options
    Process job = builder.start();
    Thread stop = new Thread(() -> stop(job, work.toFile()), "stencil-archive-stop");
    Runtime.getRuntime().addShutdownHook(stop);
    int code = job.waitFor();
    try {
      Runtime.getRuntime().removeShutdownHook(stop);
    } catch (IllegalStateException e) {
      return; // this process ends, and the hook removes what is there
    }
    if (code == ExitCode.DONE && Files.exists(classes)) {
      Files.move(classes, archive, StandardCopyOption.ATOMIC_MOVE);
    } else if (code < FIRST_SIGNAL) {
      Files.createFile(archive);
    }
    FileUtil.fullyDelete(work.toFile());
  }

  private List<String> arguments(Path classes) {
    List<String> arguments = new ArrayList<>(command);
    arguments.add(1, "-XX:ArchiveClassesAtExit=" + classes);
    Path folder = classes.getParent();
    arguments.addAll(List.of("--output", folder.resolve("table.csv").toString()));
    arguments.addAll(List.of("--plot", folder.resolve("plot.png").toString()));
    return arguments;
  }

  private static void stop(Process job, File work) {
    job.destroyForcibly().onExit().join();
    FileUtil.fullyDelete(work);
  }

  /** Removes the archives of older builds, whichever JVM they are for. */
  private void removeOlder(Path folder) throws IOException {
    String name = archive.getFileName().toString();
    String build = name.substring(0, name.lastIndexOf('-') + 1);
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "stencil-*.jsa")) {
      for (Path each : all) {
        if (!each.getFileName().toString().startsWith(build)) {
          Files.deleteIfExists(each);
        }
      }
    }
  }
}

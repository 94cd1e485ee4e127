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

  /** What the launcher gives its JVM that is of no use to a JVM that only loads classes. */
  private static final List<String> OF_THIS_JVM_ALONE =
      List.of("-D" + PROPERTY, "-Xmx", "-Xms", "-javaagent:", "-agentlib:", "-agentpath:");

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
    for (String each : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (OF_THIS_JVM_ALONE.stream().noneMatch(each::startsWith)) {
        command.add(each);
      }
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
    command.addAll(List.of("apply", "--input", training.toString(), "--order-by", "date"));
    command.addAll(List.of("--column", "temp_max", "--op", "mean", "--radius", "1"));
    return command;
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
    Process job =
        new ProcessBuilder(arguments(classes))
            .redirectErrorStream(true)
            .redirectOutput(work.resolve("log").toFile())
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .start();
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

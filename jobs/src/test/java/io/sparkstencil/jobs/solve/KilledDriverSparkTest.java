/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.jobs.CommandRun;
import io.sparkstencil.jobs.StencilCommand;
import io.sparkstencil.jobs.TestSpark;
import io.sparkstencil.jobs.files.TemporaryFolder;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A driver that is killed with signal 9, and another that goes on from its last checkpoint. */
final class KilledDriverSparkTest {
  @RegisterExtension static final TestSpark SPARK = new TestSpark();

  private static final int KILLS = Integer.getInteger("stencil.test.torture.kills", 1);

  @TempDir private Path folder;

  @Test
  @Timeout(900)
  void aResumedRunHasTheBitsOfAnUndisturbedOne() throws Exception {
    Random random = new Random(9);
    for (int kill = 0; kill < KILLS; kill++) {
      killAndGoOn(60 + random.nextInt(300), random.nextInt(50), folder.resolve("kill" + kill));
    }
  }

  private void killAndGoOn(int step, int millis, Path place) throws Exception {
    Path kept = place.resolve("kept");
    Path whole = place.resolve("whole.npy");
    Path resumed = place.resolve("resumed.npy");
    String options = "solve --equation wave --grid 24x20 --blocks 2 --steps-per-exchange 2 ";
    String checkpoints = "--every 3 --checkpoint " + kept;

    Process driver =
        start(
            place,
            options + "--master local[1] --steps 10000000 --output " + resumed + " " + checkpoints);
    long reached = 0;
    while (reached < step) {
      assertThat(driver.isAlive()).isTrue();
      Thread.sleep(20);
      reached = lastCheckpoint(kept);
    }
    Thread.sleep(millis);
    CommandRun refused = CommandRun.of((options + "--steps 9 " + checkpoints).split(" "));
    assertThat(refused.err()).contains("belongs to run", "process " + driver.pid(), "since");
    driver.destroyForcibly().waitFor(); // signal 9
    List<String> notes = new ArrayList<>();
    TemporaryFolder.make(place.resolve("tmp"), notes::add);
    assertThat(notes).hasSize(1).first().asString().startsWith("removed " + place.resolve("tmp"));
    long steps = lastCheckpoint(kept) + 20;
    assertThat(hidden(place)).hasSize(1);
    assertDone(
        "stencil: note: removed .*/%s, which a run that was killed has left%n"
            .formatted(Pattern.quote(hidden(place).get(0))),
        options
            + "--steps %d --resume %s --output %s ".formatted(steps, kept, resumed)
            + checkpoints);
    assertThat(hidden(place)).isEmpty();
    assertDone("", options + "--steps %d --output %s".formatted(steps, whole));

    assertThat(resumed).hasSameBinaryContentAs(whole);
  }

  /** Returns what lies hidden beside the outputs. */
  private static List<String> hidden(Path place) throws IOException {
    try (Stream<Path> files = Files.list(place)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("."))
          .toList();
    }
  }

  private static Process start(Path place, String arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add("-Djava.io.tmpdir=" + Files.createDirectories(place.resolve("tmp")));
    command.addAll(List.of("-cp", classPath(), StencilCommand.class.getName()));
    command.addAll(Arrays.asList(arguments.split(" ")));
    Path log = place.resolve("driver.log");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().remove("SPARK_LOCAL_DIRS");
    return builder.start();
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /** Returns the steps up to the latest checkpoint, complete or not; 0 if there is none. */
  private static long lastCheckpoint(Path kept) throws IOException {
    try (Stream<Path> files = Files.list(kept)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("step-"))
          .mapToLong(name -> Long.parseLong(name.split("-")[1]))
          .max()
          .orElse(0);
    } catch (NoSuchFileException e) { // the driver tries out whether it can make the folder
      return 0;
    }
  }

  private static void assertDone(String notes, String arguments) {
    CommandRun run = CommandRun.of(arguments.split(" "));
    assertThat(run.err()).matches(notes);
    assertThat(run.exitCode()).isZero();
  }
}

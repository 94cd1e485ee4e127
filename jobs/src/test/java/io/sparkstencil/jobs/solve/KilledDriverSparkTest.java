/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.jobs.CommandRun;
import io.sparkstencil.jobs.StencilCommand;
import io.sparkstencil.jobs.TestSpark;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A driver that is killed with signal 9, and another that goes on from its last checkpoint. */
final class KilledDriverSparkTest {
  @RegisterExtension static final TestSpark SPARK = new TestSpark();

  @TempDir private Path folder;

  @Test
  @Timeout(180)
  void aResumedRunHasTheBitsOfAnUndisturbedOne() throws Exception {
    Path kept = folder.resolve("kept");
    Path whole = folder.resolve("whole.npy");
    Path resumed = folder.resolve("resumed.npy");
    String options = "solve --equation wave --grid 24x20 --blocks 2 --steps-per-exchange 2 ";
    String checkpoints = "--every 3 --checkpoint " + kept;

    Process driver = start(options + "--master local[1] --steps 10000000 " + checkpoints);
    long reached = 0;
    while (reached < 60) {
      assertThat(driver.isAlive()).isTrue();
      Thread.sleep(20);
      reached = lastCheckpoint(kept);
    }
    driver.destroyForcibly().waitFor(); // signal 9
    long steps = lastCheckpoint(kept) + 20;
    assertDone(
        options
            + "--steps %d --resume %s --output %s ".formatted(steps, kept, resumed)
            + checkpoints);
    assertDone(options + "--steps %d --output %s".formatted(steps, whole));

    assertThat(resumed).hasSameBinaryContentAs(whole);
  }

  private Process start(String arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", classPath(), StencilCommand.class.getName()));
    command.addAll(Arrays.asList(arguments.split(" ")));
    Path log = folder.resolve("driver.log");
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /** Returns the steps up to the latest checkpoint, complete or not; 0 if there is none. */
  private static long lastCheckpoint(Path kept) throws IOException {
    if (Files.notExists(kept)) {
      return 0;
    }
    try (Stream<Path> files = Files.list(kept)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("step-"))
          .mapToLong(name -> Long.parseLong(name.substring("step-".length())))
          .max()
          .orElse(0);
    }
  }

  private static void assertDone(String arguments) {
    CommandRun run = CommandRun.of(arguments.split(" "));
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.jobs.command.ExitCode;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.launcher.JavaModuleOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A command that runs out of memory: it ends, in one line, with a code that is documented. */
final class MemorySparkTest {
  private static final int HEAP_MEBIBYTES = 480; // Spark asks for 450

  @TempDir private Path folder;

  @Test
  @Timeout(240)
  void aTaskWithoutMemoryEndsTheCommandInOneLine() throws IOException, InterruptedException {
    Path input = folder.resolve("in.csv");
    try (BufferedWriter writer = Files.newBufferedWriter(input)) {
      writer.write("t,v,w\n1,2.0,a\n2,3.0,");
      String mebibyte = "x".repeat(1 << 20);
      for (int i = 0; i < 300; i++) { // one line, of which the heap cannot hold two
        writer.write(mebibyte);
      }
    }
    Path log = folder.resolve("log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Arrays.asList(JavaModuleOptions.defaultModuleOptionArray()));
    Path conf = Path.of(System.getProperty("stencil.home"), "conf", "log4j2.properties");
    command.add("-Dlog4j2.configurationFile=" + conf.toUri());
    command.add("-XX:TieredStopAtLevel=1"); // it lives for seconds
    command.addAll(List.of("-Xmx" + HEAP_MEBIBYTES + "m", "-cp"));
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.addAll(List.of(StencilCommand.class.getName(), "apply", "--input", input.toString()));
    command.addAll(List.of("--order-by", "t", "--column", "v", "--op", "mean", "--radius", "1"));
    command.addAll(List.of("--output", folder.resolve("out.csv").toString()));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    boolean ended = process.waitFor(200, TimeUnit.SECONDS);
    process.destroyForcibly();

    String said = Files.readString(log);
    assertThat(ended).as(said).isTrue();
    assertThat(process.exitValue()).as(said).isEqualTo(ExitCode.FAILED);
    assertThat(said.lines().filter(line -> !line.contains("incubator")))
        .singleElement()
        .asString()
        .startsWith("stencil: out of memory: Java heap space")
        .contains(" MiB")
        .contains("--conf spark.driver.memory");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactlyInAnyOrder(input, log);
    }
  }

  @Test
  void theCommandsOwnThreadWithoutMemoryIsReportedToo() {
    StringWriter err = new StringWriter();
    Writer full =
        new StringWriter() {
          @Override
          public void write(String text, int from, int count) {
            throw new OutOfMemoryError("Java heap space");
          }
        };

    int exitCode =
        StencilCommand.execute(new PrintWriter(full), new PrintWriter(err), "apply", "--help");

    assertThat(exitCode).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).startsWith("stencil: out of memory: Java heap space");
    assertThat(err.toString().lines()).hasSize(1);
  }
}

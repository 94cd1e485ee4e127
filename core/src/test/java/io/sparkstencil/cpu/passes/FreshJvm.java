/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a program of the tests in a JVM that has compiled nothing yet. */
public final class FreshJvm {
  private FreshJvm() {}

  /** Returns what the program prints; it must end well. */
  public static String run(Class<?> program, List<String> arguments, String... options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--add-modules=jdk.incubator.vector");
    command.add("-Xmx256m");
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(arguments);
    Path errors = Files.createTempFile("errors", ".txt");
    try {
      Process jvm = new ProcessBuilder(command).redirectError(errors.toFile()).start();
      String printed = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(jvm.waitFor()).as(printed + Files.readString(errors)).isZero();
      return printed;
    } finally {
      Files.delete(errors);
    }
  }
}

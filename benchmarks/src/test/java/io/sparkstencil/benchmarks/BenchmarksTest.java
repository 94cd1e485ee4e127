/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The command line of the benchmarks, and what the documents say of it. */
final class BenchmarksTest {
  private static final Path FOLDER = Path.of(System.getProperty("stencil.home"), "benchmarks");

  /** What follows the class, up to the end of the command. */
  private static final Pattern COMMAND = Pattern.compile("benchmarks\\.Benchmarks ([^\\n]*)");

  static Stream<String> documented() throws IOException {
    String readme = Files.readString(FOLDER.resolve("README.md"));
    return COMMAND.matcher(readme.replaceAll("\\\\\\n\\s*", "")).results().map(m -> m.group(1));
  }

  @ParameterizedTest
  @MethodSource("documented")
  void theReadmesCommandsAreUnderstood(String arguments) {
    String[] words =
        arguments.replace("'", "").replace("$(git rev-parse --short HEAD)", "abc").split(" +");

    assertThatCode(() -> Benchmarks.commandLine().parseArgs(words)).doesNotThrowAnyException();
  }

  static List<String> suites() {
    return List.copyOf(Benchmarks.commandLine().getSubcommands().keySet());
  }

  @ParameterizedTest
  @MethodSource("suites")
  void everySuiteIsDocumentedAndSaysWhatItTakes(String suite) throws IOException {
    StringWriter out = new StringWriter();

    int exitCode = Benchmarks.commandLine().setOut(new PrintWriter(out)).execute(suite, "--help");

    assertThat(exitCode).isZero();
    assertThat(out.toString()).contains("--machine", "--commit", "--results");
    assertThat(Files.readString(FOLDER.resolve("README.md"))).containsPattern("`" + suite + "[` ]");
  }

  @Test
  void refusesWhatIsNoSuiteAndWhatLacksItsMachine() {
    StringWriter err = new StringWriter();

    assertThat(Benchmarks.commandLine().setErr(new PrintWriter(err)).execute("speed")).isEqualTo(2);
    assertThat(Benchmarks.commandLine().setErr(new PrintWriter(err)).execute("cpu")).isEqualTo(2);
    assertThat(err.toString()).contains("speed", "--machine");
  }
}

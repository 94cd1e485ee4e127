/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code build/matrix.sh} with a JDK, a Spark, a command and a Maven that are scripts. */
final class MatrixTest extends LauncherProject {
  private Path script;

  @BeforeEach
  void aProjectOfScripts() throws Exception {
    script = tool("project/build/matrix.sh", "");
    Files.copy(
        SCRIPT.resolve("../../build/matrix.sh").normalize(),
        script,
        StandardCopyOption.REPLACE_EXISTING);
    assertThat(script.toFile().setExecutable(true)).isTrue();
    tool(
        "project/build/spark-home.sh",
        "mkdir -p \"$2/bin\" && touch \"$2/bin/spark-submit\" && chmod +x \"$2/bin/spark-submit\"");
    tool("jdk/bin/javac", "");
    tool("jdk/bin/java", "echo 'openjdk version \"17.0.1\"' >&2");
    tool(
        "project/bin/stencil",
        """
        while [ $# -gt 0 ]; do if [ "$1" = --output ]; then out="$2"; fi; shift; done
        case "$out" in
          "") ;;
          *.npy) echo 1 >"$out" ;;
          *.parquet) mkdir -p "$out" && touch "$out/_SUCCESS" ;;
          *) mkdir -p "$out" && echo 1 >"$out/spots.gif" ;;
        esac""");
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 0", "1, 0, 1", "0, 2, 1"})
  void testsOfEveryModuleCount(int failures, int errors, int exitCode) throws Exception {
    tool(
        "tools/mvn",
        """
        case "$*" in
        *'-Pspark-4.2'*'-Dtest='*'!**/GoldenWindowsSparkTest'*) echo '[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0' ;;
        *surefire:test*)
          echo '[ERROR] Tests run: 3, Failures: 9, Errors: 9, Skipped: 0, Time elapsed: 1 s -- in one.Test'
          echo '[ERROR] Tests run: 20, Failures: %d, Errors: %d, Skipped: 4'
          echo '[INFO] Tests run: 300, Failures: 0, Errors: 0, Skipped: 0'
        esac"""
            .formatted(failures, errors));

    Process process =
        start(
            script,
            Map.of(
                "JDKS",
                folder.resolve("jdk").toString(),
                "LINES",
                "4.1 4.2",
                "PATH",
                folder.resolve("tools") + ":" + System.getenv("PATH")));
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(process.waitFor()).as(said).isEqualTo(exitCode);
    assertThat(said)
        .contains("4.1    the command works")
        .contains(
            "4.1    Tests run: 320, Failures: %d, Errors: %d, Skipped: 4"
                .formatted(failures, errors))
        .contains("4.2    Tests run: 5, Failures: 0");
  }
}

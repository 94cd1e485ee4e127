/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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

  /** Makes empty test classes, and a Maven that reports what it ran. */
  private void aMavenThatReports(int failures, int errors) throws Exception {
    for (String test :
        List.of(
            "core/src/test/java/a/FrameTest",
            "core/src/test/java/a/SumAllocationTest",
            "spark-windows/src/test/java/b/GoldenWindowsSparkTest",
            "spark-windows/src/test/java/b/RankSparkTest")) {
      Path file = folder.resolve("project/" + test + ".java");
      Files.createDirectories(file.getParent());
      Files.writeString(file, "");
    }
    tool(
        "tools/mvn",
        """
        report() {
          mkdir -p "$1/target/surefire-reports"
          printf '<testsuite xmlns="x" name="%%s" time="1" tests="%%s" errors="%%s" skipped="4" failures="%%s">\\n%%s\\n</testsuite>\\n' \\
            "$2" "$3" "$4" "$5" "$6" >"$1/target/surefire-reports/TEST-$2.xml"
        }
        case "$*" in *surefire:test*) echo "$*" >>calls ;; *) exit ;; esac
        case "$*" in *FrameTest*) report core a.FrameTest 20 0 0 '' ;; esac
        case "$*" in
        *GoldenWindows*)
          report spark-windows b.GoldenWindowsSparkTest 300 0 0 ''
          report spark-windows b.RankSparkTest 3 %d %d '%s' ;;
        *) report spark-windows b.RankSparkTest 5 0 0 '' ;;
        esac"""
            .formatted(
                errors,
                failures,
                failures + errors == 0
                    ? ""
                    : "<testcase name=\"ranks\" classname=\"b.RankSparkTest\">\n<failure message=\"no\">"));
  }

  private Process matrix(String... arguments) throws Exception {
    Map<String, String> environment =
        Map.of("PATH", folder.resolve("tools") + ":" + System.getenv("PATH"));
    return start(script, environment, arguments);
  }

  private static String said(Process process) throws Exception {
    return new String(process.getInputStream().readAllBytes(), UTF_8);
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 0", "1, 0, 1", "0, 2, 1"})
  void testsOfEveryModuleCountAndThoseThatFailedAreNamed(int failures, int errors, int exitCode)
      throws Exception {
    aMavenThatReports(failures, errors);

    Process process =
        matrix("-j", folder.resolve("jdk").toString(), "-l", "4.1 4.2", "-m", "core spark-windows");
    String said = said(process);

    assertThat(process.waitFor()).as(said).isEqualTo(exitCode);
    String table = said.substring(said.indexOf("All results"));
    assertThat(table)
        .contains("17     4.1    command        works")
        .contains("17     4.1    core           Tests run: 20, Failures: 0, Errors: 0, Skipped: 4")
        .contains(
            "17     4.1    spark-windows  Tests run: 303, Failures: %d, Errors: %d, Skipped: 8"
                .formatted(failures, errors))
        .contains("17     4.2    spark-windows  Tests run: 5, Failures: 0, Errors: 0, Skipped: 4")
        .matches(
            text -> text.contains("spark-windows: b.RankSparkTest.ranks") == (exitCode == 1),
            "tests that failed are named")
        .as("a module that knows no Spark runs once")
        .doesNotContain("17     4.2    core");
    assertThat(Files.readAllLines(folder.resolve("project/calls")))
        .hasSize(2)
        .satisfies(
            calls ->
                assertThat(calls.get(0))
                    .contains(
                        "-Pspark-4.1 -pl core,spark-windows -am",
                        "-Dtest=FrameTest,GoldenWindowsSparkTest,RankSparkTest "),
            calls ->
                assertThat(calls.get(1))
                    .contains("-Pspark-4.2 -pl spark-windows -am", "-Dtest=RankSparkTest "));
  }

  @Test
  void namesOfTestsChooseAndNoneIsTheCommandAlone() throws Exception {
    aMavenThatReports(0, 0);
    String jdk = folder.resolve("jdk").toString();

    Process some = matrix("-j", jdk, "-l", "4.2", "-m", "core spark-windows", "Other*,F*Test");
    String said = said(some);
    assertThat(some.waitFor()).as(said).isZero();
    assertThat(Files.readString(folder.resolve("project/calls"))).contains("-Dtest=FrameTest ");

    Process none = matrix("-j", jdk, "-l", "4.1", "-m", "core", "none");
    String ofNone = said(none);
    assertThat(none.waitFor()).as(ofNone).isZero();
    assertThat(ofNone).contains("command        works").doesNotContain("Tests run");
  }

  @ParameterizedTest
  @CsvSource({"-l, 4.3, no Spark 4.3; lines are", "-m, nowhere, no module nowhere with tests"})
  void whatIsNotThereIsRefusedBeforeAnyWork(String option, String value, String message)
      throws Exception {
    aMavenThatReports(0, 0);
    Process process = matrix("-m", "core", option, value);
    String errors = new String(process.getErrorStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).isEqualTo(2);
    assertThat(errors).contains(message);
  }
}

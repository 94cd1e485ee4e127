/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the tests of the Python package, with PySpark and the shaded jar, where PySpark is: that of
 * {@code SPARK_HOME}, or of the Python on the path.
 */
final class PythonSparkTest {
  private static final Path PACKAGE = Path.of(System.getProperty("stencil.home"), "python");

  @TempDir private Path folder;

  /** Where Python finds the package, and PySpark if {@code SPARK_HOME} has it. */
  private static String pythonPath() throws IOException {
    String sparkHome = System.getenv("SPARK_HOME");
    String ours = PACKAGE.toAbsolutePath().toString();
    if (sparkHome == null || !Files.isDirectory(Path.of(sparkHome, "python", "lib"))) {
      return ours;
    }
    try (Stream<Path> archives = Files.list(Path.of(sparkHome, "python", "lib"))) {
      return Stream.concat(
              Stream.of(ours), archives.map(Path::toString).filter(PythonSparkTest::isZip))
          .collect(Collectors.joining(File.pathSeparator));
    }
  }

  private static boolean isZip(String name) {
    return name.endsWith(".zip");
  }

  private Process python(String... arguments) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(Stream.concat(Stream.of("python3"), Stream.of(arguments)).toList());
    builder.directory(PACKAGE.toFile()).redirectErrorStream(true);
    builder
        .environment()
        .putAll(
            Map.of(
                "PYTHONPATH", pythonPath(),
                "PYTHONDONTWRITEBYTECODE", "1",
                "SPARK_LOCAL_DIRS", folder.toString(),
                "STENCIL_JAR", System.getProperty("stencil.jar")));
    Process process = builder.start();
    process.getOutputStream().close();
    return process;
  }

  private String reasonAgainst() throws InterruptedException {
    try {
      Process found = python("-c", "import pyspark");
      String said = new String(found.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return found.waitFor() == 0 ? "" : "python3 has no PySpark: " + said.strip();
    } catch (IOException e) {
      return "there is no python3: " + e.getMessage();
    }
  }

  @Test
  void windowsHaveTheTextThatTheyShould() throws Exception {
    Process run;
    try {
      run = python("tests/test_frames.py");
    } catch (IOException e) {
      assumeTrue(false, "there is no python3: " + e.getMessage());
      return;
    }
    String said = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(run.waitFor()).as(said).isZero();
    assertThat(said).contains("Ran 6 tests", "OK");
  }

  @Test
  @Timeout(240)
  void theTestsOfThePackagePass() throws Exception {
    String reason = reasonAgainst();
    if (!reason.isEmpty()) {
      List<String> lines = reason.lines().toList();
      System.out.println("PythonSparkTest is skipped: " + lines.get(lines.size() - 1));
    }
    assumeTrue(reason.isEmpty(), reason);

    Process tests = python("-W", "ignore", "-m", "unittest", "discover", "-t", ".", "-s", "tests");
    String said = new String(tests.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(tests.waitFor()).as(said).isZero();
    assertThat(said).containsPattern("Ran [1-9][0-9] tests").contains("\nOK");
  }
}

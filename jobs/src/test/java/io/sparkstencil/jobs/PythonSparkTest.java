/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the tests of the Python package, with PySpark and the shaded jar, where PySpark is: that of
 * {@code SPARK_HOME}, or of the Python on the path. Where there is Py4J alone, a stand-in for the
 * few names of PySpark that the package uses takes its place, with the Spark of this test.
 */
final class PythonSparkTest {
  private static final Path PACKAGE =
      Path.of(System.getProperty("stencil.home"), "python").toAbsolutePath();
  private static final String STAND_IN = PACKAGE.resolve("tests/stand_in").toString();
  private static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  @TempDir private Path folder;

  /** Where Python finds the package, what the user has, and PySpark if SPARK_HOME has it. */
  private static String pythonPath(String... more) throws IOException {
    List<String> places = new ArrayList<>(List.of(PACKAGE.toString()));
    Collections.addAll(places, more);
    String users = System.getenv("PYTHONPATH");
    if (users != null && !users.isEmpty()) {
      places.add(users);
    }
    String sparkHome = System.getenv("SPARK_HOME");
    if (sparkHome != null && Files.isDirectory(Path.of(sparkHome, "python", "lib"))) {
      if (Files.isDirectory(Path.of(sparkHome, "python", "pyspark"))) { // of Spark's sources
        places.add(Path.of(sparkHome, "python").toString());
      }
      try (Stream<Path> archives = Files.list(Path.of(sparkHome, "python", "lib"))) {
        archives.map(Path::toString).filter(PythonSparkTest::isZip).forEach(places::add);
      }
    }
    return String.join(File.pathSeparator, places);
  }

  private static boolean isZip(String name) {
    return name.endsWith(".zip");
  }

  private Process python(String... arguments) throws IOException {
    return pythonOn(pythonPath(), arguments);
  }

  private Process pythonOn(String path, String... arguments) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(Stream.concat(Stream.of("python3"), Stream.of(arguments)).toList());
    builder.directory(PACKAGE.toFile()).redirectErrorStream(true);
    builder
        .environment()
        .putAll(
            Map.of(
                "PYTHONPATH",
                path,
                "PYTHONDONTWRITEBYTECODE",
                "1",
                "SPARK_LOCAL_DIRS",
                folder.toString(),
                "STENCIL_CLASS_PATH",
                CLASS_PATH,
                "STENCIL_JVM_OPTIONS",
                System.getProperty("stencil.jvm.options"),
                "STENCIL_JAR",
                System.getProperty("stencil.jar")));
    Process process = builder.start();
    process.getOutputStream().close();
    return process;
  }

  /** Returns why Python cannot import a module; nothing if it can. */
  private String reasonAgainst(String module) throws InterruptedException {
    try {
      Process found = python("-c", "import " + module);
      String said = new String(found.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return found.waitFor() == 0 ? "" : "python3 has no %s: %s".formatted(module, said.strip());
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
    assertThat(said).contains("Ran 7 tests", "OK");
  }

  @Test
  void typesAreStrict() throws Exception {
    Process mypy;
    try {
      mypy =
          new ProcessBuilder(
                  "mypy",
                  "--strict",
                  "--ignore-missing-imports",
                  "--follow-imports=skip", // PySpark has types in some places only
                  "--cache-dir=/dev/null",
                  "sparkstencil")
              .directory(PACKAGE.toFile())
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      assumeTrue(false, "there is no mypy: " + e.getMessage());
      return;
    }
    String said = new String(mypy.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(mypy.waitFor()).as(said).isZero();
    assertThat(said).contains("no issues found");
  }

  @Test
  @Timeout(240)
  void theTestsOfThePackagePass() throws Exception {
    boolean hasPySpark = reasonAgainst("pyspark").isEmpty();
    String reason = hasPySpark ? "" : reasonAgainst("py4j");
    if (!reason.isEmpty()) {
      List<String> lines = reason.lines().toList();
      System.out.println("PythonSparkTest is skipped: " + lines.get(lines.size() - 1));
    }
    assumeTrue(reason.isEmpty(), reason);
    if (!hasPySpark) {
      System.out.println("PythonSparkTest runs with a stand-in: there is no PySpark");
    }

    String path = hasPySpark ? pythonPath() : pythonPath(STAND_IN);
    Process tests =
        pythonOn(path, "-W", "ignore", "-m", "unittest", "discover", "-t", ".", "-s", "tests");
    String said = new String(tests.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(tests.waitFor()).as(said).isZero();
    assertThat(said).containsPattern("Ran [1-9][0-9] tests").contains("\nOK");
  }
}

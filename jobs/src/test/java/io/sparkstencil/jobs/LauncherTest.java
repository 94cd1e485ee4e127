/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What {@code bin/stencil} says before it builds or starts anything. */
final class LauncherTest extends LauncherProject {
  @Test
  void refusesAJavaHomeWithoutJava() throws Exception {
    String said = run(SCRIPT, Map.of("JAVA_HOME", folder.toString()));

    assertThat(said)
        .isEqualTo(
            "stencil: JAVA_HOME is %s, which has no bin/java; set it to JDK 17 or later%n"
                .formatted(folder));
  }

  @Test
  void refusesAnOldJava() throws Exception {
    Path java = tool("jdk/bin/java", "echo 'openjdk version \"11.0.2\" 2019-01-15' >&2");

    String said =
        run(unbuiltProject(), Map.of("JAVA_HOME", java.getParent().getParent().toString()));

    assertThat(said).contains("is Java 11.0.2; JDK 17 or later is required");
  }

  @Test
  void refusesAnOldMaven() throws Exception {
    tool("tools/mvn", "echo 'Apache Maven 3.6.3 (cecedd3)'");
    String path = folder.resolve("tools") + ":" + System.getenv("PATH");

    String said =
        run(unbuiltProject(), Map.of("PATH", path, "JAVA_HOME", System.getProperty("java.home")));

    assertThat(said).contains("Maven 3.6.3 is too old; 3.8 or later is required");
  }

  @Test
  void saysWhyABuildFailedAndWhereTheLogIs() throws Exception {
    tool(
        "tools/mvn",
        "case \"$1\" in --version) echo 'Apache Maven 3.9.9';; *) echo '[ERROR] no disk'; exit 1;; esac");
    String path = folder.resolve("tools") + ":" + System.getenv("PATH");

    String said =
        run(unbuiltProject(), Map.of("PATH", path, "JAVA_HOME", System.getProperty("java.home")));

    assertThat(said).contains("[ERROR] no disk").contains("the build failed; see the log, ");
    assertThat(folder.resolve("project/target/stencil-build.log")).hasContent("[ERROR] no disk");
  }

  @Test
  void saysWhichModuleIsBuilt() throws Exception {
    tool(
        "tools/mvn",
        "case \"$1\" in --version) echo 'Apache Maven 3.9.9';; *) echo '[INFO] Building Spark Stencil: Core 0.1.0-SNAPSHOT     [2/6]'; exit 1;; esac");
    String path = folder.resolve("tools") + ":" + System.getenv("PATH");

    String said =
        run(unbuiltProject(), Map.of("PATH", path, "JAVA_HOME", System.getProperty("java.home")));

    assertThat(said)
        .contains("first run; Maven builds the project")
        .contains("stencil: building 2 of 6, Spark Stencil: Core\n");
  }

  /** Commands make the archive after their work: see {@code FastStart}. */
  @Test
  void asksForAnArchiveOfClassesUntilThereIsOneForTheBuildAndTheJvm() throws Exception {
    Path script = builtProject();
    Path target = folder.resolve("project/jobs/target");
    Map<String, String> one = echo("one");
    Map<String, String> other = echo("other");
    Map<String, String> without = new HashMap<>(one);
    without.put("STENCIL_FAST_START", "false");

    assertThat(words(start(script, one, "demo"))).doesNotContain("-Dstencil.archive=");
    Path data = folder.resolve("project/examples/data/seattle-weather.csv");
    Files.createDirectories(data.getParent());
    Files.writeString(data, "");
    assertThat(words(start(script, without, "demo"))).doesNotContain("-Dstencil.archive=");
    assertThat(words(start(script, one, "java", "Program"))).doesNotContain("-Dstencil.archive=");
    Path archive = requested(start(script, one, "--help"));
    Path archiveOfOther = requested(start(script, other, "demo"));
    assertThat(archive).startsWithRaw(target).isNotEqualTo(archiveOfOther).doesNotExist();

    Files.writeString(archive, "classes");
    assertThat(words(start(script, one, "demo")))
        .contains("-XX:SharedArchiveFile=" + archive + "\n");
    assertThat(words(start(script, one, "java", "Program")))
        .contains("-XX:SharedArchiveFile=" + archive + "\n");
    Files.writeString(archiveOfOther, ""); // this JVM makes none
    assertThat(words(start(script, other, "demo")))
        .doesNotContain("-Dstencil.archive=", "-XX:SharedArchiveFile=");

    Path jar = target.resolve("spark-stencil-jobs-1-all.jar");
    Files.writeString(jar, "new");
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(30)));
    assertThat(requested(start(script, one, "demo"))).isNotEqualTo(archive);
    assertThat(archive).exists(); // until the new one is made
  }

  /** Returns the environment of a Java that prints its words, one in a line. */
  private Map<String, String> echo(String name) throws IOException {
    tool(name + "/bin/java", "for word; do echo \"$word\"; done");
    return Map.of("JAVA_HOME", folder.resolve(name).toString());
  }

  /** Returns the archive that the launcher asks for; it says nothing of it. */
  private static Path requested(Process process) throws IOException, InterruptedException {
    String request = "-Dstencil.archive=";
    Path archive =
        words(process)
            .lines()
            .filter(word -> word.startsWith(request))
            .map(word -> Path.of(word.substring(request.length())))
            .findFirst()
            .orElseThrow();
    assertThat(process.getErrorStream().readAllBytes()).isEmpty();
    return archive;
  }

  @Test
  void saysThatAProgramReachesNoFilesWithHadoopBefore35OnJava24() throws Exception {
    Path script = builtProject();
    Path java = tool("jdk/bin/java", "echo 'openjdk version \"25.0.3\" 2026-04-21' >&2");
    Map<String, String> home = Map.of("JAVA_HOME", java.getParent().getParent().toString());
    Path list = folder.resolve("project/jobs/target/spark-classpath.txt");
    Path jar = folder.resolve("project/jobs/target/spark-stencil-jobs-1-all.jar");
    String note =
        "stencil: Hadoop 3.4.2, which is a part of this Spark, cannot reach files on Java 25.0.3; set JAVA_HOME to JDK 17 or 21, or use a distribution with Spark 4.2";

    Files.writeString(list, jar + ":/repository/hadoop-client-api-3.4.2.jar");
    assertThat(errors(start(script, home, "java", "Program"))).contains(note);
    Files.writeString(list, jar + ":/repository/hadoop-client-api-3.5.0.jar");
    assertThat(errors(start(script, home, "java", "Program"))).doesNotContain("Hadoop");
  }

  private static String errors(Process process) throws IOException, InterruptedException {
    String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return said;
  }

  private static String words(Process process) throws IOException, InterruptedException {
    String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return words;
  }

  @Test
  void findsTheProjectThroughSymbolicLinks() throws Exception {
    Path script = unbuiltProject();
    Path link = Files.createSymbolicLink(folder.resolve("link"), script);
    Path java = tool("jdk/bin/java", "echo 'openjdk version \"11.0.2\" 2019-01-15' >&2");

    String said = run(link, Map.of("JAVA_HOME", java.getParent().getParent().toString()));

    assertThat(said).contains("is Java 11.0.2");
  }

  @Test
  void handsTheJobToAnInstalledSpark() throws Exception {
    Path script = builtProject();
    Path submit = tool("spark/bin/spark-submit", "for word; do echo \"$word\"; done");

    Process process =
        start(
            script,
            Map.of("SPARK_HOME", submit.getParent().getParent().toString()),
            "apply",
            "--conf",
            "spark.executor.cores=2",
            "--master=spark://host:7077",
            "--op",
            "mean");
    String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).isZero();
    assertThat(words.lines())
        .containsExactly(
            "--master",
            "spark://host:7077",
            "--conf",
            "spark.executor.cores=2",
            "--class",
            "io.sparkstencil.jobs.StencilCommand",
            "--name",
            "spark-stencil",
            folder.resolve("project/jobs/target/spark-stencil-jobs-1-all.jar").toString(),
            "apply",
            "--conf",
            "spark.executor.cores=2",
            "--master=spark://host:7077",
            "--op",
            "mean");
  }

  @Test
  void runsAProgramOfTheUsersWithTheLibraryOnItsClassPath() throws Exception {
    Path script = builtProject();
    Path java = tool("jdk/bin/java", "for word; do echo \"$word\"; done");
    String mine = Files.writeString(folder.resolve("Mine.java"), "").toString();

    Process process =
        start(
            script,
            Map.of("JAVA_HOME", java.getParent().getParent().toString()),
            "java",
            mine,
            "--master",
            "x");
    String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).isZero();
    Path jar = folder.resolve("project/jobs/target/spark-stencil-jobs-1-all.jar");
    assertThat(words.lines())
        .contains("--add-modules=jdk.incubator.vector")
        .endsWith("-cp", jar + ":" + jar, mine, "--master", "x");
  }

  @Test
  void takesTheNewestJarOfSeveral() throws Exception {
    Path script = builtProject();
    Path java = tool("jdk/bin/java", "for word; do echo \"$word\"; done");
    Path release = folder.resolve("project/jobs/target/spark-stencil-jobs-2-all.jar");
    Files.writeString(release, "");
    Files.setLastModifiedTime(release, FileTime.from(Instant.now().plusSeconds(20)));

    Process process =
        start(script, Map.of("JAVA_HOME", java.getParent().getParent().toString()), "java", "A");

    assertThat(words(process)).contains("-jobs-1-all.jar:").doesNotContain("-jobs-2-all.jar");
  }

  @Test
  void refusesAMasterThatSparkDoesNotKnowBeforeAnythingStarts() throws Exception {
    Path java = tool("jdk/bin/java", "touch " + folder.resolve("started"));
    Path submit = tool("spark/bin/spark-submit", "touch " + folder.resolve("started"));

    Path script = builtProject();
    for (String spark : List.of("", submit.getParent().getParent().toString())) {
      Process process =
          start(
              script,
              Map.of("JAVA_HOME", java.getParent().getParent().toString(), "SPARK_HOME", spark),
              "apply",
              "--master",
              "cluster:7077");

      assertThat(new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo(
              "stencil: --master cluster:7077 is none of Spark's; write spark://HOST:PORT, yarn, k8s://URL or local[*]\n");
      assertThat(process.waitFor()).isEqualTo(2);
    }
    assertThat(folder.resolve("started")).doesNotExist();
  }

  @Test
  void asksForAProgram() throws Exception {
    String java = System.getProperty("java.home");

    Process process = start(builtProject(), Map.of("JAVA_HOME", java), "java");

    String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isEqualTo(2);
    assertThat(said)
        .isEqualTo(
            "stencil: nothing to run; usage: bin/stencil java FILE.java | CLASS [ARGUMENT ...]\n");
  }

  @Test
  void refusesAProgramThatIsNotThereBeforeAnythingStarts() throws Exception {
    Path java = tool("jdk/bin/java", "touch " + folder.resolve("started"));
    String absent = folder.resolve("Absent.java").toString();

    Process process =
        start(
            builtProject(),
            Map.of("JAVA_HOME", java.getParent().getParent().toString()),
            "java",
            absent);

    assertThat(new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains("stencil: there is no file " + absent + ", seen from ");
    assertThat(process.waitFor()).isEqualTo(2);
    assertThat(folder.resolve("started")).doesNotExist();
  }

  @Test
  void namesTheRemediesForASparkHomeWithoutSpark() throws Exception {
    Map<String, String> nowhere = Map.of("SPARK_HOME", "/nowhere");

    assertThat(run(builtProject(), nowhere)).contains("for Scala 2.13, or unset it");

    Files.delete(folder.resolve("project/pom.xml"));
    Path jar = folder.resolve("project/jars/spark-stencil-1.jar");
    Files.createDirectories(jar.getParent());
    Files.writeString(jar, "");
    assertThat(run(folder.resolve("project/bin/stencil"), nowhere))
        .contains("SPARK_HOME is /nowhere, which has no bin/spark-submit; set it to")
        .doesNotContain("unset");
  }

  @Test
  void refusesAnInstalledSparkOfAnotherVersion() throws Exception {
    Path submit = tool("spark/bin/spark-submit", "exit 0");
    tool("spark/jars/spark-core_2.12-3.5.1.jar", "");

    String said =
        run(builtProject(), Map.of("SPARK_HOME", submit.getParent().getParent().toString()));

    assertThat(said)
        .contains("spark-core_2.12-3.5.1, but Spark 4.0, 4.1 or 4.2 for Scala 2.13 is required");
  }

  @Test
  void buildsAgainWhenASourceIsNewer() throws Exception {
    Path script = builtProject();
    Path java = tool("jdk/bin/java", "echo 'openjdk version \"11.0.2\" 2019-01-15' >&2");
    Path source = folder.resolve("project/core/src/main/java/A.java");
    Files.createDirectories(source.getParent());
    Files.writeString(source, "");
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));

    String said = run(script, Map.of("JAVA_HOME", java.getParent().getParent().toString()));

    assertThat(said).contains("is Java 11.0.2"); // asked for in order to build
  }

  /** Runs the script and returns its error stream; it must have failed with code 1. */
  private String run(Path script, Map<String, String> environment)
      throws IOException, InterruptedException {
    Process process = start(script, environment, "demo");
    String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isEqualTo(1);
    return said;
  }
}

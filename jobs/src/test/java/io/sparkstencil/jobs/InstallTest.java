/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/stencil install}, from a checkout whose build is newer than its sources. */
final class InstallTest {
  private static final Path SCRIPT =
      Path.of(System.getProperty("stencil.home"), "bin", "stencil").toAbsolutePath();

  @TempDir private Path folder;

  @Test
  void installsADistributionThatRunsWithAnInstalledSparkAlone() throws Exception {
    Path script = project();
    Files.writeString(Files.createDirectories(folder.resolve("project/docs")).resolve("a.md"), "");
    Path place = folder.resolve("in stalled");
    Path submit = tool("spark/bin/spark-submit", "for word; do echo \"$word\"; done");

    Process first = start(script, Map.of(), "install", place.toString());
    assertThat(said(first)).contains("installed " + place.toRealPath());
    Process again = start(script, Map.of(), "install", place.toString());
    assertThat(said(again)).contains("version 1");
    Process used =
        start(
            place.resolve("bin/stencil"),
            Map.of("SPARK_HOME", submit.getParent().getParent().toString()),
            "doctor");

    assertThat(said(used)).contains(place.toRealPath() + "/jars/spark-stencil-1.jar");
    assertThat(place.resolve("docs/a.md")).exists();
    assertThat(place.resolve("pom.xml")).doesNotExist();
  }

  @Test
  void installsIntoNoFolderWithOtherFiles() throws Exception {
    Path script = project();
    Path mine = Files.writeString(folder.resolve("mine"), "keep me");

    assertThat(refusal(script, "install")).contains("usage: bin/stencil install DIR");
    assertThat(refusal(script, "install", folder.toString()))
        .contains("has other files, which are left alone");
    assertThat(refusal(script, "install", mine.toString())).contains("is a file; name a folder");
    assertThat(mine).hasContent("keep me");
  }

  private static String refusal(Path script, String... arguments) throws Exception {
    Process process = start(script, Map.of(), arguments);
    String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isEqualTo(1);
    return said;
  }

  private Path project() throws IOException {
    Path script = folder.resolve("project/bin/stencil");
    Files.createDirectories(script.getParent());
    Files.writeString(folder.resolve("project/pom.xml"), "<project/>");
    Files.copy(SCRIPT, script);
    assertThat(script.toFile().setExecutable(true)).isTrue();
    Path target = Files.createDirectories(folder.resolve("project/jobs/target"));
    Path jar = Files.writeString(target.resolve("spark-stencil-jobs-1-all.jar"), "");
    Files.writeString(target.resolve("spark-classpath.txt"), jar.toString());
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(30)));
    return script;
  }

  private Path tool(String name, String body) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + body + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  /** Returns what a process that succeeds has printed. */
  private static String said(Process process) throws Exception {
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  private static Process start(Path script, Map<String, String> environment, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().remove("SPARK_HOME");
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    return process;
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

/** A project in a folder of its own, whose {@code bin/stencil} is that of this one. */
abstract class LauncherProject {
  static final Path SCRIPT =
      Path.of(System.getProperty("stencil.home"), "bin", "stencil").toAbsolutePath();

  @TempDir Path folder;

  /** Returns the script of a project whose build is newer than its sources. */
  final Path builtProject() throws IOException {
    Path script = unbuiltProject();
    Path target = Files.createDirectories(folder.resolve("project/jobs/target"));
    Path jar = Files.writeString(target.resolve("spark-stencil-jobs-1-all.jar"), "");
    Files.writeString(target.resolve("spark-classpath.txt"), jar.toString());
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(30)));
    return script;
  }

  /** Returns the script of a project that has no build and no sources. */
  final Path unbuiltProject() throws IOException {
    Path script = folder.resolve("project/bin/stencil");
    Files.createDirectories(script.getParent());
    Files.writeString(folder.resolve("project/pom.xml"), "<project/>");
    Files.copy(SCRIPT, script);
    assertThat(script.toFile().setExecutable(true)).isTrue();
    return script;
  }

  final Path tool(String name, String body) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + body + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  static Process start(Path script, Map<String, String> environment, String... arguments)
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

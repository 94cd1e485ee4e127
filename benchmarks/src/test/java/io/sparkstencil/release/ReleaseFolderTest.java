/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.testkit.ProjectModules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.tools.ant.Project;
import org.apache.tools.ant.ProjectHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What build/release.xml collects, in a folder with the names of what Maven builds. */
final class ReleaseFolderTest {
  private static final Path COLLECT = ProjectModules.HOME.resolve("build/release.xml");
  private static final List<String> MODULES = ProjectModules.released();

  @TempDir private Path folder;

  @Test
  void holdsNothingOfAnEarlierBuildOrRelease() throws IOException {
    build("0.2.0-SNAPSHOT");
    build("0.1.0");
    build("0.2.0");
    write("jobs/target/original-spark-stencil-jobs-0.2.0.jar");
    write("jobs/target/spark-stencil-jobs-0.2.0-tests.jar");
    write("jobs/target/release/spark-stencil-0.1.0.tar.gz");
    write("jobs/target/release/spark-stencil-0.1.0.tar.gz.sha256");
    write("jobs/target/release/spark-stencil-core-0.2.0-SNAPSHOT.jar");
    write("jobs/target/release/spark-stencil-0.2.0.tar.gz");

    collect();

    List<String> expected = new ArrayList<>();
    for (String module : MODULES) {
      for (String kind : List.of(".jar", "-sources.jar", "-javadoc.jar", ".pom")) {
        expected.add(artifact(module) + "-0.2.0" + kind);
      }
    }
    expected.add("spark-stencil-jobs-0.2.0-all.jar");
    expected.add("spark-stencil-survey-0.2.0-all.jar");
    expected.add("spark-stencil-parent-0.2.0.pom");
    expected.add("spark-stencil-0.2.0.sbom.json");
    expected.add("spark-stencil-0.2.0.tar.gz");
    expected.addAll(expected.stream().map(name -> name + ".sha256").toList());
    assertThat(names()).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(folder.resolve("jobs/target/release/spark-stencil-core-0.2.0.jar"))
        .hasContent("core/target/spark-stencil-core-0.2.0.jar");
  }

  private static String artifact(String module) {
    return "spark-stencil-" + module.replaceFirst("^spark-", "");
  }

  /** Writes what Maven leaves of a version; of what has no version in its name, the last stays. */
  private void build(String version) throws IOException {
    for (String module : MODULES) {
      String target = module + "/target/";
      for (String kind : List.of("", "-sources", "-javadoc")) {
        write(target + artifact(module) + "-" + version + kind + ".jar");
      }
      write(target + ".flattened-pom.xml");
    }
    write("jobs/target/spark-stencil-jobs-" + version + "-all.jar");
    write("survey/target/spark-stencil-survey-" + version + "-all.jar");
    write("jobs/target/spark-stencil-sbom.json");
    write("target/.flattened-pom.xml");
  }

  private void write(String name) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, name);
  }

  private void collect() {
    Project project = new Project();
    project.init();
    project.setUserProperty("basedir", folder.toString());
    project.setUserProperty("version", "0.2.0");
    ProjectHelper.configureProject(project, COLLECT.toFile());
    project.executeTarget("collect");
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("jobs/target/release"))) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@code bin/stencil install}, from a checkout whose build is newer than its sources. */
final class InstallTest extends LauncherProject {
  @Test
  void installsADistributionThatRunsWithAnInstalledSparkAlone() throws Exception {
    Path script = builtProject();
    Files.writeString(Files.createDirectories(folder.resolve("project/docs")).resolve("a.md"), "");
    Files.createDirectories(folder.resolve("project/examples/java/target"));
    Path place = folder.resolve("in stalled");
    Path submit = tool("spark/bin/spark-submit", "for word; do echo \"$word\"; done");

    Process first = start(script, Map.of(), "install", place.toString());
    assertThat(said(first)).contains("installed " + place.toRealPath());
    Path written = Files.createDirectories(place.resolve("target")).resolve("wave.npy");
    Files.writeString(written, "mine");
    Process again = start(script, Map.of(), "install", place.toString());
    assertThat(said(again)).contains("version 1");
    Process used =
        start(
            place.resolve("bin/stencil"),
            Map.of("SPARK_HOME", submit.getParent().getParent().toString()),
            "doctor");

    assertThat(said(used)).contains(place.toRealPath() + "/jars/spark-stencil-1.jar");
    assertThat(place.resolve("docs/a.md")).exists();
    assertThat(written).hasContent("mine");
    assertThat(place.resolve("examples/java/target")).doesNotExist();
    assertThat(place.resolve("pom.xml")).doesNotExist();
  }

  @Test
  void installsIntoNoFolderWithOtherFiles() throws Exception {
    Path script = builtProject();
    Path mine = Files.writeString(folder.resolve("mine"), "keep me");

    assertThat(refusal(script, "install")).contains("usage: bin/stencil install DIR");
    assertThat(refusal(script, "install", folder.toString()))
        .contains("has other files, which are left alone");
    assertThat(refusal(script, "install", mine.toString())).contains("is a file; name a folder");
    assertThat(mine).hasContent("keep me");
  }

  @Test
  void saysWhatItDoesAndTakesNoOptionForAFolder() throws Exception {
    Path script = builtProject();

    assertThat(said(start(script, Map.of(), "install", "--help")))
        .startsWith("usage: bin/stencil install DIR")
        .contains("DIR must be empty or not there");
    assertThat(refusal(script, "install", "--force"))
        .contains("install has no option --force; usage: bin/stencil install DIR");
  }

  private static String refusal(Path script, String... arguments) throws Exception {
    Process process = start(script, Map.of(), arguments);
    String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isEqualTo(2);
    return said;
  }

  /** Returns what a process that succeeds has printed. */
  private static String said(Process process) throws Exception {
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}

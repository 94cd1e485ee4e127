/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pipe in place of a file is refused: nobody may ever write to it. */
final class RegularFilesTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir private Path folder;

  @BeforeEach
  void makePipes() throws IOException, InterruptedException {
    Files.createDirectory(folder.resolve("inside"));
    for (String name : new String[] {"p.csv", "p.stencil", "p", "inside/p.json"}) {
      Process made;
      try {
        made = new ProcessBuilder("mkfifo", folder.resolve(name).toString()).start();
      } catch (IOException e) {
        Assumptions.abort("this machine makes no pipes: " + e.getMessage());
        return;
      }
      assertThat(made.waitFor()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"p.csv", "p", "inside"})
  void asTheInputOfATableAndInsideAFolder(String name) {
    String input = folder.resolve(name).toString();

    assertTimeoutPreemptively(
        SOON,
        () ->
            assertThatThrownBy(() -> InputFiles.at(input, new Configuration()))
                .isInstanceOf(InvalidStencilException.class)
                .hasMessageContaining("--input " + input)
                .hasMessageContaining("is a pipe, a socket or a device"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--equation %s.stencil --grid 8",
        "--equation heat --grid 8x8 --source %s.csv",
        "--equation heat --grid 8x8 --receivers %s.csv --samples out.csv"
      })
  void asWhatDescribesAProblem(String options) {
    String[] words = ("solve " + options.formatted(folder.resolve("p"))).split(" ");

    CommandRun run = assertTimeoutPreemptively(SOON, () -> CommandRun.of(words));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(folder.resolve("p").toString()).contains("is a pipe");
  }

  @Test
  void filesFoldersAndWhatIsMissingPass() throws IOException {
    Path file = Files.writeString(folder.resolve("f.csv"), "t,v\n");

    RegularFiles.require("--input", file);
    RegularFiles.require("--input", folder);
    RegularFiles.require("--input", folder.resolve("missing"));
  }
}

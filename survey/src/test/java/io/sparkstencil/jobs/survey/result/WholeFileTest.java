/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.error.StencilException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WholeFileTest {
  @TempDir private Path folder;

  @Test
  void writesAndReplacesAndLeavesNothingBeside() throws IOException {
    Path file = folder.resolve("survey.md");
    WholeFile.write(file, "first");
    WholeFile.write(file, "second");

    assertThat(file).hasContent("second");
    assertThat(folder.toFile().list()).containsExactly("survey.md");
  }

  @Test
  void aFileThatCannotBeReplacedIsNamedWithTheReasonAndTheRemedy() throws IOException {
    Path file = folder.resolve("survey.md");
    Files.createDirectories(file.resolve("full"));

    assertThatThrownBy(() -> WholeFile.write(file, "text"))
        .isInstanceOf(StencilException.class)
        .hasMessageContaining("cannot write " + file)
        .hasMessageContaining("Exception: ")
        .hasMessageEndingWith("make room for it there, or name another folder with --folder");
    assertThat(folder.toFile().list()).as("no draft is left").containsExactly("survey.md");
  }

  @Test
  void aFolderThatCannotBeMadeIsRefusedBeforeAnyWork() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");

    assertThatThrownBy(() -> WholeFile.requireFolder(file.resolve("within")))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("cannot write to --folder " + file)
        .hasMessageEndingWith("name a folder that can be written to");
  }
}

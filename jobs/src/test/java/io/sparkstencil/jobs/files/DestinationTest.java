/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DestinationTest {
  @TempDir private Path folder;

  @Test
  void isEmptyUntilCommitted() throws IOException {
    try (Destination destination = at("table", false)) {
      writeTable(destination, "new");
      assertThat(folder.resolve("table")).doesNotExist();
      destination.commit();
    }
    assertThat(folder.resolve("table/part-0")).hasContent("new");
    assertThat(names()).containsExactly("table");
  }

  @Test
  void leavesNothingWhenNotCommitted() throws IOException {
    try (Destination destination = at("table", false)) {
      writeTable(destination, "half");
    }
    assertThat(names()).isEmpty();
  }

  @Test
  void replacesWhatIsThereOnlyInTheEnd() throws IOException {
    writeFile(folder.resolve("table/part-0"), "old");

    try (Destination destination = at("table", true)) {
      writeTable(destination, "new");
      assertThat(folder.resolve("table/part-0")).hasContent("old");
      destination.commit();
    }
    assertThat(folder.resolve("table/part-0")).hasContent("new");
    assertThat(names()).containsExactly("table");
  }

  @Test
  void keepsWhatIsThereWhenTheWritingFails() throws IOException {
    writeFile(folder.resolve("table/part-0"), "old");

    try (Destination destination = at("table", true)) {
      writeTable(destination, "half");
    }
    assertThat(folder.resolve("table/part-0")).hasContent("old");
    assertThat(names()).containsExactly("table");
  }

  @Test
  void replacesNoFolderThatHoldsOtherThingsThanATable() throws IOException {
    writeFile(folder.resolve("table/_SUCCESS"), "");
    writeFile(folder.resolve("table/precious.txt"), "mine");

    assertThatThrownBy(() -> at("table", true))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("holds precious.txt");
    assertThat(folder.resolve("table/precious.txt")).hasContent("mine");
  }

  @Test
  void refusesWhatHasComeIntoBeingMeanwhile() throws IOException {
    try (Destination destination = at("table", false)) {
      writeTable(destination, "ours");
      writeFile(folder.resolve("table/part-0"), "theirs");
      assertThatThrownBy(destination::commit)
          .isInstanceOf(InvalidStencilException.class)
          .hasMessageContaining("was created while the job ran");
    }
    assertThat(folder.resolve("table/part-0")).hasContent("theirs");
  }

  @Test
  void makesTheFoldersAbove() throws IOException {
    try (Destination destination = at("a/b/table", false)) {
      writeTable(destination, "new");
      destination.commit();
    }
    assertThat(folder.resolve("a/b/table/part-0")).hasContent("new");
  }

  private Destination at(String name, boolean overwrite) {
    return Destination.table(
        "--output", folder.resolve(name).toString(), overwrite, new Configuration());
  }

  private static void writeTable(Destination destination, String content) throws IOException {
    writeFile(Path.of(destination.temporary().toUri().getPath()).resolve("part-0"), content);
  }

  private static void writeFile(Path file, String content) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}

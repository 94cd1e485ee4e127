/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.StencilException;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.files.HarshFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Folders of checkpoints that are overwritten, taken over, or of older versions. */
@WithSpark
@Timeout(120)
final class CheckpointOwnersSparkTest {
  private static SparkSession spark;
  @TempDir Path folder;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
  }

  private final WholeGrid whole = WholeGrid.heat(Boundary.REFLECT);

  private GridBuilder builder() {
    return whole
        .builder(spark)
        .blocks(4)
        .stepsPerExchange(2)
        .checkpoints(folder.resolve("kept").toString(), 2);
  }

  private GridBuilder resumed() {
    return whole
        .bareBuilder(spark)
        .parameter("a", whole.coefficient())
        .resume(folder.resolve("kept").toString());
  }

  private List<Path> checkpoints() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("kept"))) {
      return files.filter(file -> file.getFileName().toString().startsWith("step-")).toList();
    }
  }

  @Test
  void overwritingRemovesWhatIsThereAtOnce() throws IOException {
    try (StencilGrid grid = builder().create()) {
      grid.step(12);
    }
    try (StencilGrid grid = builder().overwriteCheckpoints().create()) {
      assertThat(checkpoints()).isEmpty();
      grid.step(4);
    }
    try (StencilGrid grid = resumed().create()) {
      assertThat(grid.steps()).isEqualTo(4);
      assertThat(grid.step(3).read("u")).isEqualTo(whole.after(7));
    }
  }

  @Test
  void aRunGoesOnInItsOwnFolderWhateverItIsCalled() throws IOException {
    try (StencilGrid grid = builder().create()) {
      grid.step(4);
    }
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("kept"));
    try (StencilGrid grid = resumed().checkpoints(link + "/", 1).overwriteCheckpoints().create()) {
      assertThat(grid.step(4).read("u")).isEqualTo(whole.after(8));
    }
    assertThat(checkpoints()).hasSize(1);
    try (StencilGrid grid = resumed().create()) {
      assertThat(grid.steps()).isEqualTo(8);
    }
  }

  /** On file systems where no two paths can be compared: each of the schemes leads there. */
  @Test
  void aRunGoesOnInItsOwnFolderThatAnotherFileSystemNames() throws IOException {
    Configuration hadoop = spark.sparkContext().hadoopConfiguration();
    hadoop.set("fs.harsh.impl", HarshFileSystem.class.getName());
    hadoop.set("fs.s3a.impl", HarshFileSystem.class.getName());
    String kept = folder.resolve("kept").toString();
    try (StencilGrid grid = builder().checkpoints("s3a://" + kept, 2).create()) {
      grid.step(4);
    }
    Path first = checkpoints().get(0);
    try (StencilGrid grid =
        resumed().resume("harsh://" + kept).checkpoints("s3a://" + kept + "/", 1).create()) {
      assertThat(grid.steps()).isEqualTo(4); // and is not refused, as of a folder that is in use
    }
    try (StencilGrid grid =
        resumed()
            .resume("harsh://" + kept)
            .checkpoints("s3a://" + kept, 1)
            .overwriteCheckpoints()
            .create()) {
      assertThat(checkpoints()).containsExactly(first);
      assertThat(grid.step(4).read("u")).isEqualTo(whole.after(8));
    }
    assertThat(checkpoints()).hasSize(1).doesNotContain(first);
  }

  /** A copy has the same names: what is removed is not what is read. */
  @Test
  void aCopyOfTheFolderIsOverwrittenWithoutHarm() throws IOException {
    try (StencilGrid grid = builder().create()) {
      grid.step(4);
    }
    Path copy = folder.resolve("copy");
    try (Stream<Path> files = Files.walk(folder.resolve("kept"))) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(folder.resolve("kept").relativize(file).toString()));
      }
    }
    try (StencilGrid grid =
        resumed().checkpoints(copy.toString(), 1).overwriteCheckpoints().create()) {
      assertThat(grid.step(4).read("u")).isEqualTo(whole.after(8));
    }
    assertThat(checkpoints()).hasSize(1);
    assertThatThrownBy(() -> resumed().checkpoints(copy.toString(), 1).create())
        .hasMessageContaining("has one already");
  }

  @Test
  void aRunWhoseFolderIsTakenOverWritesNoMoreAndSaysToWhom() throws IOException {
    try (StencilGrid first = builder().create()) {
      StencilGrid later = first.step(4);
      try (StencilGrid second = builder().takeOverCheckpoints().overwriteCheckpoints().create()) {
        assertThatThrownBy(() -> later.step(8))
            .isInstanceOf(StencilException.class)
            .hasMessageContaining(folder.resolve("kept").toString())
            .hasMessageContaining("was taken from this run")
            .hasMessageContaining("since 2");
        second.step(4);
      }
    }
    assertThat(checkpoints()).hasSize(1);
    try (StencilGrid grid = resumed().create()) {
      assertThat(grid.step(2).read("u")).isEqualTo(whole.after(6));
    }
  }

  /** Names without a run, and neither sums nor checksums: so they were before. */
  @Test
  void checkpointsOfOlderVersionsAreReadIfTheyAreWhole() throws IOException {
    try (StencilGrid grid = builder().create()) {
      grid.step(4);
    }
    Path now = checkpoints().get(0);
    Path before = now.resolveSibling("step-000000000000004");
    Files.move(now, before);
    Files.delete(before.resolve(".sums"));
    List<String> notes = new ArrayList<>();
    GridListener hears =
        new GridListener() {
          @Override
          public void progressed(GridProgress progress) {}

          @Override
          public void noted(String note) {
            notes.add(note);
          }
        };

    try (StencilGrid grid =
        resumed().checkpoints(now.getParent().toString(), 1).listener(hears).create()) {
      assertThat(grid.step(2).read("u")).isEqualTo(whole.after(6));
    }
    assertThat(notes).singleElement().asString().contains(before.toString(), "no checksums");
    assertThat(checkpoints()).doesNotContain(before).hasSize(1);

    try (StencilGrid grid = builder().overwriteCheckpoints().create()) {
      grid.step(4);
    }
    Files.move(checkpoints().get(0), before);
    Files.delete(before.resolve(".sums"));
    Files.delete(before.resolve("u/c/1/1"));
    assertThatThrownBy(() -> resumed().create())
        .isInstanceOf(StencilException.class)
        .hasMessageContaining(before.toString())
        .hasMessageContaining("chunks missing: 1");
  }
}

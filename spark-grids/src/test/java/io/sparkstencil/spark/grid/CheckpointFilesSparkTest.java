/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.grid.Receiver;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.spark.WithSpark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run goes on from is what an earlier one has written, or it is refused by name. */
@WithSpark
@Timeout(120)
final class CheckpointFilesSparkTest {
  private static final WholeGrid WHOLE = WholeGrid.heat(Boundary.REFLECT);
  private static SparkSession spark;
  @TempDir static Path written;
  @TempDir Path folder;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    try (StencilGrid grid = builder().checkpoints(written.toString(), 2).create()) {
      grid.step(8);
    }
  }

  private Path kept;

  @BeforeEach
  void copy() throws IOException {
    kept = folder.resolve("kept");
    try (Stream<Path> files = Files.walk(written)) {
      for (Path file : files.toList()) { // a folder before what lies in it
        Files.copy(file, kept.resolve(written.relativize(file)));
      }
    }
  }

  private static GridBuilder builder() {
    return WHOLE
        .builder(spark)
        .blocks(4)
        .stepsPerExchange(2)
        .receivers(List.of(new Receiver("u", new long[] {21, 16}, "near")));
  }

  private GridBuilder resumed() {
    return WHOLE.bareBuilder(spark).parameter("a", WHOLE.coefficient()).resume(kept.toString());
  }

  private Object cellsOfResumed() {
    try (StencilGrid grid = resumed().create()) {
      return grid.step(10 - grid.steps()).read("u");
    }
  }

  private Path checkpoint() throws IOException {
    try (Stream<Path> files = Files.list(kept)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("step-"))
          .findFirst()
          .orElseThrow();
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(checkpoint())) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  @Test
  void goesOnWithTheBitsOfAnUndisturbedRun() {
    assertThat(cellsOfResumed()).isEqualTo(WHOLE.after(10));
  }

  @ParameterizedTest
  @ValueSource(strings = {"u/c/0/0", "k/c/0/0", "u/zarr.json", "receivers.samples/c/0/0"})
  void aRemovedFileIsRefusedByName(String name) throws IOException {
    Files.delete(checkpoint().resolve(name));

    assertThatThrownBy(this::cellsOfResumed)
        .isInstanceOf(StencilException.class)
        .hasMessageContaining(checkpoint().resolve(name).toString())
        .hasMessageContaining("missing");
  }

  @Test
  void aChunkOfAnotherStepIsRefusedByName() throws IOException {
    Path chunk = checkpoint().resolve("u/c/0/0");
    Path other = folder.resolve("other");
    try (StencilGrid grid = builder().checkpoints(other.toString(), 1).create()) {
      grid.step(6);
    }
    try (Stream<Path> all = Files.walk(other)) {
      Path foreign = all.filter(file -> file.endsWith("u/c/0/0")).findFirst().orElseThrow();
      Files.write(chunk, Files.readAllBytes(foreign));
    }

    assertThatThrownBy(this::cellsOfResumed)
        .isInstanceOf(Exception.class)
        .hasMessageContaining(chunk.toString());
  }

  /** Whatever bit is flipped in whatever file. */
  @Test
  void everyFlippedBitIsRefusedOrChangesNoCell() throws IOException {
    Random random = new Random(48);
    int refused = 0;
    List<Path> files = files();
    for (int flip = 0; flip < 16; flip++) {
      Path file = files.get(flip % files.size());
      byte[] before = Files.readAllBytes(file);
      byte[] bytes = before.clone();
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, bytes);
      try {
        assertThat(cellsOfResumed()).as("%s, flip %d", file, flip).isEqualTo(WHOLE.after(10));
      } catch (Exception e) { // of a task, Spark declares none
        assertThat(e).hasMessageContaining(kept.toString());
        refused++;
      } finally {
        Files.write(file, before);
      }
    }
    assertThat(refused).isGreaterThan(10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\"4\"", "-4", "4.0", "6", "null", "12345678901234567890", "[4]"})
  void aStepThatIsNoNumberOfStepsIsRefused(String step) throws IOException {
    Path metadata = checkpoint().resolve("zarr.json");
    String text = Files.readString(metadata);
    assertThat(text).contains("\"step\" : 4");
    Files.writeString(
        metadata,
        text.replace(
            "\"step\" : 4", step.isEmpty() ? "\"other\" : 4" : "\"step\" : %s".formatted(step)));

    assertThatThrownBy(() -> resumed().create())
        .isInstanceOf(StencilException.class)
        .hasMessageContaining(metadata.toString())
        .hasMessageContaining("step");
  }

  @Test
  void aCheckpointThatIsNotCompleteIsPassedOverAndRemovedByTheNextRun() throws IOException {
    Path complete = checkpoint();
    Path left = kept.resolve("step-000000000000099-0123abcd");
    Files.createDirectories(left.resolve("u/c/0"));
    Files.writeString(left.resolve("u/c/0/0"), "half");
    Files.copy(kept.resolve("zarr.json"), left.resolve("zarr.json")); // a group, and no more

    assertThat(cellsOfResumed()).isEqualTo(WHOLE.after(10));
    assertThat(left).exists(); // of another run, perhaps
    try (StencilGrid grid = resumed().checkpoints(kept.toString(), 1).create()) {
      assertThat(grid.steps()).isEqualTo(4);
      assertThat(left).doesNotExist();
      assertThat(complete).exists();
    }
  }

  @Test
  void aFolderWithCheckpointsIsRefusedToANewRun() {
    GridBuilder builder = builder().checkpoints(kept.toString(), 2);

    assertThatThrownBy(builder::create)
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining(kept.toString())
        .hasMessageContaining("step-000000000000004")
        .hasMessageContaining("--resume")
        .hasMessageContaining("--overwrite");
    assertThat(cellsOfResumed()).isEqualTo(WHOLE.after(10));
  }

  @Test
  void aCheckpointThatCannotBeReadIsRefusedToANewRunToo() throws IOException {
    Path metadata = checkpoint().resolve("zarr.json");
    Files.writeString(metadata, Files.readString(metadata).replace("complete", "complEte"));

    assertThatThrownBy(() -> builder().checkpoints(kept.toString(), 2).create())
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining(checkpoint().getFileName().toString());
    assertThatThrownBy(() -> resumed().create())
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining(checkpoint().getFileName().toString());
  }

  @Test
  void aFolderOfARunningGridIsRefusedToAnother() throws IOException {
    Path shared = folder.resolve("shared");
    try (StencilGrid grid = builder().checkpoints(shared.toString(), 2).create()) {
      assertThatThrownBy(() -> builder().checkpoints(shared.toString(), 2).create())
          .isInstanceOf(InvalidStencilException.class)
          .hasMessageContaining(shared.toString())
          .hasMessageContaining(System.getProperty("user.name"))
          .hasMessageContaining("since 2");
      assertThat(grid.step(8).metrics().checkpoints()).isPositive();
    }
    assertThat(shared.resolve(".owner")).doesNotExist();
    try (Stream<Path> all = Files.walk(shared)) {
      assertThat(all.sorted(Comparator.reverseOrder()).map(Path::toString))
          .noneMatch(name -> name.endsWith(".tmp"));
    }
  }
}

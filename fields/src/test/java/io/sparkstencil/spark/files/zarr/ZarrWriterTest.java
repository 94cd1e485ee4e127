/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.zarr;

import static io.sparkstencil.spark.files.FieldFixtures.HADOOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldFixtures;
import io.sparkstencil.spark.files.FieldWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ZarrWriterTest {
  private static final List<Long> SOLID = List.of(3L, 4L, 5L);

  private static final ZarrLayout LAYOUT =
      ZarrLayout.of(ElementType.F32, SOLID, Extent.of(2, 4, 3));

  @TempDir private Path folder;

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  private static void write(FieldWriter writer, Box box) {
    double[] cells = FieldFixtures.cells(SOLID, box, "f4");
    writer.write(box, FieldFixtures.typed(cells, writer.type()), HADOOP);
  }

  private static void writeAll(FieldWriter writer) {
    // Of one chunk, and of two.
    write(writer, new Box(List.of(0L, 0L, 3L), Extent.of(2, 4, 2)));
    write(writer, new Box(List.of(0L, 0L, 0L), Extent.of(2, 4, 3)));
    write(writer, new Box(List.of(2L, 0L, 0L), Extent.of(1, 4, 5)));
    writer.commit(HADOOP);
  }

  @ParameterizedTest
  @EnumSource
  void readsBackWhatItWrote(ZarrCompression compression) throws IOException {
    for (ElementType type : List.of(ElementType.F32, ElementType.F64)) {
      ZarrLayout layout =
          ZarrLayout.of(type, SOLID, Extent.of(2, 4, 3)).withCompression(compression);
      String path = path("%s-%s".formatted(type, compression));
      writeAll(ZarrArray.create(path, layout, HADOOP));
      writeAll(ZarrArray.create(path + "-bare", layout.withoutChecksums(), HADOOP));

      for (String each : List.of(path, path + "-bare")) {
        try (ZarrArray array = ZarrArray.open(each, HADOOP)) {
          assertThat(array.type()).isEqualTo(type);
          for (Box box : FieldFixtures.boxes(SOLID)) {
            assertThat(FieldFixtures.doubles(array.read(box, type)))
                .isEqualTo(FieldFixtures.cells(SOLID, box, "f4"));
          }
        }
      }
    }
    assertThat(files()).allMatch(file -> file.matches(".*/(zarr\\.json|c/\\d/\\d/\\d)"));
  }

  @Test
  void describesTheArray() throws IOException {
    ZarrLayout layout =
        LAYOUT
            .withFill(Double.NaN)
            .withDimensionNames(List.of("z", "y", "x"))
            .withAttributes(Map.of("units", "K"));
    ZarrArray.create(path("u"), layout, HADOOP).commit(HADOOP);

    assertThat(files()).containsExactly("u/zarr.json");
    try (ZarrArray array = ZarrArray.open(path("u"), HADOOP)) {
      assertThat(array.dimensionNames()).containsExactly("z", "y", "x");
      assertThat(array.attributes()).isEqualTo(Map.of("units", "K"));
      assertThat(array.chunks()).isEqualTo(Extent.of(2, 4, 3));
      assertThat((float[]) array.read(FieldFixtures.whole(SOLID), ElementType.F32))
          .containsOnly(Float.NaN);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "whole"})
  void isNoArrayBeforeTheCommitAndGoneAfterAnAbort(String scheme) throws IOException {
    String path = "%s://%s".formatted(scheme, path("u"));
    FieldWriter writer = ZarrArray.create(path, LAYOUT, HADOOP);
    Box chunk = new Box(List.of(0L, 0L, 0L), Extent.of(2, 4, 3));
    write(writer, chunk);
    write(writer, chunk);

    assertThat(files()).containsExactly("u/c/0/0/0");
    assertThatThrownBy(() -> ZarrArray.open(path, HADOOP)).isInstanceOf(FieldFileException.class);
    writer.abort(HADOOP);
    writer.abort(HADOOP);
    assertThat(folder).isEmptyDirectory();
  }

  @ParameterizedTest
  @EnumSource
  void everyFlippedBitOfAChunkIsFound(ZarrCompression compression) throws IOException {
    writeAll(ZarrArray.create(path("u"), LAYOUT.withCompression(compression), HADOOP));
    Path chunk = folder.resolve("u/c/0/0/1");
    byte[] whole = Files.readAllBytes(chunk);
    Random random = new Random(4);
    try (ZarrArray array = ZarrArray.open(path("u"), HADOOP)) {
      for (int flip = 0; flip < 500; flip++) {
        byte[] bytes = whole.clone();
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        Files.write(chunk, bytes);
        assertThatThrownBy(() -> array.read(FieldFixtures.whole(SOLID), ElementType.F32))
            .isInstanceOf(FieldFileException.class)
            .hasMessageContaining("u/c/0/0/1")
            .hasMessageContaining("checksum");
      }
      Files.write(chunk, whole);
      assertThat(FieldFixtures.doubles(array.read(FieldFixtures.whole(SOLID), ElementType.F32)))
          .isEqualTo(FieldFixtures.cells(SOLID, FieldFixtures.whole(SOLID), "f4"));
    }
  }

  @Test
  void refusesPartsOfChunksAndFoldersWithContent() {
    FieldWriter writer = ZarrArray.create(path("u"), LAYOUT, HADOOP);

    assertThatThrownBy(() -> write(writer, new Box(List.of(0L, 0L, 0L), Extent.of(1, 4, 3))))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("cuts chunks of [2, 4, 3]");
    assertThatThrownBy(() -> write(writer, new Box(List.of(0L, 0L, 1L), Extent.of(2, 4, 2))))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("write whole chunks");
    writeAll(writer);
    assertThatThrownBy(() -> ZarrArray.create(path("u"), LAYOUT, HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("exists already");
  }

  @Test
  void refusesLayoutsThatDoNotFit() {
    assertThatThrownBy(() -> ZarrLayout.of(ElementType.F32, SOLID, Extent.of(2, 4)))
        .isInstanceOf(FieldFileException.class);
    assertThatThrownBy(() -> ZarrLayout.of(ElementType.I32, SOLID, Extent.of(1, 1, 1)))
        .isInstanceOf(FieldFileException.class);
    assertThatThrownBy(() -> LAYOUT.withDimensionNames(List.of("x")))
        .isInstanceOf(FieldFileException.class);
    assertThatThrownBy(() -> LAYOUT.withAttributes(Map.of("a", new Object())))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("attributes");
    assertThatThrownBy(
            () ->
                ZarrLayout.of(ElementType.F32, List.of(1L << 32), Extent.of(Integer.MAX_VALUE - 8)))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("use chunks of at most 268435455 cells");
  }

  /** Sizes that are prime would be cut into rows, or cells, with a file for each. */
  @Test
  void largeBoxesThatCannotBeCutIntoLargePartsStayWhole() {
    for (Extent box : List.of(Extent.of(134_217_757), Extent.of(11_587, 11_587))) {
      List<Long> shape = box.sizes().stream().map(size -> 2L * size).toList();
      assertThat(ZarrLayout.ofBoxes(ElementType.F32, shape, box).chunks()).isEqualTo(box);
      assertThat(ZarrLayout.ofBoxes(ElementType.F64, shape, box).chunks()).isEqualTo(box);
    }
    Extent rows = Extent.of(46_337, 46_337); // too many cells for one chunk
    assertThat(ZarrLayout.ofBoxes(ElementType.F32, List.of(46_337L, 92_674L), rows).chunks())
        .isEqualTo(Extent.of(1, 46_337));
    assertThatThrownBy(
            () ->
                ZarrLayout.ofBoxes(ElementType.F32, List.of(268_435_459L), Extent.of(268_435_459)))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("use chunks of at most 268435455 cells");
  }

  @Test
  void largeBoxesHaveSeveralChunks() {
    Extent block = Extent.of(512, 512, 1024); // of a gigabyte, as GPUs hold them
    List<Long> shape = List.of(8192L, 1024L, 1024L);
    assertThat(ZarrLayout.ofBoxes(ElementType.F32, shape, block).chunks())
        .isEqualTo(Extent.of(256, 512, 1024));
    assertThat(ZarrLayout.ofBoxes(ElementType.F64, shape, block).chunks())
        .isEqualTo(Extent.of(128, 512, 1024));
    assertThat(ZarrLayout.ofBoxes(ElementType.F32, shape, Extent.of(256, 512, 1024)).chunks())
        .isEqualTo(Extent.of(256, 512, 1024));

    assertThat(ZarrLayout.chunks(Extent.of(7, 9), 21)).isEqualTo(Extent.of(7, 3));
    assertThat(ZarrLayout.chunks(Extent.of(7, 11), 76)).isEqualTo(Extent.of(1, 11));
    assertThat(ZarrLayout.chunks(Extent.of(7, 11), 3)).isEqualTo(Extent.of(1, 1));
    assertThat(ZarrLayout.chunks(Extent.of(1, 12, 1), 5)).isEqualTo(Extent.of(1, 4, 1));
    assertThat(ZarrLayout.chunks(Extent.of(13), 13)).isEqualTo(Extent.of(13));
  }
}

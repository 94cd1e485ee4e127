/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.tiff;

import static io.sparkstencil.spark.files.FieldFixtures.HADOOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldFixtures;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.FieldWriter;
import io.sparkstencil.spark.files.StoredFile;
import io.sparkstencil.spark.files.cells.FieldLabels;
import io.sparkstencil.spark.files.cells.FileArray;
import io.sparkstencil.spark.files.paths.FieldPaths;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rasters that are written are read again; read_back.py says what GDAL and rasterio make of them.
 */
final class TiffWriterTest {
  @TempDir private static Path temporary;
  private static Path folder;

  @BeforeAll
  static void unpack() throws IOException {
    folder = FieldFixtures.unpack("small", temporary).resolve("tiff");
  }

  private static String path(String name) {
    return temporary.resolve(name).toString();
  }

  /** Cells of every size, some of them missing. */
  private static Object cells(ElementType type, Box box, List<Long> shape) {
    double[] cells = new double[box.cells()];
    for (int i = 0; i < cells.length; i++) {
      long row = box.start(0) + i / box.size(1);
      long column = box.start(1) + i % box.size(1);
      Random random = new Random(row * shape.get(1) + column);
      double cell = Math.scalb(random.nextDouble() - 0.5, random.nextInt(40) - 20);
      cells[i] = random.nextInt(9) == 0 ? Double.NaN : cell;
    }
    return FieldFixtures.typed(cells, type);
  }

  private static void write(FieldWriter writer, List<Long> shape, Extent boxes) {
    for (long row = 0; row < shape.get(0); row += boxes.size(0)) {
      for (long column = 0; column < shape.get(1); column += boxes.size(1)) {
        Box box =
            Box.between(
                List.of(row, column),
                List.of(
                    Math.min(shape.get(0), row + boxes.size(0)),
                    Math.min(shape.get(1), column + boxes.size(1))));
        Object cells = cells(writer.type(), box, shape);
        writer.write(box, cells, HADOOP);
        writer.write(box, cells, HADOOP); // a task that is repeated
      }
    }
    writer.commit(HADOOP);
  }

  private static void requireCells(String path, ElementType type, List<Long> shape) {
    try (FieldReader field = FieldPaths.open(path, HADOOP)) {
      assertThat(field.shape()).isEqualTo(shape);
      assertThat(field.type()).isEqualTo(type);
      Box whole = FieldFixtures.whole(shape);
      assertThat(field.read(whole, type)).isEqualTo(cells(type, whole, shape));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = ElementType.class,
      names = {"F32", "F64"})
  void cellsAreThoseThatWereWritten(ElementType type) throws IOException {
    List<Long> shape = List.of(70L, 100L);
    for (Extent boxes : List.of(Extent.of(70, 100), Extent.of(32, 100), Extent.of(48, 64))) {
      String path = path("cells-%s-%d.tif".formatted(type, boxes.cells()));
      write(FieldPaths.create(path, type, shape, boxes, HADOOP), shape, boxes);
      requireCells(path, type, shape);
    }
    try (var left = Files.list(temporary)) {
      assertThat(left.map(each -> each.getFileName().toString()))
          .allMatch(name -> name.endsWith(".tif") || name.equals("small"));
    }
  }

  @Test
  void aLargeRasterIsBigTiff() throws IOException {
    List<Long> shape = List.of(40L, 50L);
    Extent boxes = Extent.of(16, 50);
    String path = path("big.tif");
    TiffWriter usual =
        TiffWriter.begin(StoredFile.of(path, HADOOP), ElementType.F64, shape, boxes, Map.of());
    write(
        new TiffWriter(
            path, usual.folder(), shape, ElementType.F64, usual.tile(), usual.place(), 2000),
        shape,
        boxes);
    assertThat(Files.readAllBytes(Path.of(path))).startsWith('I', 'I', 43, 0, 8, 0, 0, 0);
    requireCells(path, ElementType.F64, shape);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lzw.tif[0]", "lzw.tif[1,2:5,3:]", "big.tif[0]"})
  void aRasterLiesWhereItsCellsCameFrom(String name) {
    String source = folder.resolve(name).toString();
    FieldLabels before = FieldPaths.labels(source, false, HADOOP);
    List<Long> shape;
    try (FieldReader field = FieldPaths.open(source, HADOOP)) {
      shape = field.shape();
    }
    Extent all = new Extent(shape.stream().map(Math::toIntExact).toList());
    String path = path("placed.tif");
    FieldWriter writer =
        FieldPaths.create(path, ElementType.F32, shape, all, before.attributes(), HADOOP);
    write(writer, shape, all);
    FieldLabels after = FieldPaths.labels(path, false, HADOOP);
    assertThat(after.coordinates().keySet()).containsExactly("x", "y");
    for (String axis : List.of("x", "y")) {
      assertThat(after.coordinates().get(axis).values())
          .isEqualTo(before.coordinates().get(axis).values());
    }
    assertThat(after.attributes()).isEqualTo(before.attributes());
    try (FieldReader field = FieldPaths.open(path, HADOOP)) {
      assertThat(((FileArray) field).attributes()).containsKey("ModelTiepoint");
    }
  }

  @Test
  void aMatrixMovesWithAPart() {
    Map<String, Object> whole =
        Map.of(
            "ModelTransformation",
            List.of(
                2.0, 1.0, 0.0, 10.0, 0.5, -3.0, 0.0, 20.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0));
    assertThat(GeoTransform.ofPart(whole, 4, 7).get("ModelTransformation"))
        .isEqualTo(
            List.of(
                2.0, 1.0, 0.0, 28.0, 0.5, -3.0, 0.0, 11.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0));
  }

  @Test
  void whatIsNoPlaceOnTheEarthIsLeftOut() {
    assertThat(
            GeoTransform.tagsOf(
                Map.of(
                    "units",
                    "m",
                    "ModelTiepoint",
                    List.of("a"),
                    "GeoAsciiParams",
                    3,
                    "ModelPixelScale",
                    List.of(1, 2, 3))))
        .containsOnlyKeys("ModelPixelScale");
  }

  @Test
  void whatIsNoPlaceOnTheEarthIsNotMoved() {
    Map<String, Object> whole =
        Map.of(
            "ModelTiepoint",
            List.of("a", "b", "c", "d", "e", "f"),
            "ModelTransformation",
            Collections.nCopies(16, "a"));
    assertThat(GeoTransform.ofPart(whole, 4, 7)).isEqualTo(whole);
  }

  @Test
  void textsOfKeysKeepTheirBytes() throws IOException {
    List<Long> shape = List.of(16L, 16L);
    Extent all = Extent.of(16, 16);
    Map<String, Object> place = Map.of("GeoAsciiParams", "M\u00fcnchen|\0 zone 32|\0");
    String path = path("texts.tif");
    write(FieldPaths.create(path, ElementType.F32, shape, all, place, HADOOP), shape, all);
    assertThat(FieldPaths.labels(path, false, HADOOP).attributes()).containsAllEntriesOf(place);
    assertThat(new String(Files.readAllBytes(Path.of(path)), StandardCharsets.ISO_8859_1))
        .contains("M\u00fcnchen|\0 zone 32|\0\0");
  }

  @ParameterizedTest
  @EnumSource(
      value = ElementType.class,
      names = {"I32", "I64"})
  void refusesIntegers(ElementType type) {
    assertThatThrownBy(
            () ->
                FieldPaths.create(
                    path("no.tif"), type, List.of(16L, 16L), Extent.of(16, 16), HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("use F32 or F64");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "65537,65536 | 16,16 | has 16781312 tiles of [16, 16] cells, more than 16777216; use boxes that are multiples of 256",
        "5      | 5     | has the shape [5]; TIFF files have rows and columns",
        "5,6,7  | 5,6,7 | has the shape [5, 6, 7]; TIFF files have rows and columns",
        "100,50 | 30,50 | is written in boxes of 30 cells along an axis of 100; use a multiple of 16"
      })
  void refusesWhatIsNoRaster(String shape, String boxes, String says) {
    List<Long> sizes = List.of(shape.split(",")).stream().map(Long::valueOf).toList();
    Extent extent = new Extent(List.of(boxes.split(",")).stream().map(Integer::valueOf).toList());
    assertThatThrownBy(
            () -> FieldPaths.create(path("no.tif"), ElementType.F32, sizes, extent, HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining(says);
  }

  @Test
  void everyTileIsWrittenOnce() {
    List<Long> shape = List.of(40L, 50L);
    FieldWriter writer =
        FieldPaths.create(path("torn.tif"), ElementType.F32, shape, Extent.of(16, 50), HADOOP);
    Box box = Box.between(List.of(0L, 0L), List.of(16L, 50L));
    Box apart = Box.between(List.of(8L, 0L), List.of(24L, 50L));
    assertThatThrownBy(() -> writer.write(apart, new float[16 * 50], HADOOP))
        .hasMessageContaining("is not made of whole tiles of [16, 64] cells");
    writer.write(box, cells(ElementType.F32, box, shape), HADOOP);
    assertThatThrownBy(() -> writer.commit(HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("the tile of row 1 and column 0 of")
        .hasMessageContaining("was written by no task");
    Box twice = Box.between(List.of(0L, 0L), List.of(32L, 50L));
    writer.write(twice, cells(ElementType.F32, twice, shape), HADOOP);
    assertThatThrownBy(() -> writer.commit(HADOOP))
        .hasMessageContaining("the tile of row 0 and column 0 of")
        .hasMessageContaining("was written in two boxes");
    writer.abort(HADOOP);
    assertThat(temporary.resolve("torn.tif")).doesNotExist();
  }
}

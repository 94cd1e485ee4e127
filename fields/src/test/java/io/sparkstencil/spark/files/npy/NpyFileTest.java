/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.npy;

import static io.sparkstencil.spark.files.FieldFixtures.HADOOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldFixtures;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class NpyFileTest {
  @TempDir private static Path folder;

  @BeforeAll
  static void unpack() throws IOException {
    FieldFixtures.unpack("npy", folder);
  }

  private static String path(String name) {
    return folder.resolve("npy/%s.npy".formatted(name)).toString();
  }

  private static List<String> types() {
    return Stream.concat(
            Stream.of("b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8")
                .map("little-"::concat),
            Stream.of("i2", "i4", "i8", "u2", "u4", "u8", "f4", "f8").map("big-"::concat))
        .toList();
  }

  private static void assertReads(String name, String type, List<Long> shape) {
    try (NpyFile file = NpyFile.open(path(name), HADOOP)) {
      assertThat(file.shape()).isEqualTo(shape);
      for (Box box : FieldFixtures.boxes(shape)) {
        for (ElementType as : List.of(ElementType.F32, ElementType.F64)) {
          Object cells = file.read(box, as);
          assertThat(cells).isInstanceOf(as.newArray(0).getClass());
          assertThat(FieldFixtures.doubles(cells))
              .as("%s of %s as %s", box, name, as)
              .isEqualTo(FieldFixtures.cells(shape, box, type));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("types")
  void readsEveryType(String name) {
    assertReads(name, name.substring(name.length() - 2), List.of(5L, 7L));
  }

  @ParameterizedTest
  @CsvSource({
    "line, f8, 13",
    "solid, f4, 3x4x5",
    "version2, f4, 5x7",
    "version3, f4, 5x7",
    "fortran-plane, f4, 5x7",
    "fortran-solid, f8, 3x4x5"
  })
  void readsEveryVersionAndOrderOfAxes(String name, String type, String shape) {
    assertReads(name, type, Stream.of(shape.split("x")).map(Long::valueOf).toList());
  }

  @Test
  void readsSpecialNumbersBitForBit() {
    try (NpyFile file = NpyFile.open(path("special"), HADOOP)) {
      float[] cells = (float[]) file.read(Box.whole(Extent.of(6)), ElementType.F32);

      assertThat(cells)
          .containsExactly(
              Float.NaN,
              Float.POSITIVE_INFINITY,
              Float.NEGATIVE_INFINITY,
              -0.0f,
              Float.MIN_VALUE,
              3.4e38f);
      assertThat(Float.floatToRawIntBits(cells[3])).isEqualTo(Integer.MIN_VALUE);
    }
  }

  @Test
  void roundsWideIntegersOnce() {
    try (NpyFile signed = NpyFile.open(path("wide"), HADOOP);
        NpyFile unsigned = NpyFile.open(path("wide-unsigned"), HADOOP)) {
      Box three = Box.whole(Extent.of(3));

      assertThat(signed.type()).isEqualTo(ElementType.F64);
      assertThat((double[]) signed.read(three, ElementType.F64))
          .containsExactly(0x1p53, -0x1p62, 0x1p63);
      assertThat((double[]) unsigned.read(three, ElementType.F64))
          .containsExactly(0x1p64, 0x1p63 + 2048, 7);
      assertThat((float[]) unsigned.read(three, ElementType.F32))
          .containsExactly(0x1p64f, 0x1p63f, 7f);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "refused-object, |O",
    "refused-record, several numbers",
    "refused-complex, <c8",
    "refused-scalar, 0 axes",
    "refused-empty, no cells"
  })
  void refusesOtherArraysWithTheirKind(String name, String says) {
    assertThatThrownBy(() -> NpyFile.open(path(name), HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining(name + ".npy")
        .hasMessageContaining(says);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'more': '1'}",
        "{'descr': '<f4', 'descr': '<f4', 'shape': (2,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999999999999,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (999999999, 999999999, 99)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2",
        "{'descr': '\\x3cf4', 'fortran_order': False, 'shape': (2,)}",
        "{'descr': __import__('os'), 'fortran_order': False, 'shape': (2,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '', 'fortran_order': False, 'shape': (2,)}",
        ""
      })
  void refusesHeadersThatNumpyDoesNotWrite(String header) throws IOException {
    Path file = folder.resolve("header.npy");
    byte[] text = (header + "\n").getBytes(StandardCharsets.ISO_8859_1);
    byte[] bytes = new byte[10 + text.length + 8];
    System.arraycopy(Files.readAllBytes(Path.of(path("line"))), 0, bytes, 0, 8);
    bytes[8] = (byte) text.length;
    System.arraycopy(text, 0, bytes, 10, text.length);
    Files.write(file, bytes);

    assertThatThrownBy(() -> NpyFile.open(file.toString(), HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("header.npy");
  }

  @Test
  void namesMissingFilesAndBoxesOutside() {
    assertThatThrownBy(() -> NpyFile.open(path("none"), HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("none.npy")
        .hasMessageContaining("check the path");
    try (NpyFile file = NpyFile.open(path("line"), HADOOP)) {
      assertThatThrownBy(() -> file.read(new Box(List.of(12L), Extent.of(2)), ElementType.F32))
          .isInstanceOf(FieldFileException.class)
          .hasMessageContaining("outside the shape [13]");
      assertThatThrownBy(() -> file.read(Box.whole(Extent.of(1, 1)), ElementType.F32))
          .isInstanceOf(FieldFileException.class)
          .hasMessageContaining("1 axes");
      assertThatThrownBy(() -> file.read(Box.whole(Extent.of(1)), ElementType.I32))
          .isInstanceOf(FieldFileException.class)
          .hasMessageContaining("use F32 or F64");
    }
  }

  /** Wide enough for several windows: runs near to each other, far apart, and longer than one. */
  @Test
  void readsBoxesOfFilesLongerThanItsBuffer() {
    List<Long> shape = List.of(3L, 1000L, 700L);
    double[] cells = FieldFixtures.cells(shape, FieldFixtures.whole(shape), "f8");
    String path = folder.resolve("long.npy").toString();
    NpyFile.write(path, Extent.of(3, 1000, 700), cells, HADOOP);

    try (NpyFile file = NpyFile.open(path, HADOOP)) {
      for (Box box :
          List.of(
              FieldFixtures.whole(shape),
              new Box(List.of(0L, 10L, 100L), Extent.of(3, 950, 3)),
              new Box(List.of(1L, 10L, 0L), Extent.of(2, 20, 700)))) {
        assertThat((double[]) file.read(box, ElementType.F64))
            .isEqualTo(FieldFixtures.cells(shape, box, "f8"));
      }
    }
  }
}

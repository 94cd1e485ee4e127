/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.hdf5;

import static io.sparkstencil.spark.files.FieldFixtures.HADOOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldFixtures;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.cells.FileArray;
import io.sparkstencil.spark.files.paths.FieldPaths;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays that h5py and netCDF4 wrote. */
final class Hdf5FileTest {
  private static final List<Long> SHAPE = List.of(6L, 7L);

  @TempDir private static Path temporary;
  private static Path folder;

  @BeforeAll
  static void unpack() throws IOException {
    folder = FieldFixtures.unpack("small", temporary);
  }

  private static Stream<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(folder.resolve("hdf5"))) {
      return all.sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void cellsAreThoseThatWereWritten(Path file) {
    try (FieldReader field = FieldPaths.open(file + "/group/u", HADOOP);
        FieldReader raw = FieldPaths.openRaw(file + "/group/u", HADOOP)) {
      assertThat(field.shape()).isEqualTo(SHAPE);
      assertThat(field.type()).isEqualTo(ElementType.F32);
      assertThat(field.decoding()).contains("int16 times 0.5, NaN below -40, NaN above 40");
      for (Box box : FieldFixtures.boxes(SHAPE)) {
        double[] stored = FieldFixtures.cells(SHAPE, box, "i2");
        double[] meant = stored.clone();
        for (int i = 0; i < meant.length; i++) {
          meant[i] = Math.abs(stored[i]) > 40 ? Double.NaN : stored[i] * 0.5;
        }
        assertThat((double[]) raw.read(box, ElementType.F64)).isEqualTo(stored);
        assertThat((double[]) field.read(box, ElementType.F64)).isEqualTo(meant);
        assertThat(field.heapBytes(box)).isGreaterThanOrEqualTo(8L * box.cells());
        assertThat(field.pieces(box, 3).stream().mapToInt(Box::cells).sum()).isEqualTo(box.cells());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"earliest-gzip", "latest-gzip"})
  void attributesComeWithTheArray(String name) {
    String path = folder.resolve("hdf5/%s.h5/group/u".formatted(name)).toString();
    try (FieldReader field = FieldPaths.open(path, HADOOP)) {
      assertThat(((FileArray) field).attributes())
          .containsEntry("units", "K")
          .containsEntry("scale_factor", 0.5)
          .containsEntry("valid_range", List.of(-40L, 40L))
          .containsEntry("note 11", "more");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"long", "numbers", "texts", "kinds"})
  void attributesThatNothingIsDecodedByDoNotKeepAnArrayFromBeingRead(String name) {
    String path = folder.resolve("attributes/%s.h5/u".formatted(name)).toString();
    Box whole = FieldFixtures.whole(SHAPE);
    try (FieldReader field = FieldPaths.open(path, HADOOP)) {
      double[] expected = FieldFixtures.cells(SHAPE, whole, "i2");
      assertThat((double[]) field.read(whole, ElementType.F64))
          .isEqualTo(Arrays.stream(expected).map(cell -> 0.5 * cell).toArray());
      assertThat(((FileArray) field).attributes()).containsEntry("units", "K");
    }
  }

  @Test
  void listsOfManyTextsAreRead() {
    try (FieldReader field =
        FieldPaths.open(folder.resolve("attributes/texts.h5/u") + "", HADOOP)) {
      assertThat(((FileArray) field).attributes().get("comments"))
          .asInstanceOf(InstanceOfAssertFactories.LIST)
          .hasSize(3000)
          .endsWith("remark 2999");
    }
  }

  @Test
  void anAttributeThatDecodesIsNeverPassedOver() {
    String path = folder.resolve("attributes/needed.h5/u").toString();
    assertThatThrownBy(() -> FieldPaths.open(path, HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("the attribute valid_range of compound values")
        .hasMessageContaining("stored numbers as they are (raw)");
    try (FieldReader raw = FieldPaths.openRaw(path, HADOOP)) {
      assertThat((double[]) raw.read(FieldFixtures.whole(SHAPE), ElementType.F64))
          .isEqualTo(FieldFixtures.cells(SHAPE, FieldFixtures.whole(SHAPE), "i2"));
    }
  }

  @Test
  void aSliceOfAllNamesAnArrayWhoseOwnNameEndsInBrackets() {
    String path = folder.resolve("brackets/brackets.h5/u[0]").toString();
    try (FieldReader whole = FieldPaths.open(path + "[:]", HADOOP);
        FieldReader row = FieldPaths.open(path + "[2]", HADOOP)) {
      assertThat(whole.shape()).isEqualTo(SHAPE);
      assertThat(row.shape()).containsExactly(7L);
    }
    assertThatThrownBy(() -> FieldPaths.open(path, HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("of the arrays [u[0]]; name one of them, such as ")
        .hasMessageContaining(path + "[:]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"netcdf4-fixed", "netcdf4-grows"})
  void axesOfNetcdfHaveNames(String name) {
    String path = folder.resolve("netcdf/%s.nc/group/u".formatted(name)).toString();
    try (FieldReader field = FieldPaths.open(path, HADOOP);
        FieldReader row = FieldPaths.open(path + "[y=3]", HADOOP)) {
      assertThat(field.dimensionNames()).containsExactly("y", "x");
      assertThat(row.shape()).containsExactly(7L);
      assertThat(field.decoding()).contains("int16 times 0.5, NaN where -50");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hdf5/latest-gzip.h5|is a group, of the groups [group]; name an array in one of them",
        "hdf5/latest-plain.h5/group|is a group, of the arrays [u]; name one of them, such as",
        "hdf5/earliest-plain.h5/group/v|there is no",
        "hdf5/earliest-plain.h5/none/deep/u|of the groups [group]",
        "hdf5/earliest-plain.h5/group/u/more|there is no",
        "netcdf/netcdf4-fixed.nc/t2m|of the arrays [x, y] and the groups [group]"
      })
  void namesWhatThereIs(String name, String says) {
    assertThatThrownBy(() -> FieldPaths.open(folder.resolve(name).toString(), HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining(folder.toString())
        .hasMessageContaining(says);
  }

  @Test
  void chunksHaveALimit() {
    Configuration small = new Configuration(HADOOP);
    small.setLong(Hdf5File.CHUNK_BYTES, 83);
    String path = folder.resolve("hdf5/latest-single.h5/group/u").toString();
    assertThatThrownBy(() -> FieldPaths.open(path, small))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("chunks of 84 bytes, more than the 83 that stencil.hdf5.chunk.bytes")
        .hasMessageContaining("; raise it, or store smaller chunks");
  }

  @ParameterizedTest
  @ValueSource(strings = {"latest-plain", "latest-gzip", "latest-first", "latest-all"})
  void aFlippedBitOfMetadataIsFound(String name) throws IOException {
    byte[] bytes = Files.readAllBytes(folder.resolve("hdf5/%s.h5".formatted(name)));
    int header = indexOf(bytes, "OHDR", 60);
    bytes[header + 9] ^= 4;
    Path broken = Files.write(temporary.resolve(name + "-flipped.h5"), bytes);
    assertThatThrownBy(() -> FieldPaths.open(broken + "/group/u", HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("the checksum of the structure at")
        .hasMessageContaining("is the file broken?");
  }

  private static int indexOf(byte[] bytes, String letters, int from) {
    return new String(bytes, StandardCharsets.ISO_8859_1).indexOf(letters, from);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7, 100, 500, 2000, 6000})
  void aFileThatWasCutOffIsRefused(int length) throws IOException {
    byte[] bytes = Files.readAllBytes(folder.resolve("hdf5/latest-all.h5"));
    Path cut = temporary.resolve("cut-%d.h5".formatted(length));
    Files.write(cut, Arrays.copyOf(bytes, length));
    assertThatThrownBy(
            () -> {
              try (FieldReader field = FieldPaths.open(cut + "/group/u", HADOOP)) {
                field.read(FieldFixtures.whole(SHAPE), ElementType.F64);
              }
            })
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining(cut.getFileName().toString());
  }

  @Test
  void linksThatLeadInACircleEnd() {

    assertThatThrownBy(
            () -> FieldPaths.open(folder.resolve("circle/circle.h5/first/u").toString(), HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("links lead to links more than 32 times");
  }
}

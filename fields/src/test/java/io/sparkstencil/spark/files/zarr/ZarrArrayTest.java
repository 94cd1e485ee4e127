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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads what zarr-python wrote. */
final class ZarrArrayTest {
  @TempDir private static Path temporary;
  private static Path folder;

  @BeforeAll
  static void unpack() throws IOException {
    folder = FieldFixtures.unpack("zarr", temporary);
  }

  private static ZarrArray open(String name) {
    return ZarrArray.open(folder.resolve(name).toString(), HADOOP);
  }

  private static void assertReads(String name, String type, String sizes) {
    List<Long> shape = Stream.of(sizes.split("x")).map(Long::valueOf).toList();
    try (ZarrArray array = open(name)) {
      assertThat(array.shape()).isEqualTo(shape);
      for (Box box : FieldFixtures.boxes(shape)) {
        for (ElementType as : List.of(ElementType.F32, ElementType.F64)) {
          Object cells = array.read(box, as);
          assertThat(cells).isInstanceOf(as.newArray(0).getClass());
          assertThat(FieldFixtures.doubles(cells))
              .as("%s of %s as %s", box, name, as)
              .isEqualTo(FieldFixtures.cells(shape, box, type));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"})
  void readsEveryType(String type) {
    assertReads("v3/type-" + type, type, "5x7");
  }

  @ParameterizedTest
  @CsvSource({
    "v3/edge, f4, 5x7",
    "v3/line, f8, 13",
    "v3/solid, f8, 3x4x5",
    "v3/gzip, f4, 5x7",
    "v3/zstd, f4, 5x7",
    "v3/checksum, f4, 5x7",
    "v3/big, f4, 5x7",
    "v3/transpose, f4, 5x7",
    "v3/transpose-solid, f4, 3x4x5",
    "v3/transpose-twice, f4, 3x4x5",
    "v3/keys, f4, 5x7",
    "v3/keys-points, f4, 5x7",
    "v3/named, f4, 5x7",
    "v3/shards, f4, 5x7",
    "v3/shards-start, f4, 5x7",
    "v3/shards-turned, f4, 12x12",
    "v3/blosc, f4, 5x7",
    "v3/group/u, f4, 5x7"
  })
  void readsEveryCodecAndKeyOfVersion3(String name, String type, String shape) {
    assertReads(name, type, shape);
  }

  @ParameterizedTest
  @CsvSource({
    "v2/none, f4, 5x7",
    "v2/big, f8, 5x7",
    "v2/small, u1, 5x7",
    "v2/fortran, f4, 5x7",
    "v2/fortran-solid, f4, 3x4x5",
    "v2/zlib, f4, 5x7",
    "v2/gzip, f4, 5x7",
    "v2/zstd, f4, 5x7",
    "v2/slashes, f4, 5x7",
    "v2/named, f4, 5x7",
    "v2/blosc-lz4, f4, 40x70",
    "v2/blosc-lz4hc, f4, 40x70",
    "v2/blosc-zlib, f4, 40x70",
    "v2/blosc-zstd, f4, 40x70",
    "v2/blosc-plain, f4, 40x70",
    "v2/blosc-blocks, f4, 40x70",
    "v2/blosc-small, f8, 5x7",
    "v2/blosc-bits, f4, 40x70",
    "v2/blosc-snappy, f4, 40x70",
    "v2/blosc-blosclz, f4, 40x70",
    "v2/refused-filter, i4, 5x7",
    "v2/group/u, f4, 5x7"
  })
  void readsVersion2(String name, String type, String shape) {
    assertReads(name, type, shape);
  }

  @ParameterizedTest
  @CsvSource({
    "v3/fill-nan, NaN",
    "v3/fill-infinite, -Infinity",
    "v3/fill-half, 0.5",
    "v2/fill-nan, NaN"
  })
  void cellsOfMissingChunksHaveTheFillValue(String name, double fill) {
    Box stored = new Box(List.of(0L, 3L), Extent.of(3, 3));
    assertFilled(name, List.of(5L, 7L), stored, "f8", fill);
  }

  @Test
  void cellsOfMissingChunksOfShardsHaveTheFillValue() {
    Box stored = new Box(List.of(2L, 3L), Extent.of(2, 3));
    assertFilled("v3/shards-some", List.of(8L, 12L), stored, "f4", Double.NaN);
  }

  private static void assertFilled(
      String name, List<Long> shape, Box stored, String type, double fill) {
    Box whole = FieldFixtures.whole(shape);
    double[] all = FieldFixtures.cells(shape, whole, type);
    double[] expected = new double[all.length];
    for (int i = 0; i < all.length; i++) {
      Box cell = new Box(List.of(i / shape.get(1), i % shape.get(1)), Extent.of(1, 1));
      expected[i] = stored.contains(cell) ? all[i] : fill;
    }
    try (ZarrArray array = open(name)) {
      assertThat((double[]) array.read(whole, ElementType.F64)).isEqualTo(expected);
    }
  }

  @Test
  void knowsChunksNamesAndAttributes() {
    try (ZarrArray array = open("v3/named")) {
      assertThat(array.chunks()).isEqualTo(Extent.of(3, 3));
      assertThat(array.dimensionNames()).containsExactly("y", "x");
      assertThat(array.attributes()).isEqualTo(Map.of("units", "K", "levels", List.of(1, 2.5)));
      assertThat(array.type()).isEqualTo(ElementType.F32);
    }
    try (ZarrArray array = open("v2/named")) {
      assertThat(array.dimensionNames()).containsExactly("y", "x");
      assertThat(array.attributes()).containsEntry("units", "K");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "v3/refused-complex, complex64",
    "v2/refused-lz4, lz4",
    "v3/group, of the arrays [u]",
    "v2/group, of the arrays [u]",
    "v3/none, there is no"
  })
  void refusesOtherArraysWithTheirKind(String name, String says) {
    assertThatThrownBy(() -> open(name))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining(name)
        .hasMessageContaining(says);
  }

  /** Metadata of an array of 2 x 3 cells in one chunk, with a part replaced. */
  private static Path edited(String from, String to) throws IOException {
    Path array = Files.createTempDirectory(temporary, "edited");
    String metadata =
        """
        {"zarr_format": 3, "node_type": "array", "shape": [2, 3], "data_type": "float32",
         "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 3]}},
         "chunk_key_encoding": {"name": "default"}, "fill_value": 0,
         "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}
        """;
    assertThat(metadata).contains(from);
    Files.writeString(array.resolve("zarr.json"), metadata.replace(from, to));
    return array;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"shape\": [2, 3]|\"shape\": [2, -3]|no cells",
        "\"shape\": [2, 3]|\"shape\": [2, 3000000000, 3000000000]|whose bytes no file can have",
        "\"shape\": [2, 3]|\"shape\": [2.5, 3]|an integer",
        "\"chunk_shape\": [2, 3]|\"chunk_shape\": [2, 0]|1 to 2147483647 cells",
        "\"chunk_shape\": [2, 3]|\"chunk_shape\": [2000000000, 3]|store smaller chunks",
        "\"chunk_shape\": [2, 3]|\"chunk_shape\": [2]|one size for each of 2 axes",
        "\"regular\"|\"rectilinear\"|rectilinear",
        "float32|float128|float128",
        "\"default\"|\"other\"|other",
        "\"fill_value\": 0|\"fill_value\": \"0x7fc\"|0x and 8 digits",
        "\"fill_value\": 0|\"fill_value\": [1]|a fill value",
        "\"bytes\"|\"packbits\"|the codec \"packbits\" is not supported",
        "\"endian\": \"little\"|\"endian\": \"middle\"|\"big\" or \"little\"",
        "\"codecs\": [|\"codecs\": [{\"name\": \"gzip\"}, |before this codec",
        "\"codecs\": [|\"codecs\": [\"bytes\", |endian",
        "\"node_type\": \"array\"|\"node_type\": \"tree\"|\"array\" or \"group\"",
        "\"zarr_format\": 3|\"zarr_format\": 4|version",
        "\"fill_value\": 0|\"fill_value\": 0, \"strange\": {\"a\": 1}|extension \"strange\"",
        "\"fill_value\": 0|\"fill_value\": 0, \"shape\": [1, 1]|Duplicate",
        "\"zarr_format\": 3|zarr_format: 3|is not JSON",
        "float32|complex128|array.real and array.imag",
        "\"zarr_format\": 3|\"zarr_format\": \"https://purl.org/zarr\"|the draft of version 3"
      })
  void refusesMetadataWithTheEntryAndItsValue(String from, String to, String says)
      throws IOException {
    Path array = edited(from, to);

    assertThatThrownBy(() -> ZarrArray.open(array.toString(), HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining(array.toString())
        .hasMessageContaining(says);
  }

  @ParameterizedTest
  @CsvSource({"0x7fc00001, NaN", "0x3fc00000, 1.5", "Infinity, Infinity", "0xff800000, -Infinity"})
  void readsFillValuesThatAreStrings(String text, float fill) throws IOException {
    Path array = edited("\"fill_value\": 0", "\"fill_value\": \"%s\"".formatted(text));

    assertThat((float[]) read(array)).hasSize(6).containsOnly(fill);
  }

  private static Object read(Path array) {
    try (ZarrArray opened = ZarrArray.open(array.toString(), HADOOP)) {
      return opened.read(Box.whole(Extent.of(2, 3)), ElementType.F32);
    }
  }

  @Test
  void passesOverExtensionsThatSaySo() throws IOException {
    Path array = edited("\"shape\"", "\"strange\": {\"must_understand\": false}, \"shape\"");

    assertThat((float[]) read(array)).containsOnly(0);
  }

  @ParameterizedTest
  @CsvSource({
    "v3/edge/c/1/1, 20 bytes are stored",
    "v3/gzip/c/1/1, end too early",
    "v3/zstd/c/1/1, Truncated",
    "v3/checksum/c/1/1, checksum",
    "v3/shards/c/1/1, checksum"
  })
  void namesTheChunkThatIsCutShort(String chunk, String says) throws IOException {
    Path file = folder.resolve(chunk);
    byte[] bytes = Files.readAllBytes(file);
    try {
      int left = chunk.startsWith("v3/edge") ? 20 : bytes.length - 3;
      Files.write(file, Arrays.copyOf(bytes, left));

      try (ZarrArray array = open(chunk.substring(0, chunk.indexOf("/c/")))) {
        assertThatThrownBy(() -> array.read(FieldFixtures.whole(array.shape()), ElementType.F32))
            .isInstanceOf(FieldFileException.class)
            .hasMessageContaining(chunk)
            .hasMessageContaining(says);
      }
    } finally {
      Files.write(file, bytes);
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.zarr;

import static io.sparkstencil.spark.files.FieldFixtures.HADOOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.CellType;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.cells.CfAttributes;
import io.sparkstencil.spark.files.paths.FieldPaths;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What attributes say of an array's numbers, in metadata of both versions. */
final class CfAttributesTest {
  @TempDir private Path folder;

  /** Writes an array of numbers in one chunk, in version 3. */
  private String version3(String type, String fill, String attributes, double... numbers)
      throws IOException {
    Files.writeString(
        folder.resolve("zarr.json"),
        """
        {"zarr_format": 3, "node_type": "array", "shape": [%1$d], "data_type": "%2$s",
         "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [%1$d]}},
         "chunk_key_encoding": {"name": "default"}, "fill_value": %3$s, "attributes": {%4$s},
         "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}
        """
            .formatted(numbers.length, type, fill, attributes));
    Files.createDirectories(folder.resolve("c"));
    Files.write(folder.resolve("c/0"), bytes(type, numbers));
    return folder.toString();
  }

  /** Writes an array of int16 in one chunk, in version 2. */
  private String version2(String fill, String attributes, double... numbers) throws IOException {
    Files.writeString(
        folder.resolve(".zarray"),
        """
        {"zarr_format": 2, "shape": [%1$d], "chunks": [%1$d], "dtype": "<i2", "order": "C",
         "fill_value": %2$s, "compressor": null, "filters": null}
        """
            .formatted(numbers.length, fill));
    Files.writeString(folder.resolve(".zattrs"), "{%s}".formatted(attributes));
    Files.write(folder.resolve("0"), bytes("int16", numbers));
    return folder.toString();
  }

  private static byte[] bytes(String type, double... numbers) {
    ByteBuffer bytes =
        ByteBuffer.allocate(numbers.length * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (double number : numbers) {
      switch (type) {
        case "int8", "uint8" -> bytes.put((byte) number);
        case "int16" -> bytes.putShort((short) number);
        case "int64", "uint64" -> bytes.putLong((long) number); // negative ones are large
        case "float32" -> bytes.putFloat((float) number);
        default -> bytes.putDouble(number);
      }
    }
    byte[] written = new byte[bytes.position()];
    bytes.flip().get(written);
    return written;
  }

  private static double[] read(FieldReader reader) {
    Box whole = Box.whole(Extent.of(Math.toIntExact(reader.shape().get(0))));
    try (reader) {
      return (double[]) reader.read(whole, ElementType.F64);
    }
  }

  private static double[] read(String path) {
    return read(FieldPaths.open(path, HADOOP));
  }

  @Test
  void saysWhatIsDoneToNumbers() throws IOException {
    String path =
        version3(
            "int16",
            "0",
            "\"scale_factor\": 0.01, \"add_offset\": 280, \"_FillValue\": -32767, \"valid_min\": -100",
            200,
            -32767,
            -101);

    try (ZarrArray array = ZarrArray.open(path, HADOOP)) {
      assertThat(array.decoding())
          .hasValue("int16 times 0.01 plus 280, NaN where -32767, NaN below -100");
      assertThat(array.type()).isEqualTo(ElementType.F64);
    }
    assertThat(read(path)).containsExactly(282.0, Double.NaN, Double.NaN);
    try (ZarrArray raw = ZarrArray.openRaw(path, HADOOP)) {
      assertThat(raw.decoding()).isEmpty();
      assertThat(raw.type()).isEqualTo(ElementType.F32);
      assertThat(read(raw)).containsExactly(200, -32767, -101);
    }
    assertThat(read(FieldPaths.rawSource(path).open(HADOOP))).containsExactly(200, -32767, -101);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "float32|\"missing_value\": [-1e34, -999]|F32|float32, NaN where -1.0E34 or -999",
        "float32|\"_FillValue\": \"AAAAAAAA+H8=\"|F32|",
        "float64|\"_FillValue\": \"AAAAAAA4j8A=\"|F64|float64, NaN where -999",
        "float32|\"_FillValue\": NaN, \"valid_range\": [-Infinity, Infinity]|F32|",
        "float32|\"_FillValue\": 1e300|F32|",
        "int16|\"scale_factor\": 0.5|F32|int16 times 0.5",
        "int16|\"scale_factor\": 0.009999999776482582|F32|int16 times 0.009999999776482582",
        "int16|\"scale_factor\": 1.0, \"add_offset\": 0.0|F32|",
        "int16|\"missing_value\": \"-999\"|F32|int16, NaN where -999",
        "int16|\"missing_value\": 1e20|F32|",
        "float32|\"missing_value\": \"nan\"|F32|",
        "int8|\"_Unsigned\": \"true\", \"_FillValue\": -1|F32|int8 taken as uint8, NaN where -1",
        "uint8|\"_Unsigned\": \"false\"|F32|uint8 taken as int8",
        "int16|\"add_offset\": 5, \"valid_range\": [-10.0, 40.5]|F32|int16 plus 5, then NaN below -10, then NaN above 40.5",
        "int16|\"units\": \"K\", \"scale_factor\": null|F32|"
      })
  void readsTheAttributesOfEveryKind(String type, String attributes, String element, String words)
      throws IOException {
    String path = version3(type, "0", attributes, 1);

    try (ZarrArray array = ZarrArray.open(path, HADOOP)) {
      assertThat(array.decoding().orElse(null)).isEqualTo(words);
      assertThat(array.type()).isEqualTo(ElementType.valueOf(element));
    }
  }

  @Test
  void comparesNumbersAsTheyAreStored() throws IOException {
    assertThat(read(version3("float32", "0", "\"missing_value\": 0.1", 0.1, 0.25, -1)))
        .containsExactly(Double.NaN, 0.25, -1);
    assertThat(read(version3("float32", "0", "\"valid_max\": 0.1", 0.1, 0.25)))
        .containsExactly((double) 0.1f, Double.NaN);
    double near = 0x1p62;
    assertThat(
            read(
                version3(
                    "int64", "0", "\"_FillValue\": %d".formatted((1L << 62) + 1), near, -near)))
        .containsExactly(near, -near);
    assertThat(
            read(
                version3("int8", "0", "\"_Unsigned\": \"true\", \"valid_range\": [0, -2]", -1, -2)))
        .containsExactly(Double.NaN, 254);
    assertThat(
            read(version3("int16", "0", "\"add_offset\": 5, \"valid_max\": 40.5", 35, 36, -32000)))
        .containsExactly(40, Double.NaN, -31995);
    assertThat(read(version3("int16", "0", "\"scale_factor\": 2, \"valid_max\": 40", 40, 41)))
        .containsExactly(80, Double.NaN);
  }

  @Test
  void limitsOfLargeNumbersWithoutSignAreComparedAsSuch() throws IOException {
    String range = "\"valid_range\": [3, 18446744073709549568]";

    assertThat(read(version3("uint64", "0", range, 2, 3, -4096, -2048, -1)))
        .containsExactly(Double.NaN, 3, 0x1p64 - 4096, 0x1p64 - 2048, Double.NaN);
  }

  @Test
  void theFillValueIsMissingWhereXarrayWroteTheArray() throws IOException {
    String names = "\"_ARRAY_DIMENSIONS\": [\"x\"]";

    assertThat(read(version2("-7", names, -7, 8))).containsExactly(Double.NaN, 8);
    assertThat(read(version2("-7", "", -7, 8))).containsExactly(-7, 8);
    assertThat(read(version2("null", names + ", \"_FillValue\": 8", -7, 8)))
        .containsExactly(-7, Double.NaN);
  }

  @Test
  void limitsOfNetcdfHaveTheTypeThatItSays() throws IOException {
    String limits = "\"scale_factor\": 0.1, \"valid_range\": [1, 3]";
    String typed = ", \"_NCZARR_ATTR\": {\"types\": {\"valid_range\": \"<f8\"}}";

    assertThat(read(version2("null", limits, 2, 20, 40)))
        .containsExactly(2 * 0.1, Double.NaN, Double.NaN);
    assertThat(read(version2("null", limits + typed, 2, 20, 40)))
        .containsExactly(Double.NaN, 2, Double.NaN);
  }

  @ParameterizedTest
  @CsvSource({"float32, null, NaN", "int16, null, NaN", "float32, NaN, NaN", "int16, -7, -7"})
  void cellsThatNobodyWroteAreNotMadeUp(String type, String fill, double expected)
      throws IOException {
    String path = version3(type, fill, "", 1, 2);
    Files.delete(folder.resolve("c/0"));

    assertThat(read(path)).containsExactly(expected, expected);
    assertThat(read(FieldPaths.openRaw(path, HADOOP))).containsExactly(expected, expected);
  }

  @Test
  void rawCellsThatNobodyWroteHaveTheNumberOfTheAttribute() throws IOException {
    String path = version2("null", "\"_FillValue\": -32767, \"scale_factor\": 0.01", 1, 2);
    Files.delete(folder.resolve("0"));

    assertThat(read(path)).containsOnly(Double.NaN);
    assertThat(read(FieldPaths.openRaw(path, HADOOP))).containsOnly(-32767);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"scale_factor\": \"K\"|scale_factor = K, which is not a number",
        "\"scale_factor\": [1, 2]|scale_factor = [1, 2], which is not a single number",
        "\"add_offset\": Infinity|add_offset = Infinity, which is not a finite number",
        "\"_FillValue\": true|_FillValue = true, which is not a number",
        "\"valid_range\": [3]|valid_range = [3], which is not two numbers",
        "\"_Unsigned\": \"maybe\"|_Unsigned = maybe, which is not \"true\" or \"false\""
      })
  void refusesAttributesThatSayNothing(String attribute, String message) throws IOException {
    String path = version3("int16", "0", attribute, 1);

    assertThatThrownBy(() -> ZarrArray.open(path, HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining(path)
        .hasMessageContaining(message)
        .hasMessageContaining("(raw)");
    assertThat(read(ZarrArray.openRaw(path, HADOOP))).containsExactly(1);
  }

  @Test
  void missingValuesThatDifferInTheirLastBitsAreTwo() {
    Map<String, Object> attributes =
        Map.of("_FillValue", Long.MAX_VALUE, "missing_value", Long.MAX_VALUE - 1);
    assertThat(
            new CfAttributes("u", CellType.INT64, attributes)
                .packing(Optional.of(Long.MAX_VALUE))
                .missing())
        .containsExactly(Long.MAX_VALUE, Long.MAX_VALUE - 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "70000", "0.5", "\"NaN\"", "true", "1e30"})
  void refusesFillValuesThatCellsCannotHaveWhereAChunkIsMissing(String fill) throws IOException {
    requireRefusedWhereMissing(version2(fill, "\"_ARRAY_DIMENSIONS\": [\"x\"]", 1, -2, 3), "0");
    requireRefusedWhereMissing(version3("int16", fill, "", 1, -2, 3), "c/0");
  }

  private static void requireRefusedWhereMissing(String path, String name) throws IOException {
    assertThat(read(path)).containsExactly(1, -2, 3);
    assertThat(read(ZarrArray.openRaw(path, HADOOP))).containsExactly(1, -2, 3);
    assertThat(ZarrArray.open(path, HADOOP).note()).isEmpty();
    Files.delete(Path.of(path, name));

    for (ZarrArray array : List.of(ZarrArray.open(path, HADOOP), ZarrArray.openRaw(path, HADOOP))) {
      assertThatThrownBy(() -> read(array))
          .isInstanceOf(FieldFileException.class)
          .hasMessageContaining(Path.of(path, name).toString())
          .hasMessageContaining("which no cell of type INT16 can have");
      assertThat(array.note())
          .get()
          .asString()
          .contains("1 of 1 chunks", "which no cell of type INT16 can have");
    }
  }
}

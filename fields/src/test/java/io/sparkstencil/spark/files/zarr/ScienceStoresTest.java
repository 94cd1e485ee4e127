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
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.paths.FieldPaths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads packed and missing values in stores that xarray and netcdf-c wrote. */
final class ScienceStoresTest {
  private static final Box WHOLE = Box.whole(Extent.of(6, 7));

  @TempDir private static Path temporary;
  private static Path folder;

  @BeforeAll
  static void unpack() throws IOException {
    folder = FieldFixtures.unpack("science", temporary);
  }

  private static Stream<String> arrays() {
    return Stream.of(
            "t2m",
            "sst",
            "humidity",
            "counts",
            "several",
            "ranged",
            "least",
            "identifiers",
            "plain")
        .flatMap(name -> Stream.of("xarray.zarr/" + name, "netcdf.zarr/" + name))
        // xarray 2023.01 rounds the fill value of 64 bits, and so has no missing value there.
        .filter(array -> !array.equals("xarray.zarr/identifiers"));
  }

  private static double[] read(String name) {
    try (FieldReader reader = FieldPaths.open(folder.resolve(name).toString(), HADOOP)) {
      return (double[]) reader.read(WHOLE, ElementType.F64);
    }
  }

  private static double[] expected(String array) {
    return read("expected/%s.npy".formatted(array.substring(array.indexOf('/') + 1)));
  }

  @ParameterizedTest
  @MethodSource("arrays")
  void valuesAreThoseThatNetcdf4Decodes(String array) {
    assertThat(read(array)).isEqualTo(expected(array));
  }

  @ParameterizedTest
  @MethodSource("arrays")
  void valuesAreRoundedOnceWhereFloatIsAskedFor(String array) {
    double[] expected = expected(array);
    try (FieldReader reader = FieldPaths.open(folder.resolve(array).toString(), HADOOP)) {
      float[] values = (float[]) reader.read(WHOLE, ElementType.F32);
      for (int i = 0; i < values.length; i++) {
        assertThat(Float.valueOf(values[i])).isEqualTo(Float.valueOf((float) expected[i]));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("arrays")
  void rawNumbersAreThoseThatWereStored(String array) {
    String stored = "stored/%s.npy".formatted(array.substring(array.indexOf('/') + 1));
    try (FieldReader reader = FieldPaths.openRaw(folder.resolve(array).toString(), HADOOP)) {
      assertThat((double[]) reader.read(WHOLE, ElementType.F64)).isEqualTo(read(stored));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bits-b1, b1, 40x70",
        "bits-i1, i1, 40x70",
        "bits-u1, u1, 40x70",
        "bits-i2, i2, 40x70",
        "bits-i4, i4, 40x70",
        "bits-f4, f4, 40x70",
        "bits-f8, f8, 40x70",
        "auto-b1, b1, 40x70",
        "auto-i1, i1, 40x70",
        "auto-u1, u1, 40x70",
        "auto-i2, i2, 40x70",
        "auto-f4, f4, 40x70",
        "auto-f8, f8, 40x70",
        "bits-line-7, f4, 7",
        "bits-line-63, f4, 63",
        "bits-line-64, f4, 64",
        "bits-line-129, f4, 129",
        "bits-line-1001, f4, 1001",
        "bits-blocks, f4, 40x70",
        "bits-zstd, f8, 5x7",
        "filter-bitround, f4, 5x7",
        "filter-quantize, f8, 5x7",
        "filter-quantize-narrow, f8, 5x7",
        "filter-shuffle, f4, 5x7",
        "filter-delta, i4, 5x7",
        "filter-delta-narrow, i8, 5x7",
        "filter-delta-wraps, u1, 5x7",
        "filter-delta-floats, f4, 5x7",
        "filter-offset, f8, 5x7",
        "filter-offset-floats, f4, 5x7",
        "filter-astype, f8, 5x7",
        "filter-packbits, b1, 5x7",
        "filter-compressed, i4, 5x7",
        "filter-adler, i4, 5x7"
      })
  void undoesFiltersAndShuffledBits(String array) {
    String[] parts = array.split(", ");
    List<Long> shape = Stream.of(parts[2].split("x")).map(Long::valueOf).toList();
    for (Box box : FieldFixtures.boxes(shape)) {
      try (FieldReader reader =
          FieldPaths.open(folder.resolve("codecs/" + parts[0]).toString(), HADOOP)) {
        assertThat((double[]) reader.read(box, ElementType.F64))
            .isEqualTo(FieldFixtures.cells(shape, box, parts[1]));
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "codecs/refused-complex|array.real and array.imag",
        "codecs/refused-categories|the filter \"categorize\" is not supported",
        "draft.zarr|the draft of version 3",
        "draft.zarr/data/u|write version 2, or version 3 by zarr-python 3",
        "netcdf.zarr|is a group, of the arrays [counts, humidity",
        "netcdf.zarr/t2|netcdf.zarr/t2: ",
        "codecs/none/u|no Zarr array"
      })
  void refusesOthersAndSaysWhatHelps(String path, String says) {
    assertThatThrownBy(() -> ZarrArray.open(folder.resolve(path).toString(), HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining(says)
        .hasMessageNotContaining("is the file broken?");
  }

  @ParameterizedTest
  @CsvSource({"xarray.zarr/t2m, 0.0", "netcdf.zarr/t2m, 0.0", "netcdf.zarr/several, 0.0"})
  void valuesThatNobodyWroteAreMissing(String array, String chunk) throws IOException {
    Path file = folder.resolve(array).resolve(chunk);
    byte[] bytes = Files.readAllBytes(file);
    try {
      Files.delete(file);

      assertThat(read(array)).containsOnly(Double.NaN);
    } finally {
      Files.write(file, bytes);
    }
  }
}

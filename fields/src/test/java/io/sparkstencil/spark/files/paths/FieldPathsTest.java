/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.paths;

import static io.sparkstencil.spark.files.FieldFixtures.HADOOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.FieldWriter;
import io.sparkstencil.spark.files.npy.NpyFile;
import io.sparkstencil.spark.files.zarr.ZarrArray;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FieldPathsTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"u.npy", "u.zarr", "u.zarr/", "U.NPY", "U.Zarr"})
  void writesAndReadsTheFormatOfTheName(String name) {
    String path = folder + "/" + name;
    FieldWriter writer =
        FieldPaths.create(path, ElementType.F32, List.of(5L), Extent.of(3), HADOOP);
    writer.write(new Box(List.of(3L), Extent.of(2)), new float[] {4, 5}, HADOOP);
    writer.write(new Box(List.of(0L), Extent.of(3)), new float[] {1, 2, 3}, HADOOP);
    writer.commit(HADOOP);

    try (FieldReader reader = FieldPaths.source(path).open(HADOOP)) {
      assertThat(reader)
          .isInstanceOf(
              name.toLowerCase(Locale.ROOT).endsWith(".npy") ? NpyFile.class : ZarrArray.class);
      assertThat((float[]) reader.read(Box.whole(Extent.of(5)), ElementType.F32))
          .containsExactly(1, 2, 3, 4, 5);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "u.npy",
        "U.NPY",
        "u.zarr",
        "u.zarr/",
        "x.zarr/t2m",
        "X.ZARR/a/b/",
        "/data/u",
        "./u",
        "../u",
        "~/u",
        "file:///data/u",
        "s3a://bucket/u",
        "a.npz",
        "a.nc",
        "dir/a.h5",
        "a.TIFF",
        "a.grb2"
      })
  void knowsPathsByTheirLook(String text) {
    assertThat(FieldPaths.isPath(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"x", "x/nx", "1", "where(x < nx/2, 1, 0.5)", "x/2.5", "a/b", ".5*x", "zarr/x"})
  void leavesOtherTextsToExpressions(String text) {
    assertThat(FieldPaths.isPath(text)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "894844460d0a1a0a|cannot be read|is the file broken",
        "43444602|field has no variables|of numbers",
        "4d4d002a|cannot be read|is the file broken",
        "49492b00|cannot be read|is the file broken",
        "504b0304|npz|unpack",
        "47524942|GRIB|cfgrib",
        "50415231|Parquet|rows",
        "1f8b0800|gzip|unpack"
      })
  void saysWhatHelpsWithFilesOfOtherFormats(String first, String kind, String remedy)
      throws IOException {
    Path file = folder.resolve("field");
    Files.write(file, Arrays.copyOf(HexFormat.of().parseHex(first), 100));

    assertThatThrownBy(() -> FieldPaths.open(file.toString(), HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining(kind)
        .hasMessageContaining(remedy);
  }

  @Test
  void refusesOtherNamesAndMissingFiles() {
    assertThatThrownBy(
            () -> FieldPaths.create("u.csv", ElementType.F32, List.of(5L), Extent.of(3), HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("u.csv");
    for (String name : List.of("none.npy", "none.zarr", "none", "other://host/u.npy", ":")) {
      assertThatThrownBy(() -> FieldPaths.open(name, HADOOP))
          .as(name)
          .isInstanceOf(FieldFileException.class)
          .hasMessageContaining(name);
    }
  }
}

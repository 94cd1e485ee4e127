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
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FieldPathsTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"u.npy", "u.zarr", "u.zarr/"})
  void writesAndReadsTheFormatOfTheName(String name) {
    String path = folder + "/" + name;
    FieldWriter writer =
        FieldPaths.create(path, ElementType.F32, List.of(5L), Extent.of(3), HADOOP);
    writer.write(new Box(List.of(3L), Extent.of(2)), new float[] {4, 5}, HADOOP);
    writer.write(new Box(List.of(0L), Extent.of(3)), new float[] {1, 2, 3}, HADOOP);
    writer.commit(HADOOP);

    try (FieldReader reader = FieldPaths.source(path).open(HADOOP)) {
      assertThat(reader).isInstanceOf(name.endsWith(".npy") ? NpyFile.class : ZarrArray.class);
      assertThat((float[]) reader.read(Box.whole(Extent.of(5)), ElementType.F32))
          .containsExactly(1, 2, 3, 4, 5);
    }
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

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.paths.FieldPaths;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DeflatedFieldTest {
  @TempDir private Path folder;

  @Test
  void isReadCellByCell() throws Exception {
    Path file = folder.resolve("t.nc");
    DeflatedField.write(file, 3);
    try (FieldReader reader = FieldPaths.open(file + "/t", new Configuration())) {
      List<Long> shape = reader.shape();
      assertThat(shape).containsExactly(3L, 512L, 1024L);
      for (int step = 0; step < 3; step++) {
        Box box = Box.between(List.of((long) step, 0L, 0L), List.of(step + 1L, 512L, 1024L));
        assertThat((float[]) reader.read(box, ElementType.F32))
            .isEqualTo(DeflatedField.cells(step));
      }
    }
  }

  @Test
  void refusesMoreStepsThanOneNodeHas() {
    assertThatThrownBy(() -> DeflatedField.write(folder.resolve("t.nc"), 40_000))
        .hasMessage("a file has 1 to 32768 steps, not 40000; name more files");
  }
}

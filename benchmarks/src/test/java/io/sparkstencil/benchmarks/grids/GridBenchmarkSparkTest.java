/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.benchmarks.results.BenchmarkResults;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The benchmark of grids measures something, and compares cells. */
final class GridBenchmarkSparkTest {
  @TempDir Path folder;

  @Test
  void measuresGridsAgainstTheirProgramsAndLagAndLead() throws Exception {
    int exit =
        new CommandLine(new GridBenchmark())
            .execute(
                "--machine=test",
                "--commit=none",
                "--results=" + folder,
                "--names=grid/heat/(2d/f32|1d/f64)",
                "--engine=cpu",
                "--master=local[2]",
                "--cells=10000",
                "--blocks=4",
                "--seconds=0.01",
                "--repeats=2",
                "--lag-cells=500");

    assertThat(exit).isZero();
    List<BenchmarkRow> rows =
        BenchmarkResults.read(folder.resolve("test").resolve("grids.json")).rows();
    assertThat(rows).hasSize(5);
    assertThat(rows).allSatisfy(row -> assertThat(row.value()).isPositive());
    assertThat(rows).allMatch(BenchmarkRow::checked);
    assertThat(rows).filteredOn(row -> row.subject().startsWith("4 blocks, ")).hasSize(3);
  }
}

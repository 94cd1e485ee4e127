/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.sparkstencil.benchmarks.results.BenchmarkResults;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Shapes of windows are measured with the results of Spark's own operator. */
final class ShapeBenchmarkSparkTest {
  @TempDir Path folder;

  @Test
  void measuresShapesAgainstSparkOverFewerRowsAndRapidsAgainstEngines() throws IOException {
    run("--subjects=spark,cpu");
    run("--subjects=rapids"); // for which Spark stands in without the plugin

    List<BenchmarkRow> rows = BenchmarkResults.read(folder.resolve("results/test/sql.json")).rows();
    assertThat(rows).extracting(BenchmarkRow::name).containsOnly("sql/frames/shuffled/2000/k=2");
    assertThat(rows)
        .extracting(BenchmarkRow::subject, BenchmarkRow::against)
        .containsExactly(
            tuple("spark", "spark"),
            tuple("cpu", "spark"),
            tuple("rapids", "rapids"),
            tuple("rapids", "cpu"));
    assertThat(rows).extracting(BenchmarkRow::checked).containsExactly(true, true, false, false);
    double spark = rows.get(0).value();
    double ours = rows.get(1).value();
    double rapids = rows.get(3).value();
    assertThat(rows.get(0).note()).contains("1000 rows");
    assertThat(rows.get(1).ratio()).isCloseTo(2 * spark / ours, within(1e-9));
    assertThat(rows.get(3).ratio()).isCloseTo(ours / rapids, within(1e-9));
  }

  private void run(String... options) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "--machine=test",
                "--commit=none",
                "--results=" + folder.resolve("results"),
                "--data=" + folder.resolve("data"),
                "--rows=2000",
                "--spark-rows=1000",
                "--files=2",
                "--series=20",
                "--radii=2",
                "--repeats=1",
                "--shapes=frames",
                "--work=shuffled"));
    all.addAll(List.of(options));
    CommandLine line =
        new CommandLine(new ShapeBenchmark()).setCaseInsensitiveEnumValuesAllowed(true);
    assertThat(line.execute(all.toArray(String[]::new))).isZero();
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.sparkstencil.benchmarks.results.BenchmarkResults;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Windows over tables are measured, and have the results of Spark's own operators. */
final class TableBenchmarkSparkTest {
  @TempDir Path folder;

  @Test
  void measuresShapesAgainstSparkOverFewerRowsAndRapidsAgainstEngines() throws IOException {
    List<String> shape = List.of("--shapes=frames", "--work=shuffled", "--radii=2");
    run(new ShapeBenchmark(), shape, "--subjects=spark,cpu");
    run(
        new ShapeBenchmark(),
        shape,
        "--subjects=rapids"); // for which Spark stands in without the plugin

    List<BenchmarkRow> rows = rows("sql");
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

  @Test
  void measuresQueriesAgainstSpark() throws IOException {
    run(new SuiteBenchmark(), List.of("--names=join-above"), "--subjects=spark,sql");

    List<BenchmarkRow> rows = rows("suite");
    assertThat(rows).extracting(BenchmarkRow::name).containsOnly("suite/join-above/2000");
    assertThat(rows)
        .extracting(BenchmarkRow::subject, BenchmarkRow::against)
        .containsExactly(tuple("spark", "spark"), tuple("sql", "spark"));
    assertThat(rows).allMatch(BenchmarkRow::checked);
    assertThat(rows.get(1).ratio())
        .isCloseTo(2 * rows.get(0).value() / rows.get(1).value(), within(1e-9)); // Spark has half
  }

  @Test
  void refusesSubjectsThatItDoesNotKnowBeforeItWritesTables() {
    StringWriter errors = new StringWriter();
    CommandLine line =
        line(new SuiteBenchmark()).setErr(new PrintWriter(errors)).setOut(new PrintWriter(errors));

    assertThat(line.execute(arguments(List.of(), "--subjects=spark,sqll"))).isEqualTo(2);

    assertThat(errors.toString())
        .contains("--subjects has \"sqll\", but may only have spark, rapids, sql, cpu, gpu");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void theSuiteHas30Queries() {
    assertThat(SuiteBenchmark.queries()).hasSize(30);
    assertThat(SuiteBenchmark.queries().values())
        .allMatch(sql -> sql.startsWith("select ") && sql.contains(" over "))
        .doesNotHaveDuplicates();
  }

  private List<BenchmarkRow> rows(String suite) throws IOException {
    return BenchmarkResults.read(folder.resolve("results/test/" + suite + ".json")).rows();
  }

  private void run(TableBenchmark benchmark, List<String> options, String subjects) {
    assertThat(line(benchmark).execute(arguments(options, subjects))).isZero();
  }

  private static CommandLine line(TableBenchmark benchmark) {
    return new CommandLine(benchmark).setCaseInsensitiveEnumValuesAllowed(true);
  }

  private String[] arguments(List<String> options, String subjects) {
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
                "--repeats=1",
                subjects));
    all.addAll(options);
    return all.toArray(String[]::new);
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.sparkstencil.benchmarks.harness.PythonScript;
import io.sparkstencil.benchmarks.results.BenchmarkResults;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The benchmark of grids measures something, and compares cells, also with NumPy if it is here. */
final class GridBenchmarkSparkTest {
  private static final Path SCRIPTS =
      Path.of(System.getProperty("stencil.home"), "benchmarks/python");

  @TempDir Path folder;

  @Test
  void measuresGridsAgainstTheirProgramsAndLagAndLead() throws Exception {
    run(
        "--names=grid/heat/(2d/f32|1d/f64)",
        "--engine=cpu",
        "--master=local[2]",
        "--cells=4000",
        "--blocks=4",
        "--seconds=0.01",
        "--repeats=2",
        "--lag-cells=500",
        "--python=" + SCRIPTS);

    List<BenchmarkRow> rows = rows();
    assertThat(rows).filteredOn(row -> !row.against().startsWith("NumPy")).hasSize(5);
    assertThat(rows).allSatisfy(row -> assertThat(row.value()).isPositive());
    assertThat(rows).allMatch(BenchmarkRow::checked);
    assertThat(rows)
        .filteredOn(row -> row.subject().startsWith("4 blocks, "))
        .hasSizeGreaterThanOrEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void stepsOfCuPyAreThoseOfNumPyInItsPlace(int dimensions) throws IOException {
    List<Object> work = List.of(dimensions, 20, "float32", 6, 1);
    Optional<JsonNode> onCpu = script("grids.py", List.of(), work, 2);
    assumeTrue(onCpu.isPresent(), "NumPy is not here");

    JsonNode inPlaceOfCuPy = script("grids_gpu.py", List.of("numpy"), work, 0.01).orElseThrow();

    assertThat(inPlaceOfCuPy.findValuesAsText("name"))
        .containsExactly("NumPy, slices", "NumPy, fuse");
    assertThat(inPlaceOfCuPy.findValues("cells"))
        .hasSize(2)
        .containsOnly(onCpu.get().get(0).get("cells"));
  }

  private static Optional<JsonNode> script(String name, List<?> library, List<?> work, Number last)
      throws IOException {
    List<Object> arguments = new ArrayList<>(library);
    arguments.addAll(work);
    arguments.add(last);
    return PythonScript.run(SCRIPTS.resolve(name), arguments);
  }

  @Test
  void measuresWhatAKilledExecutorCosts() throws Exception {
    run(
        "--names=.*/recovery",
        "--repeats=1",
        "--steps-per-exchange=50",
        "--recovery-steps=200",
        "--recovery-conf=spark.stencil.cpu.vectors=false", // slow in such executors
        "--recovery-cells=10000");

    assertThat(rows())
        .singleElement()
        .matches(BenchmarkRow::checked)
        .satisfies(
            row ->
                assertThat(row.note())
                    .contains("blocks [0, 1] were lost")
                    .containsPattern("jobs that brought blocks back began and the last ended")
                    .doesNotContain("NaN when all")
                    .doesNotContain("NaN until"));
  }

  @Test
  void measuresWhatWaitingInFilesCosts() throws Exception {
    run(
        "--names=.*/over-budget",
        "--engine=cpu",
        "--master=local[2]",
        "--seconds=0.01",
        "--repeats=2",
        "--budget-bytes=100000");

    assertThat(rows())
        .singleElement()
        .matches(BenchmarkRow::checked)
        .satisfies(row -> assertThat(row.note()).contains("[316, 316] cells"));
  }

  private void run(String... options) {
    List<String> all =
        new ArrayList<>(List.of("--machine=test", "--commit=none", "--results=" + folder));
    all.addAll(List.of(options));
    assertThat(new CommandLine(new GridBenchmark()).execute(all.toArray(String[]::new))).isZero();
  }

  private List<BenchmarkRow> rows() throws IOException {
    return BenchmarkResults.read(folder.resolve("test").resolve("grids.json")).rows();
  }
}

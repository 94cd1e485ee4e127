/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.CudaDriver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchmarkResultsTest {
  private static final MachineFacts MACHINE =
      new MachineFacts("bench", "", "", "a CPU", 2, 24, "17", "4.1.3");

  private static BenchmarkRow row(String name, String against, double value) {
    return new BenchmarkRow(name, "cpu", against, value, "ms", 2 / value, 0.05, 5, true, "");
  }

  private static BenchmarkResults results(String commit, BenchmarkRow... rows) {
    return new BenchmarkResults(MACHINE, commit, "2026-01-02", List.of(rows));
  }

  @Test
  void readsWhatItWrote(@TempDir Path folder) throws Exception {
    BenchmarkResults written = results("abc", row("a", "copy", 1.5), row("b", "copy", 4));
    Path json = written.write(folder, "suite");
    assertThat(json).isEqualTo(folder.resolve("bench").resolve("suite.json"));
    assertThat(BenchmarkResults.read(json)).isEqualTo(written);
    assertThat(Files.readString(json.resolveSibling("suite.md")))
        .startsWith("# suite on bench")
        .contains("commit abc, 2026-01-02")
        .contains("| a | cpu | 1.500 ms | copy | 1.333 | 5.0 % | yes |  |");
  }

  @Test
  void findsTheDriversVersion() {
    assertThat(
            MachineFacts.driverVersion(
                "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release"))
        .contains("580.159.04");
    assertThat(MachineFacts.driverVersion("535.54\n")).contains("535.54");
    assertThat(MachineFacts.driverVersion("no devices were found")).isEmpty();
  }

  @Test
  void tellsOfAGpuWhereThereIsOne() {
    MachineFacts facts = MachineFacts.ofThisMachine("bench");
    boolean present = !CudaDriver.get().devices().isEmpty();
    assertThat(facts.name()).isEqualTo("bench");
    assertThat(facts.gpu().isEmpty()).isNotEqualTo(present);
    assertThat(facts.driver()).matches(present ? ".*CUDA [0-9.]+\\)?" : "");
  }

  @Test
  void keepsRowsThatWereNotMeasuredAgain(@TempDir Path folder) throws Exception {
    results("old", row("a", "copy", 1), row("b", "copy", 2), row("b", "peer", 3))
        .write(folder, "suite");
    Path json = results("new", row("b", "copy", 9), row("c", "copy", 4)).write(folder, "suite");
    BenchmarkResults all = BenchmarkResults.read(json);
    assertThat(all.commit()).isEqualTo("new");
    assertThat(all.rows())
        .containsExactly(
            row("a", "copy", 1).measuredAt("old"),
            row("b", "copy", 9),
            row("b", "peer", 3).measuredAt("old"),
            row("c", "copy", 4));
    results("newer", row("c", "copy", 5)).write(folder, "suite");
    assertThat(BenchmarkResults.read(json).rows())
        .extracting(BenchmarkRow::note)
        .containsExactly("measured at old", "measured at new", "measured at old", "");
    BenchmarkRow noted = row("a", "copy", 1).noted("warm").measuredAt("old");
    assertThat(noted.note()).isEqualTo("warm; measured at old");
  }
}

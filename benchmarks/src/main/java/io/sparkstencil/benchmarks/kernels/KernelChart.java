/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.kernels;

import io.sparkstencil.benchmarks.harness.RadiusChart;
import io.sparkstencil.benchmarks.results.BenchmarkResults;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Draws single-precision kernels: milliseconds over the radius, with the limit of a copy. */
final class KernelChart {
  private static final String TUNED = "tuned";
  private static final String COPY_LIMIT = "copy limit";

  private static final List<String> WORKS =
      List.of("mean/exact", "mean/fast", "min/exact", "weighted/fast");
  private static final List<String> PEERS =
      List.of(
          "classic-shared-memory",
          "classic-register-cache",
          "torch avg_pool1d",
          "cupy uniform_filter1d",
          "torch conv1d");

  private KernelChart() {}

  /** Draws results as a PNG. */
  static void draw(BenchmarkResults results, Path png) throws IOException {
    RadiusChart chart =
        new RadiusChart("%s, 2^27 floats".formatted(results.machine().gpu()), "milliseconds", true);
    List<BenchmarkRow> limits = new ArrayList<>();
    for (String work : WORKS) {
      List<BenchmarkRow> limited = rows(results, work, COPY_LIMIT);
      limits.addAll(limited);
      chart.add(work, limited, BenchmarkRow::value);
      for (String peer : work.endsWith("fast") ? PEERS : List.<String>of()) {
        chart.add(work + ", " + peer, rows(results, work, peer), KernelChart::ofPeer);
      }
    }
    chart.add("limit: the best copy", limits, KernelChart::ofPeer);
    chart.write(png);
  }

  /** Returns the rows of the tuned kernel against a peer, those of special cells left out. */
  private static List<BenchmarkRow> rows(BenchmarkResults results, String work, String against) {
    return results.rows().stream()
        .filter(row -> row.name().matches("kernel/" + work + "/f32/k=\\d+"))
        .filter(row -> row.subject().equals(TUNED) && row.against().equals(against))
        .toList();
  }

  private static double ofPeer(BenchmarkRow row) {
    return row.value() * row.ratio();
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.kernels;

import io.sparkstencil.benchmarks.harness.RadiusChart;
import io.sparkstencil.benchmarks.results.BenchmarkResults;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Draws single-precision kernels: milliseconds over the radius, with the limit of a copy. */
final class KernelChart {
  private static final String TUNED = "tuned";
  private static final String COPY_LIMIT = "copy limit";

  /** Works whose tuned time is drawn, and the peers drawn with each. */
  private static final Map<String, List<String>> LINES =
      new TreeMap<>(
          Map.of(
              "mean/fast",
              List.of(
                  "classic-shared-memory",
                  "classic-register-cache",
                  "torch avg_pool1d",
                  "cupy uniform_filter1d"),
              "mean/exact",
              List.of(),
              "min/exact",
              List.of(),
              "weighted/fast",
              List.of("torch conv1d")));

  private KernelChart() {}

  /** Draws results as a PNG. */
  static void draw(BenchmarkResults results, Path png) throws IOException {
    RadiusChart chart =
        new RadiusChart("%s, 2^27 floats".formatted(results.machine().gpu()), "milliseconds", true);
    Map<Integer, Double> limit = new TreeMap<>();
    LINES.forEach(
        (work, peers) -> {
          String name = "kernel/" + work + "/f32/k=";
          chart.add(work, times(results, name, COPY_LIMIT, false));
          limit.putAll(times(results, name, COPY_LIMIT, true));
          for (String peer : peers) {
            chart.add(work + ", " + peer, times(results, name, peer, true));
          }
        });
    chart.add("limit: the best copy", limit);
    chart.write(png);
  }

  /** Returns the times of the tuned kernel, or those of the peer, by radius. */
  private static Map<Integer, Double> times(
      BenchmarkResults results, String name, String against, boolean ofPeer) {
    Map<Integer, Double> times = new TreeMap<>();
    for (BenchmarkRow row : results.rows()) {
      if (row.name().startsWith(name)
          && row.name().indexOf('/', name.length()) < 0 // not of special cells
          && row.subject().equals(TUNED)
          && row.against().equals(against)) {
        int radius = Integer.parseInt(row.name().substring(name.length()));
        times.put(radius, ofPeer ? row.value() * row.ratio() : row.value());
      }
    }
    return times;
  }
}

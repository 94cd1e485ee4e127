/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.kernels;

import io.sparkstencil.benchmarks.results.BenchmarkResults;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws results of {@link KernelBenchmark}: milliseconds over the radius, with the limit of a copy.
 *
 * <pre>
 *   KernelChart RESULTS.json CHART.png
 * </pre>
 */
public final class KernelChart {
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

  /** Draws the single-precision results of a file. */
  public static void main(String[] args) throws IOException {
    BenchmarkResults results = BenchmarkResults.read(Path.of(args[0]));
    XYChart chart =
        new XYChartBuilder()
            .width(1100)
            .height(700)
            .title("%s, 2^27 floats".formatted(results.machine().gpu()))
            .xAxisTitle("radius k: 2k + 1 cells per output")
            .yAxisTitle("milliseconds")
            .build();
    chart.getStyler().setXAxisLogarithmic(true);
    chart.getStyler().setYAxisLogarithmic(true);
    chart.getStyler().setLegendPosition(Styler.LegendPosition.InsideNW);
    Map<Integer, Double> limit = new TreeMap<>();
    LINES.forEach(
        (work, peers) -> {
          String name = "kernel/" + work + "/f32/k=";
          draw(chart, work, times(results, name, COPY_LIMIT, false));
          limit.putAll(times(results, name, COPY_LIMIT, true));
          for (String peer : peers) {
            draw(chart, work + ", " + peer, times(results, name, peer, true));
          }
        });
    draw(chart, "limit: the best copy", limit);
    BitmapEncoder.saveBitmap(chart, args[1], BitmapEncoder.BitmapFormat.PNG);
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

  private static void draw(XYChart chart, String label, Map<Integer, Double> times) {
    if (!times.isEmpty()) {
      List<Integer> radii = new ArrayList<>(times.keySet());
      chart
          .addSeries(label, radii, new ArrayList<>(times.values()))
          .setMarker(SeriesMarkers.CIRCLE);
    }
  }
}

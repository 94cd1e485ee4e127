/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.cpu;

import io.sparkstencil.benchmarks.results.BenchmarkResults;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;

/** A chart of ratios over the radius: one line for each work and subject. */
final class RatioChart {
  private static final Pattern RADIUS = Pattern.compile("^(.*)/k=(\\d+)$");

  private RatioChart() {}

  /** Draws the rows whose name ends in {@code /k=<radius>} as a PNG. */
  static void write(BenchmarkResults results, String title, Path png) throws IOException {
    Map<String, TreeMap<Integer, Double>> lines = new TreeMap<>();
    for (BenchmarkRow row : results.rows()) {
      Matcher name = RADIUS.matcher(row.name());
      if (name.matches()) {
        lines
            .computeIfAbsent(name.group(1) + ", " + row.subject(), key -> new TreeMap<>())
            .put(Integer.parseInt(name.group(2)), row.ratio());
      }
    }
    XYChart chart =
        new XYChartBuilder()
            .width(1000)
            .height(600)
            .title(title)
            .xAxisTitle("radius k")
            .yAxisTitle("rate / copy rate")
            .build();
    chart.getStyler().setXAxisLogarithmic(true);
    chart.getStyler().setYAxisMin(0.0);
    for (Map.Entry<String, TreeMap<Integer, Double>> line : lines.entrySet()) {
      List<Integer> radii = new ArrayList<>(line.getValue().keySet());
      chart.addSeries(line.getKey(), radii, new ArrayList<>(line.getValue().values()));
    }
    BitmapEncoder.saveBitmap(chart, png.toString(), BitmapEncoder.BitmapFormat.PNG);
  }
}

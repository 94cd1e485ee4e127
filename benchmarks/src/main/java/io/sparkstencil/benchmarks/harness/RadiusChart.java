/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.harness;

import io.sparkstencil.benchmarks.results.BenchmarkRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Lines over the radius, as a PNG. */
public final class RadiusChart {
  private final XYChart chart;

  /**
   * Creates a chart without lines.
   *
   * @param values what the vertical axis shows
   * @param logarithmic whether that axis is; else it begins at 0
   */
  public RadiusChart(String title, String values, boolean logarithmic) {
    chart =
        new XYChartBuilder()
            .width(1100)
            .height(700)
            .title(title)
            .xAxisTitle("radius k: 2k + 1 cells per output")
            .yAxisTitle(values)
            .build();
    chart.getStyler().setXAxisLogarithmic(true);
    chart.getStyler().setLegendPosition(Styler.LegendPosition.InsideNW);
    if (logarithmic) {
      chart.getStyler().setYAxisLogarithmic(true);
    } else {
      chart.getStyler().setYAxisMin(0.0);
      chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
    }
  }

  /**
   * Draws a value of each row over the radius, which ends the rows' names as in {@code k=8}; draws
   * nothing without rows.
   */
  public void add(
      String label, Collection<BenchmarkRow> rows, ToDoubleFunction<BenchmarkRow> value) {
    Map<Integer, Double> values = new TreeMap<>();
    for (BenchmarkRow row : rows) {
      String radius = row.name().substring(row.name().lastIndexOf("/k=") + 3);
      values.put(Integer.valueOf(radius), value.applyAsDouble(row));
    }
    if (!values.isEmpty()) {
      chart
          .addSeries(label, new ArrayList<>(values.keySet()), new ArrayList<>(values.values()))
          .setMarker(SeriesMarkers.CIRCLE);
    }
  }

  /** Writes the chart. */
  public void write(Path png) throws IOException {
    BitmapEncoder.saveBitmap(chart, png.toString(), BitmapEncoder.BitmapFormat.PNG);
  }
}

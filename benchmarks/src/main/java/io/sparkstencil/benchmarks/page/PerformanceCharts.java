/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.page;

import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.jobs.chart.VectorPicture;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;
import org.w3c.dom.Element;

/**
 * The charts of the page. Letters are outlines, which differ from machine to machine; whether a
 * chart is of these results is told by the digest of its figures in {@link #FIGURES}.
 */
final class PerformanceCharts {
  /** The attribute with the digest of what a chart shows. */
  static final String FIGURES = "data-figures";

  private static final int WIDTH = 900;
  private static final int HEIGHT = 420;

  /** Okabe and Ito's colors, for all kinds of color vision. */
  private static final Color[] COLORS = {
    new Color(0x00, 0x72, 0xb2),
    new Color(0xe6, 0x9f, 0x00),
    new Color(0x00, 0x9e, 0x73),
    new Color(0x20, 0x20, 0x20),
    new Color(0xcc, 0x79, 0xa7)
  };

  /** Marks of lines, which differ in print without colors, too. */
  private static final Marker[] MARKS = {
    SeriesMarkers.CIRCLE,
    SeriesMarkers.SQUARE,
    SeriesMarkers.TRIANGLE_UP,
    SeriesMarkers.CROSS,
    SeriesMarkers.DIAMOND
  };

  private final ResultFiles files;

  PerformanceCharts(ResultFiles files) {
    this.files = files;
  }

  /** Returns the charts by the names of their files. */
  Map<String, Element> all() {
    Map<String, Element> charts = new LinkedHashMap<>();
    charts.put("performance-windows.svg", windows());
    charts.put("performance-kernels.svg", kernels());
    return charts;
  }

  private Element windows() {
    Map<String, String> twoCores = new LinkedHashMap<>();
    Map<String, String> h200 = new LinkedHashMap<>();
    twoCores.put("one series", "sql/avg/unpartitioned/8000000/k=8");
    h200.put("one series", "sql/avg/unpartitioned/8000000/k=8");
    twoCores.put("series", "suite/mean/8000000");
    h200.put("series", "sql/avg/partitioned/64000000/k=8");
    twoCores.put("random order", "suite/mean-of-random-order/8000000");
    h200.put("random order", "sql/avg/shuffled/64000000/k=8");
    for (String window : List.of("row-number", "rank", "sum-long", "sum-double")) {
      String work = "running/" + window + "/all/feed/8000000";
      twoCores.put(window, work);
      h200.put(window, work);
    }
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title("Windows: times as fast as Spark, same machine, same run")
            .yAxisTitle("times as fast as Spark")
            .build();
    style(chart.getStyler());
    chart.getStyler().setAvailableSpaceFill(0.7);
    List<String> labels = List.copyOf(twoCores.keySet());
    List<Double> first = ratios("two-cores", twoCores, "sql", "sql");
    List<Double> second = ratios("h200", h200, "cpu", "sql");
    chart.addSeries("2 cores", labels, first).setFillColor(COLORS[0]);
    chart.addSeries("16 cores, CPU engine", labels, second).setFillColor(COLORS[1]);
    return draw("windows", chart, labels + "" + first + second);
  }

  private List<Double> ratios(
      String machine, Map<String, String> works, String ofStencils, String ofOthers) {
    List<Double> ratios = new ArrayList<>();
    works.forEach(
        (label, work) ->
            ratios.add(
                files
                    .row(machine, work, work.startsWith("sql") ? ofStencils : ofOthers, "spark")
                    .ratio()));
    return ratios;
  }

  private Element kernels() {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title("Exact mean of 2k + 1 floats on an H200: share of the speed of the fastest copy")
            .xAxisTitle("k, cells to each side")
            .yAxisTitle("share of the speed of a copy")
            .build();
    style(chart.getStyler());
    chart.getStyler().setXAxisLogarithmic(true).setYAxisMin(0.0).setYAxisMax(1.05);
    Map<Integer, Double> tuned = shares("tuned", "copy limit");
    Map<String, Map<Integer, Double>> lines = new LinkedHashMap<>();
    lines.put("Spark Stencil", tuned);
    lines.put("textbook, shared memory", shares("classic-shared-memory", "copy limit"));
    lines.put("textbook, register cache", shares("classic-register-cache", "copy limit"));
    lines.put("torch avg_pool1d", quotients(tuned, shares("tuned", "torch avg_pool1d")));
    lines.put("cupy uniform_filter1d", quotients(tuned, shares("tuned", "cupy uniform_filter1d")));
    int color = 0;
    for (Map.Entry<String, Map<Integer, Double>> line : lines.entrySet()) {
      XYSeries series =
          chart.addSeries(
              line.getKey(),
              line.getValue().keySet().stream().mapToDouble(Integer::doubleValue).toArray(),
              line.getValue().values().stream().mapToDouble(Double::doubleValue).toArray());
      series.setLineColor(COLORS[color]);
      series.setMarkerColor(COLORS[color]);
      series.setMarker(MARKS[color]);
      series.setLineStyle(new BasicStroke(2));
      color++;
    }
    return draw("kernels", chart, lines.toString());
  }

  /** Returns ratios by radius. */
  private Map<Integer, Double> shares(String subject, String against) {
    Map<Integer, Double> shares = new TreeMap<>();
    for (BenchmarkRow row :
        files.rows(
            "h200",
            "kernel/mean/exact/f32/k=\\d+",
            each -> each.subject().equals(subject) && each.against().equals(against))) {
      shares.put(Integer.valueOf(row.name().substring(row.name().indexOf('=') + 1)), row.ratio());
    }
    return shares;
  }

  /** Returns the speed of a peer, where ours is known beside the limit and beside the peer. */
  private static Map<Integer, Double> quotients(
      Map<Integer, Double> ofLimit, Map<Integer, Double> ofPeer) {
    Map<Integer, Double> quotients = new TreeMap<>();
    ofPeer.forEach((radius, ratio) -> quotients.put(radius, ofLimit.get(radius) / ratio));
    return quotients;
  }

  private static void style(AxesChartStyler styler) {
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotBorderVisible(false);
    styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 15));
    styler.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
    styler.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    styler.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
    styler.setLegendPosition(LegendPosition.OutsideS);
    styler.setLegendBorderColor(Color.WHITE);
  }

  private static Element draw(String name, Chart<?, ?> chart, String figures) {
    Element drawn =
        VectorPicture.draw(
            name,
            new VectorPicture.Frame(chart.getTitle(), WIDTH, HEIGHT),
            graphics -> chart.paint(graphics, WIDTH, HEIGHT));
    CRC32 digest = new CRC32();
    digest.update(figures.getBytes(StandardCharsets.UTF_8));
    drawn.setAttribute(FIGURES, Long.toHexString(digest.getValue()));
    return drawn;
  }
}

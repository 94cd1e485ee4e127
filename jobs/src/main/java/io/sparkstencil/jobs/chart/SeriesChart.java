/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.function.Function;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Panels of curves over a common horizontal axis, one above the other, as a PNG. */
public final class SeriesChart {
  private static final int WIDTH_PIXELS = 1200;
  private static final int PANEL_HEIGHT_PIXELS = 460;
  private static final int TICK_SPACING_PIXELS = 110;
  private static final int LABEL_CHARACTERS = 12;

  /** A share of the axis that is not where even positions lie. */
  private static final double UNEVEN = (Math.sqrt(5) - 1) / 2;

  /** What was measured is wider than what was computed, so that it shows on both sides of it. */
  private static final float DATA_WIDTH = 3.2f;

  private static final float RESULT_WIDTH = 2.2f;

  private static final Color GREY = new Color(0x9a, 0xa5, 0xb1);
  private static final Color[] COLORS = {
    new Color(0xc8, 0x3e, 0x2b),
    new Color(0x1f, 0x5f, 0xa8),
    new Color(0x2b, 0x8a, 0x5a),
    new Color(0x8a, 0x5a, 0xb0),
    new Color(0xc0, 0x7f, 0x10),
    new Color(0x1a, 0x8f, 0x9a)
  };

  /** Marks of results, of which the first has none: they differ in print without colours, too. */
  private static final Marker[] MARKS = {
    SeriesMarkers.NONE,
    SeriesMarkers.CIRCLE,
    SeriesMarkers.TRIANGLE_UP,
    SeriesMarkers.SQUARE,
    SeriesMarkers.TRIANGLE_DOWN,
    SeriesMarkers.DIAMOND
  };

  /** Before the name of a curve in that of its line, which no legend shows. No name has it. */
  private static final String LINE_OF = "\u0000";

  private static final int MARKS_OF_A_CURVE = 16;
  private static final int MARK_PIXELS = 9;

  /** How a curve is drawn. */
  public enum Look {
    /** Thin and grey: what was measured. */
    DATA,
    /** Thick and coloured: what was computed. */
    RESULT
  }

  /**
   * One curve.
   *
   * @param name as in the legend
   * @param at positions on the axis; milliseconds since 1970 in UTC if the axis shows dates
   * @param values one per position; the curve is broken where a value is NaN
   * @param look how it is drawn
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Curve(String name, double[] at, double[] values, Look look) {}

  /**
   * One panel.
   *
   * @param title above it
   * @param valueTitle what the vertical axis shows, with its unit
   * @param curves drawn in this order
   */
  public record Panel(String title, String valueTitle, List<Curve> curves) {
    /** Copies the list. */
    public Panel {
      curves = List.copyOf(curves);
    }
  }

  private final String axisTitle;
  private final boolean dates;
  private final List<Panel> panels = new ArrayList<>();
  private Map<Long, String> labels = Map.of();
  private ValueRange values;

  /**
   * Creates a chart without panels.
   *
   * @param axisTitle what the horizontal axis shows
   * @param dates whether it shows dates
   */
  public SeriesChart(String axisTitle, boolean dates) {
    this.axisTitle = axisTitle;
    this.dates = dates;
  }

  /** Appends a panel. */
  public SeriesChart add(Panel panel) {
    panels.add(panel);
    return this;
  }

  /** Writes texts below the whole numbers of the horizontal axis, instead of the numbers. */
  public SeriesChart withLabels(Map<Long, String> texts) {
    labels = Map.copyOf(texts);
    return this;
  }

  /** Has the vertical axes show the same values in each picture, whatever the curves have. */
  public SeriesChart withValues(ValueRange range) {
    values = range;
    return this;
  }

  /** Draws the chart as a PNG. */
  public void writePng(Path file) throws IOException {
    if (!ImageIO.write(image(), "png", file.toFile())) {
      throw new IOException("this JVM cannot write PNG files");
    }
  }

  /** Draws the chart. */
  BufferedImage image() {
    int height = PANEL_HEIGHT_PIXELS * Math.max(1, panels.size());
    BufferedImage image = new BufferedImage(WIDTH_PIXELS, height, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    try {
      graphics.setColor(Color.WHITE);
      graphics.fillRect(0, 0, WIDTH_PIXELS, height);
      double[] left = new double[panels.size()];
      for (int i = 0; i < left.length; i++) {
        XYChart chart = draw(panels.get(i), WIDTH_PIXELS);
        BitmapEncoder.getBufferedImage(chart);
        left[i] = chart.getYAxisLeftWidth(); // known once it has been drawn
      }
      double widest = Arrays.stream(left).max().orElse(0);
      for (int i = 0; i < left.length; i++) {
        int shift = (int) Math.round(widest - left[i]);
        BufferedImage drawn =
            BitmapEncoder.getBufferedImage(draw(panels.get(i), WIDTH_PIXELS - shift));
        graphics.drawImage(drawn, shift, i * PANEL_HEIGHT_PIXELS, null);
      }
    } finally {
      graphics.dispose();
    }
    return image;
  }

  private XYChart draw(Panel panel, int widthPixels) {
    XYChart chart =
        new XYChartBuilder()
            .width(widthPixels)
            .height(PANEL_HEIGHT_PIXELS)
            .title(panel.title())
            .xAxisTitle(axisTitle)
            .yAxisTitle(panel.valueTitle())
            .build();
    ValueRange axis = range(panels, Curve::at);
    TimeScale scale = dates && axis != null ? TimeScale.of(axis.greatest() - axis.least()) : null;
    style(chart.getStyler(), panel, scale);
    limit(chart.getStyler(), panel, axis, scale);
    int results = 0;
    for (Curve curve : panel.curves()) {
      if (curve.look() == Look.DATA) {
        XYSeries series = addTo(chart, curve, scale);
        series.setMarker(SeriesMarkers.NONE);
        series.setLineColor(GREY);
        series.setLineStyle(new BasicStroke(DATA_WIDTH));
      } else {
        addResult(chart, curve, scale, results++);
      }
    }
    return chart;
  }

  /** Adds the line of a result, and in the legend's place of most the marks on it. */
  private static void addResult(XYChart chart, Curve curve, TimeScale scale, int place) {
    Marker mark = MARKS[place % MARKS.length];
    List<Curve> parts = new ArrayList<>();
    if (mark != SeriesMarkers.NONE) {
      parts.add(new Curve(LINE_OF + curve.name(), curve.at(), curve.values(), Look.RESULT));
    }
    parts.add(mark == SeriesMarkers.NONE ? curve : marked(curve, place));
    for (Curve part : parts) {
      XYSeries series = addTo(chart, part, scale);
      boolean named = part.name().equals(curve.name());
      series.setLineColor(COLORS[place % COLORS.length]);
      series.setLineStyle(new BasicStroke(RESULT_WIDTH));
      series.setMarkerColor(COLORS[place % COLORS.length]);
      series.setMarker(named ? mark : SeriesMarkers.NONE);
      series.setShowInLegend(named);
    }
  }

  /** Returns a few points of a curve, none beside another, and between those of other places. */
  private static Curve marked(Curve curve, int place) {
    double phase = (place % MARKS.length) / (double) MARKS.length;
    int[] points =
        IntStream.range(0, MARKS_OF_A_CURVE)
            .map(i -> (int) ((i + phase) * curve.at().length / MARKS_OF_A_CURVE))
            .distinct()
            .filter(point -> point < curve.at().length)
            .toArray();
    double[] at = new double[2 * points.length];
    double[] values = new double[at.length];
    Arrays.fill(values, Double.NaN); // no line leads over what has no value
    for (int i = 0; i < points.length; i++) {
      at[2 * i] = curve.at()[points[i]];
      at[2 * i + 1] = at[2 * i];
      values[2 * i] = curve.values()[points[i]];
    }
    return new Curve(curve.name(), at, values, curve.look());
  }

  @SuppressWarnings("JavaUtilDate") // what XChart takes
  private static XYSeries addTo(XYChart chart, Curve curve, TimeScale scale) {
    if (scale == null) {
      return chart.addSeries(curve.name(), curve.at(), curve.values());
    }
    if (scale != TimeScale.TIMES) {
      return addUneven(chart, curve, scale);
    }
    List<Date> at = new ArrayList<>(curve.at().length);
    List<Double> values = new ArrayList<>(curve.values().length);
    for (int i = 0; i < curve.at().length; i++) {
      at.add(new Date((long) curve.at()[i]));
      values.add(curve.values()[i]);
    }
    return chart.addSeries(curve.name(), at, values);
  }

  /**
   * Adds a curve with one more position, without a value, somewhere between the others: where all
   * positions are evenly spaced, the chart would put its ticks at some of them, not at round
   * numbers.
   */
  private static XYSeries addUneven(XYChart chart, Curve curve, TimeScale scale) {
    int points = curve.at().length;
    double[] at = new double[points + 1];
    double[] values = Arrays.copyOf(curve.values(), points + 1);
    for (int i = 0; i < points; i++) {
      at[i] = scale.position(curve.at()[i]);
    }
    at[points] = at[0] + UNEVEN * (at[Math.max(0, points - 1)] - at[0]);
    values[points] = Double.NaN;
    return chart.addSeries(curve.name(), at, values);
  }

  private void style(XYStyler styler, Panel panel, TimeScale scale) {
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotBackgroundColor(Color.WHITE);
    styler.setPlotGridLinesColor(new Color(0xe3, 0xe7, 0xeb));
    styler.setPlotBorderVisible(false);
    styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 20));
    styler.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 16));
    styler.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14));
    styler.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 15));
    styler.setLegendPosition(LegendPosition.OutsideS);
    styler.setLegendLayout(LegendLayout.Horizontal);
    styler.setLegendBorderColor(Color.WHITE);
    styler.setLegendVisible(panel.curves().size() > 1);
    styler.setAntiAlias(true);
    styler.setMarkerSize(MARK_PIXELS);
    styler.setTimezone(TimeZone.getTimeZone("UTC"));
    styler.setXAxisTickMarkSpacingHint(TICK_SPACING_PIXELS);
    if (scale == TimeScale.TIMES) {
      styler.setDatePattern("MM-dd HH:mm");
    } else if (scale != null) {
      styler.setxAxisTickLabelsFormattingFunction(scale::label);
    } else if (!labels.isEmpty()) {
      styler.setxAxisTickLabelsFormattingFunction(this::label);
    }
  }

  private String label(double position) {
    String text = position == Math.rint(position) ? labels.getOrDefault((long) position, "") : "";
    return text.length() <= LABEL_CHARACTERS
        ? text
        : text.substring(0, LABEL_CHARACTERS) + "\u2026";
  }

  /**
   * Has all panels show the same positions, and those that show the same values the same range of
   * these.
   */
  private void limit(XYStyler styler, Panel panel, ValueRange axis, TimeScale scale) {
    if (panels.size() > 1 && axis != null && axis.least() < axis.greatest()) {
      styler.setXAxisMin(scale == null ? axis.least() : scale.position(axis.least()));
      styler.setXAxisMax(scale == null ? axis.greatest() : scale.position(axis.greatest()));
    }
    List<Panel> alike =
        panels.stream().filter(each -> each.valueTitle().equals(panel.valueTitle())).toList();
    ValueRange shown =
        values != null ? values : alike.size() > 1 ? range(alike, Curve::values) : null;
    if (shown != null && shown.least() < shown.greatest()) {
      styler.setYAxisMin(shown.least()).setYAxisMax(shown.greatest());
    }
  }

  /** Returns the least and the greatest number that curves have, or null if they have none. */
  private static ValueRange range(List<Panel> panels, Function<Curve, double[]> numbers) {
    DoubleSummaryStatistics found =
        panels.stream()
            .flatMap(panel -> panel.curves().stream())
            .flatMapToDouble(curve -> Arrays.stream(numbers.apply(curve)))
            .filter(Double::isFinite)
            .summaryStatistics();
    return found.getCount() == 0 ? null : new ValueRange(found.getMin(), found.getMax());
  }
}

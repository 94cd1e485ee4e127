/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.page;

import io.sparkstencil.jobs.chart.VectorPicture;
import io.sparkstencil.jobs.survey.result.Figures;
import io.sparkstencil.survey.Limit;
import io.sparkstencil.survey.Measured;
import io.sparkstencil.survey.SurveyChart;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;
import org.w3c.dom.Element;

/**
 * A chart of a survey: measurements as marks with lines, their spread as bars, predictions dashed
 * in the same color, limits as lines with names. The legend stands below the plot, and the names of
 * limits beside it, so that neither hides a mark.
 */
final class SurveyPicture {
  /** A spread below it would hide behind the mark. */
  private static final double LEAST_SPREAD = 0.03;

  private static final int WIDTH_PIXELS = 900;
  private static final int PLOT_HEIGHT_PIXELS = 380;
  private static final int LEGEND_ROW_PIXELS = 21;
  private static final int MARK_PIXELS = 8;

  /** Okabe and Ito's colors, for all kinds of color vision; neighbors differ in grey, too. */
  private static final Color[] COLORS = {
    new Color(0x00, 0x72, 0xb2),
    new Color(0xe6, 0x9f, 0x00),
    new Color(0x00, 0x9e, 0x73),
    new Color(0x20, 0x20, 0x20),
    new Color(0xcc, 0x79, 0xa7),
    new Color(0xd5, 0x5e, 0x00),
    new Color(0x56, 0xb4, 0xe9)
  };

  private static final List<Mark.Form> FORMS =
      List.of(
          Mark.Form.CIRCLE,
          Mark.Form.SQUARE,
          Mark.Form.TRIANGLE,
          Mark.Form.DIAMOND,
          Mark.Form.POINT_DOWN);

  private static final Color DARK = new Color(0x33, 0x33, 0x33);
  private static final Color GRID = new Color(0xe3, 0xe7, 0xeb);
  private static final BasicStroke SOLID = stroke(2f);
  private static final BasicStroke THIN = stroke(1.3f);
  private static final BasicStroke DASHED = stroke(1.6f, 7, 4);
  private static final BasicStroke DOTTED = stroke(1.4f, 2, 3);

  private final SurveyChart chart;
  private final List<Trace> traces;
  private final Scale x;
  private final Scale y;
  private final LimitNames limits;

  private SurveyPicture(SurveyChart chart, List<Trace> traces) {
    this.chart = chart;
    this.traces = traces.stream().filter(trace -> !trace.curve().points().isEmpty()).toList();
    double[] heights = this.traces.stream().flatMapToDouble(SurveyPicture::heights).toArray();
    this.limits = LimitNames.of(chart, DoubleStream.of(heights).max().orElse(Double.NaN));
    this.x = Scale.of(chart.x(), false, this.traces.stream().flatMapToDouble(SurveyPicture::xs));
    this.y =
        Scale.of(
            chart.y(),
            true,
            DoubleStream.concat(
                DoubleStream.of(heights), limits.shown().stream().mapToDouble(Limit::y)));
  }

  /**
   * Draws a chart.
   *
   * @param name unique among the pictures of a page
   */
  static Element draw(String name, SurveyChart chart, List<Trace> traces) {
    return new SurveyPicture(chart, traces).draw(name);
  }

  private static BasicStroke stroke(float width, float... dashes) {
    return new BasicStroke(
        width,
        BasicStroke.CAP_BUTT,
        BasicStroke.JOIN_ROUND,
        10,
        dashes.length == 0 ? null : dashes,
        0);
  }

  private static DoubleStream xs(Trace trace) {
    return trace.curve().points().stream().mapToDouble(Measured::x);
  }

  /** Returns everything of a curve that has to be seen: values, ends of bars, predictions. */
  private static DoubleStream heights(Trace trace) {
    return trace.curve().points().stream()
        .flatMapToDouble(
            point ->
                DoubleStream.of(
                    low(point), high(point), trace.predicted() ? point.predicted() : Double.NaN));
  }

  private static double low(Measured point) {
    return hasBar(point) ? point.y() * (1 - point.spread() / 2) : point.y();
  }

  private static double high(Measured point) {
    return hasBar(point) ? point.y() * (1 + point.spread() / 2) : point.y();
  }

  /** A spread of 2 or more would reach below zero; there is no such bar to draw. */
  private static boolean hasBar(Measured point) {
    return point.spread() > LEAST_SPREAD && point.spread() < 2;
  }

  private Element draw(String name) {
    boolean predicted = traces.stream().anyMatch(SurveyPicture::hasPredictions);
    int rows = traces.size() + (predicted ? 1 : 0);
    int plotWidth = WIDTH_PIXELS - limits.widthPixels();
    int height = PLOT_HEIGHT_PIXELS + rows * LEGEND_ROW_PIXELS;
    XYChart drawn =
        new XYChartBuilder()
            .width(plotWidth)
            .height(height)
            .title(chart.title())
            .xAxisTitle(Figures.title(chart.x()))
            .yAxisTitle(Figures.title(chart.y()))
            .build();
    style(drawn.getStyler());
    addLimits(drawn);
    traces.forEach(trace -> add(drawn, trace));
    if (predicted) {
      legendOfPredictions(drawn);
    }
    return VectorPicture.draw(
        name,
        new VectorPicture.Frame(chart.title(), WIDTH_PIXELS, height),
        graphics -> paint(drawn, graphics, plotWidth, height));
  }

  private void paint(XYChart drawn, Graphics2D graphics, int plotWidth, int height) {
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, WIDTH_PIXELS, height);
    drawn.paint(graphics, plotWidth, height);
    graphics.setColor(DARK);
    limits.paint(
        graphics,
        drawn.getScreenXFromChart(x.greatest()),
        drawn.getScreenYFromChart(y.greatest()),
        limit -> drawn.getScreenYFromChart(y.place(limit)));
  }

  private void addLimits(XYChart drawn) {
    for (Limit limit : limits.shown()) {
      double at = y.place(limit.y());
      XYSeries line =
          addSeries(drawn, new double[] {x.least(), x.greatest()}, new double[] {at, at});
      line.setShowInLegend(false);
      look(line, DARK, DOTTED, SeriesMarkers.NONE);
    }
  }

  private void add(XYChart drawn, Trace trace) {
    Color color = COLORS[trace.color() % COLORS.length];
    if (hasPredictions(trace)) {
      XYSeries line = addSeries(drawn, places(trace), heights(trace, Measured::predicted));
      line.setShowInLegend(false);
      boolean alone = trace.curve().points().size() == 1; // no line would be seen
      look(line, color, DASHED, alone ? new Mark(Mark.Form.DASH, false) : SeriesMarkers.NONE);
    }
    addBars(drawn, trace, color);
    Mark.Form form = FORMS.get(trace.color() % FORMS.size());
    XYSeries line = addSeries(drawn, places(trace), heights(trace, Measured::y));
    line.setLabel(trace.curve().name());
    look(line, color, trace.hollow() ? THIN : SOLID, new Mark(form, trace.hollow()));
  }

  /** Adds the bars of a curve: pairs of points, with a gap after each pair. */
  private void addBars(XYChart drawn, Trace trace, Color color) {
    List<Measured> wide = trace.curve().points().stream().filter(SurveyPicture::hasBar).toList();
    if (wide.isEmpty()) {
      return;
    }
    double[] at = new double[3 * wide.size()];
    double[] ends = new double[at.length];
    for (int i = 0; i < wide.size(); i++) {
      Arrays.fill(at, 3 * i, 3 * i + 3, x.place(wide.get(i).x()));
      ends[3 * i] = y.place(low(wide.get(i)));
      ends[3 * i + 1] = y.place(high(wide.get(i)));
      ends[3 * i + 2] = Double.NaN;
    }
    XYSeries bars = addSeries(drawn, at, ends);
    bars.setShowInLegend(false);
    look(bars, color, THIN, new Mark(Mark.Form.BAR, false));
  }

  private void legendOfPredictions(XYChart drawn) {
    double[] nowhere = {Double.NaN};
    XYSeries line = addSeries(drawn, new double[] {x.least()}, nowhere);
    line.setLabel("dashed: predicted");
    look(line, DARK, DASHED, SeriesMarkers.NONE);
  }

  private static XYSeries addSeries(XYChart drawn, double[] at, double[] values) {
    return drawn.addSeries("series " + drawn.getSeriesMap().size(), at, values);
  }

  private static void look(XYSeries series, Color color, BasicStroke stroke, Marker mark) {
    series.setLineColor(color);
    series.setMarkerColor(color);
    series.setLineStyle(stroke);
    series.setMarker(mark);
  }

  private static boolean hasPredictions(Trace trace) {
    return trace.predicted()
        && trace.curve().points().stream().anyMatch(point -> !Double.isNaN(point.predicted()));
  }

  private double[] places(Trace trace) {
    return xs(trace).map(x::place).toArray();
  }

  private double[] heights(Trace trace, ToDoubleFunction<Measured> value) {
    return trace.curve().points().stream().mapToDouble(value).map(y::place).toArray();
  }

  private void style(XYStyler styler) {
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotBackgroundColor(Color.WHITE);
    styler.setPlotBorderVisible(false);
    styler.setPlotGridLinesColor(GRID);
    styler.setPlotGridLinesStroke(stroke(1));
    styler.setPlotContentSize(0.985); // all of it would leave out the ticks at its ends
    styler.setPlotMargin(0);
    styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 15));
    styler.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
    styler.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    styler.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
    styler.setLegendPosition(LegendPosition.OutsideS);
    styler.setLegendLayout(LegendLayout.Vertical);
    styler.setLegendBorderColor(Color.WHITE);
    styler.setLegendSeriesLineLength(36);
    styler.setLegendVisible(!traces.isEmpty());
    styler.setMarkerSize(MARK_PIXELS);
    styler.setLocale(Locale.ROOT);
    styler.setXAxisMin(x.least()).setXAxisMax(x.greatest());
    styler.setYAxisMin(y.least()).setYAxisMax(y.greatest());
    styler.setxAxisTickLabelsFormattingFunction(x::label);
    styler.setyAxisTickLabelsFormattingFunction(y::label);
    styler.setXAxisTickMarkSpacingHint(Scale.tickPixels(true));
    styler.setYAxisTickMarkSpacingHint(Scale.tickPixels(false));
  }
}

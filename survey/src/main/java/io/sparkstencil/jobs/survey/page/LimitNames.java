/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.page;

import io.sparkstencil.jobs.survey.result.Figures;
import io.sparkstencil.survey.Limit;
import io.sparkstencil.survey.SurveyChart;
import java.awt.BasicStroke;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.font.FontRenderContext;
import java.awt.font.TextLayout;
import java.awt.geom.AffineTransform;
import java.awt.geom.Line2D;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * The names of a chart's limits, beside the plot, each at its line and none over another.
 *
 * @param shown the limits that have a line, greatest first
 * @param above those that the plot does not reach: with them, curves would lie flat on the axis
 * @param unit the unit of their values
 */
record LimitNames(List<Limit> shown, List<Limit> above, String unit) {
  /** How far above all measurements a limit on an even axis may lie to be seen. */
  private static final double MOST_TIMES = 4;

  private static final int WIDTH_PIXELS = 170;
  private static final int LEADER_PIXELS = 22;
  private static final int LINE_PIXELS = 14;
  private static final int GAP_PIXELS = 4;
  private static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
  private static final FontRenderContext PLAIN = new FontRenderContext(null, true, true);

  /**
   * Returns those of a chart.
   *
   * @param greatest the greatest value that is drawn; NaN if there is none
   */
  static LimitNames of(SurveyChart chart, double greatest) {
    List<Limit> shown = new ArrayList<>();
    List<Limit> above = new ArrayList<>();
    for (Limit limit : chart.limits()) {
      boolean far = !chart.y().logarithmic() && limit.y() > MOST_TIMES * greatest;
      (far ? above : shown).add(limit);
    }
    Comparator<Limit> greatestFirst = Comparator.comparingDouble(Limit::y).reversed();
    shown.sort(greatestFirst);
    above.sort(greatestFirst);
    return new LimitNames(List.copyOf(shown), List.copyOf(above), chart.y().unit());
  }

  /** Returns the room that they need beside the plot. */
  int widthPixels() {
    return shown.isEmpty() && above.isEmpty() ? 0 : WIDTH_PIXELS;
  }

  /**
   * Writes them, from top to bottom, each with a line to its own.
   *
   * @param left where the plot ends
   * @param top the upper end of the plot
   * @param heights where limits lie, in pixels from above
   */
  void paint(Graphics2D graphics, double left, double top, DoubleUnaryOperator heights) {
    graphics.setStroke(new BasicStroke(1));
    double free = top - LINE_PIXELS;
    for (Limit limit : above) {
      free = write(graphics, lines(limit, ", above the plot"), left + LEADER_PIXELS, free);
    }
    for (Limit limit : shown) {
      List<String> lines = lines(limit, "");
      double line = heights.applyAsDouble(limit.y());
      double half = lines.size() * LINE_PIXELS / 2.0;
      double at = Math.max(free, line - half);
      graphics.draw(new Line2D.Double(left, line, left + LEADER_PIXELS - GAP_PIXELS, at + half));
      free = write(graphics, lines, left + LEADER_PIXELS, at);
    }
  }

  private List<String> lines(Limit limit, String remark) {
    String text = limit.name() + " " + Figures.withUnit(limit.y(), unit) + remark;
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      String longer = line.isEmpty() ? word : line + " " + word;
      if (!line.isEmpty()
          && FONT.getStringBounds(longer, PLAIN).getWidth()
              > WIDTH_PIXELS - LEADER_PIXELS - 2 * GAP_PIXELS) {
        lines.add(line.toString());
        longer = word;
      }
      line.setLength(0);
      line.append(longer);
    }
    lines.add(line.toString());
    return lines;
  }

  /** Writes lines from {@code top} down and returns where the next may begin. */
  private static double write(Graphics2D graphics, List<String> lines, double left, double top) {
    double at = top;
    for (String line : lines) {
      at += LINE_PIXELS;
      // As outlines, as all text of the chart: pictures look alike wherever they are seen.
      TextLayout text = new TextLayout(line, FONT, PLAIN);
      graphics.fill(text.getOutline(AffineTransform.getTranslateInstance(left, at - 3)));
    }
    return at + GAP_PIXELS;
  }
}

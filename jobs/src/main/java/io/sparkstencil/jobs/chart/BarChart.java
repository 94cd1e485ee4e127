/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.chart;

import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.CategoryStyler;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * Groups of bars beside each other, as a PNG.
 *
 * @param title above them
 * @param valueTitle what their heights show, with the unit
 * @param groups the names of the groups
 * @param bars for each name in the legend, a height in each group
 */
public record BarChart(
    String title, String valueTitle, List<String> groups, Map<String, List<Double>> bars) {
  private static final int WIDTH_PIXELS = 1200;
  private static final int HEIGHT_PIXELS = 560;

  private static final Color[] COLORS = {
    new Color(0x9a, 0xa5, 0xb1), new Color(0x1f, 0x5f, 0xa8), new Color(0x2b, 0x8a, 0x5a)
  };

  /** Draws the chart as a PNG. */
  public void writePng(Path file) throws IOException {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH_PIXELS)
            .height(HEIGHT_PIXELS)
            .title(title)
            .yAxisTitle(valueTitle)
            .build();
    CategoryStyler styler = chart.getStyler();
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotBackgroundColor(Color.WHITE);
    styler.setPlotGridLinesColor(new Color(0xe3, 0xe7, 0xeb));
    styler.setPlotGridVerticalLinesVisible(false);
    styler.setPlotBorderVisible(false);
    styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 20));
    styler.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 16));
    styler.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14));
    styler.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 15));
    styler.setLegendPosition(LegendPosition.OutsideE);
    styler.setLegendBorderColor(Color.WHITE);
    styler.setYAxisMin(0.0);
    styler.setSeriesColors(COLORS);
    styler.setLabelsVisible(false);
    bars.forEach((name, heights) -> chart.addSeries(name, groups, heights));
    if (!ImageIO.write(BitmapEncoder.getBufferedImage(chart), "png", file.toFile())) {
      throw new IOException("this JVM cannot write PNG files");
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.chart;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;

/**
 * The cells of a field of two axes as colours, as a PNG: the first axis goes down, the second one
 * to the right, as images of arrays do.
 *
 * @param title above the picture
 * @param axes the names of both axes, slowest first
 * @param rows the cells along the first axis
 * @param columns the cells along the second axis
 * @param cells the values, row by row
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record FieldChart(String title, List<String> axes, int rows, int columns, double[] cells) {
  private static final int MARGIN_PIXELS = 60;
  private static final int LEGEND_PIXELS = 150;
  private static final int BAR_PIXELS = 24;
  private static final int LARGEST_PIXELS = 1000;
  private static final Color MISSING = new Color(0xb8, 0xbd, 0xc4);

  /** From the least value to the greatest, each lighter than the one before. */
  private static final int[][] COLORS = {
    {0x1d, 0x1a, 0x4b},
    {0x2b, 0x5c, 0x8f},
    {0x1f, 0x93, 0x8c},
    {0x8c, 0xc1, 0x52},
    {0xfb, 0xe8, 0x70}
  };

  /** Checks that there is one value per cell. */
  public FieldChart {
    axes = List.copyOf(axes);
    if (cells.length != rows * columns || axes.size() != 2) {
      throw new IllegalArgumentException(
          "%d values for %d x %d cells with the axes %s"
              .formatted(cells.length, rows, columns, axes));
    }
  }

  /** Draws the picture as a PNG. */
  public void writePng(Path file) throws IOException {
    double scale = (double) LARGEST_PIXELS / Math.max(rows, columns);
    double whole = scale >= 1 ? Math.floor(scale) : scale;
    int width = Math.max(1, (int) Math.round(columns * whole));
    int height = Math.max(1, (int) Math.round(rows * whole));
    BufferedImage image =
        new BufferedImage(
            Math.max(width, MARGIN_PIXELS) + 2 * MARGIN_PIXELS + LEGEND_PIXELS,
            Math.max(height, LEGEND_PIXELS) + 2 * MARGIN_PIXELS,
            BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    try {
      graphics.setColor(Color.WHITE);
      graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
      Range range = Range.of(cells);
      paintCells(image, width, height, range);
      paintLegend(image, graphics, width, Math.max(height, LEGEND_PIXELS), range);
      paintAxes(graphics, width, height);
    } finally {
      graphics.dispose();
    }
    if (!ImageIO.write(image, "png", file.toFile())) {
      throw new IOException("this JVM cannot write PNG files");
    }
  }

  /** The least and the greatest of the finite values; both 0 if there are none. */
  private record Range(double least, double greatest) {
    static Range of(double... values) {
      double least = Double.POSITIVE_INFINITY;
      double greatest = Double.NEGATIVE_INFINITY;
      for (double value : values) {
        if (Double.isFinite(value)) {
          least = Math.min(least, value);
          greatest = Math.max(greatest, value);
        }
      }
      return least > greatest ? new Range(0, 0) : new Range(least, greatest);
    }

    private int color(double value) {
      if (!Double.isFinite(value)) {
        return MISSING.getRGB();
      }
      double width = greatest - least;
      double share = width > 0 ? Math.max(0, Math.min(1, (value - least) / width)) : 0;
      double place = share * (COLORS.length - 1);
      int from = Math.min(COLORS.length - 2, (int) place);
      int color = 0;
      for (int part = 0; part < 3; part++) {
        double between =
            COLORS[from][part] + (place - from) * (COLORS[from + 1][part] - COLORS[from][part]);
        color = color << 8 | (int) Math.round(between);
      }
      return color;
    }
  }

  private void paintCells(BufferedImage image, int width, int height, Range range) {
    for (int y = 0; y < height; y++) {
      int row = (int) ((long) y * rows / height);
      for (int x = 0; x < width; x++) {
        int column = (int) ((long) x * columns / width);
        int color = range.color(cells[row * columns + column]);
        image.setRGB(MARGIN_PIXELS + x, MARGIN_PIXELS + y, color);
      }
    }
  }

  private static void paintLegend(
      BufferedImage image, Graphics2D graphics, int width, int height, Range range) {
    int left = 2 * MARGIN_PIXELS + width - BAR_PIXELS;
    for (int y = 0; y < height; y++) {
      double value =
          range.greatest() - (range.greatest() - range.least()) * y / Math.max(1, height - 1);
      for (int x = 0; x < BAR_PIXELS; x++) {
        image.setRGB(left + x, MARGIN_PIXELS + y, range.color(value));
      }
    }
    graphics.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 15));
    graphics.setColor(Color.DARK_GRAY);
    int text = left + BAR_PIXELS + 8;
    double middle = range.least() + (range.greatest() - range.least()) / 2;
    graphics.drawString(label(range.greatest()), text, MARGIN_PIXELS + 12);
    graphics.drawString(label(middle), text, MARGIN_PIXELS + height / 2 + 6);
    graphics.drawString(label(range.least()), text, MARGIN_PIXELS + height);
  }

  private static String label(double value) {
    return value == 0 ? "0" : String.format(Locale.ROOT, "%.4g", value);
  }

  private void paintAxes(Graphics2D graphics, int width, int height) {
    int below = MARGIN_PIXELS + height + 22;
    graphics.drawString("0", MARGIN_PIXELS - 18, MARGIN_PIXELS + 12);
    graphics.drawString(axes.get(0), MARGIN_PIXELS - 24, MARGIN_PIXELS + height / 2 + 6);
    graphics.drawString(String.valueOf(rows - 1), 8, MARGIN_PIXELS + height);
    graphics.drawString("0", MARGIN_PIXELS, below);
    graphics.drawString(axes.get(1), MARGIN_PIXELS + width / 2, below);
    graphics.drawString(String.valueOf(columns - 1), MARGIN_PIXELS + width - 30, below);
    graphics.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 18));
    graphics.drawString(title, MARGIN_PIXELS, MARGIN_PIXELS - 22);
  }
}

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
 * Cells of a field as colours: maps beside one another, with axes in cells and a bar of the
 * colours. The first axis of a map goes down, the second one to the right, as in images of arrays.
 *
 * @param title above all maps
 * @param quantity what the colours show
 * @param maps one or more
 * @param range the values from the first colour to the last
 */
public record FieldChart(String title, String quantity, List<FieldMap> maps, ValueRange range) {
  private static final int MARGIN_PIXELS = 60;
  private static final int GAP_PIXELS = 70; // between maps
  private static final int BAR_PIXELS = 20;
  private static final int LEGEND_PIXELS = 95;
  private static final int SMALLEST_BAR_PIXELS = 150;
  private static final int LARGEST_PIXELS = 1000;
  private static final int PIXELS_PER_TICK = 110;
  private static final int TICK_PIXELS = 5;
  static final Color MISSING = new Color(0xb8, 0xbd, 0xc4);
  private static final Color INK = new Color(0x40, 0x40, 0x40);
  private static final Font PLAIN = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
  private static final Font BOLD = new Font(Font.SANS_SERIF, Font.BOLD, 15);

  /** Checks that there is a map. */
  public FieldChart {
    maps = List.copyOf(maps);
    if (maps.isEmpty()) {
      throw new IllegalArgumentException("no map");
    }
  }

  /** Returns the chart of maps whose colours span all of their values. */
  public static FieldChart of(String title, String quantity, List<FieldMap> maps) {
    ValueRange range =
        maps.stream().map(map -> ValueRange.of(map.values())).reduce(ValueRange::and).orElseThrow();
    return new FieldChart(title, quantity, maps, range);
  }

  /** Draws the picture as a PNG. */
  public void writePng(Path file) throws IOException {
    if (!ImageIO.write(image(LARGEST_PIXELS), "png", file.toFile())) {
      throw new IOException("this JVM cannot write PNG files");
    }
  }

  /**
   * Draws the picture.
   *
   * @param longest the most pixels along the longer axis of all maps together
   */
  BufferedImage image(int longest) {
    double scale = scale(longest);
    int width = maps.stream().mapToInt(map -> pixels(map.columns(), scale)).sum();
    width += (maps.size() - 1) * GAP_PIXELS;
    int height = maps.stream().mapToInt(map -> pixels(map.rows(), scale)).max().orElseThrow();
    int barHeight = Math.max(height, SMALLEST_BAR_PIXELS);
    BufferedImage image =
        new BufferedImage(
            Math.max(width, MARGIN_PIXELS) + 2 * MARGIN_PIXELS + LEGEND_PIXELS,
            barHeight + 2 * MARGIN_PIXELS,
            BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    try {
      graphics.setColor(Color.WHITE);
      graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
      graphics.setRenderingHint(
          RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
      graphics.setColor(INK);
      graphics.setFont(BOLD);
      graphics.drawString(title, MARGIN_PIXELS, 24);
      graphics.setFont(PLAIN);
      int left = MARGIN_PIXELS;
      for (FieldMap map : maps) {
        int columns = pixels(map.columns(), scale);
        int rows = pixels(map.rows(), scale);
        paintCells(image, map, left, columns, rows);
        paintAxes(graphics, map, left, columns, rows);
        left += columns + GAP_PIXELS;
      }
      paintBar(image, graphics, MARGIN_PIXELS + Math.max(width, MARGIN_PIXELS) + 20, barHeight);
    } finally {
      graphics.dispose();
    }
    return image;
  }

  /** Returns the pixels of a cell along each axis: a whole number, unless it is below 1. */
  private double scale(int longest) {
    int across = maps.stream().mapToInt(FieldMap::columns).sum();
    int down = maps.stream().mapToInt(FieldMap::rows).max().orElseThrow();
    double scale = (double) longest / Math.max(across, down);
    return scale >= 1 ? Math.floor(scale) : scale;
  }

  private static int pixels(int cells, double scale) {
    return Math.max(1, (int) Math.round(cells * scale));
  }

  private void paintCells(BufferedImage image, FieldMap map, int left, int width, int height) {
    ColorMap colors = range.colors();
    ValueRange drawn = range.drawn();
    for (int y = 0; y < height; y++) {
      int row = (int) ((long) y * map.rows() / height);
      for (int x = 0; x < width; x++) {
        int column = (int) ((long) x * map.columns() / width);
        double value = map.values()[row * map.columns() + column];
        int color = Double.isFinite(value) ? colors.rgb(value, drawn) : MISSING.getRGB();
        image.setRGB(left + x, MARGIN_PIXELS + y, color);
      }
    }
  }

  private static void paintAxes(
      Graphics2D graphics, FieldMap map, int left, int width, int height) {
    int bottom = MARGIN_PIXELS + height;
    graphics.drawRect(left - 1, MARGIN_PIXELS - 1, width + 1, height + 1);
    graphics.drawString(map.caption(), left, MARGIN_PIXELS - 10);
    for (long cell : ticks(map.across(), width)) {
      int x = left + (int) ((cell + 0.5) / map.across().cells() * width);
      graphics.drawLine(x, bottom, x, bottom + TICK_PIXELS);
      centred(graphics, Long.toString(cell), x, bottom + 20);
    }
    centred(graphics, map.across().name() + " (cells)", left + width / 2, bottom + 40);
    for (long cell : ticks(map.down(), height)) {
      int y = MARGIN_PIXELS + (int) ((cell + 0.5) / map.down().cells() * height);
      graphics.drawLine(left - 1 - TICK_PIXELS, y, left - 1, y);
      String label = Long.toString(cell);
      int labelWidth = graphics.getFontMetrics().stringWidth(label);
      graphics.drawString(label, left - 9 - labelWidth, y + 5);
    }
    Graphics2D turned = (Graphics2D) graphics.create();
    turned.rotate(-Math.PI / 2);
    centred(turned, map.down().name() + " (cells)", -(MARGIN_PIXELS + height / 2), left - 44);
    turned.dispose();
  }

  private static List<Long> ticks(FieldMap.Axis axis, int pixels) {
    return new ValueRange(0, axis.cells() - 1)
        .ticks(Math.max(1, pixels / PIXELS_PER_TICK + 1)).stream()
            .filter(tick -> tick == Math.rint(tick))
            .map(Double::longValue)
            .toList();
  }

  private static void centred(Graphics2D graphics, String text, int x, int y) {
    graphics.drawString(text, x - graphics.getFontMetrics().stringWidth(text) / 2, y);
  }

  private void paintBar(BufferedImage image, Graphics2D graphics, int left, int height) {
    ColorMap colors = range.colors();
    ValueRange drawn = range.drawn();
    double width = drawn.greatest() - drawn.least();
    for (int y = 0; y < height; y++) {
      double value = drawn.greatest() - width * y / (height - 1);
      for (int x = 0; x < BAR_PIXELS; x++) {
        image.setRGB(left + x, MARGIN_PIXELS + y, colors.rgb(value, drawn));
      }
    }
    graphics.drawRect(left - 1, MARGIN_PIXELS - 1, BAR_PIXELS + 1, height + 1);
    graphics.drawString(quantity, left, MARGIN_PIXELS - 10);
    int right = left + BAR_PIXELS;
    for (double tick : drawn.ticks(Math.max(2, height / PIXELS_PER_TICK + 1))) {
      double share = width > 0 ? (drawn.greatest() - tick) / width : 1;
      int y = MARGIN_PIXELS + (int) Math.round(share * (height - 1));
      graphics.drawLine(right, y, right + TICK_PIXELS, y);
      graphics.drawString(label(tick, width), right + 9, y + 5);
    }
  }

  /** Returns a number with the digits that tell it from the next tick. */
  private static String label(double tick, double width) {
    if (Math.abs(tick) < 1e-9 * width) {
      return "0";
    }
    String text = String.format(Locale.ROOT, "%.4g", tick);
    return text.contains(".") && !text.contains("e")
        ? text.replaceFirst("0+$", "").replaceFirst("\\.$", "")
        : text.replaceFirst("\\.?0*e", "e");
  }
}

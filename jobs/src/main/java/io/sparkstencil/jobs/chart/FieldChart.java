/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.chart;

import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
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
 * @param range of the values
 * @param look how they become colours
 */
public record FieldChart(
    String title, String quantity, List<FieldMap> maps, ValueRange range, FieldLook look) {
  private static final int MARGIN_PIXELS = 60;
  private static final int GAP_PIXELS = 70; // between maps
  private static final int BAR_PIXELS = 20;
  private static final int LEGEND_PIXELS = 95;
  private static final int SMALLEST_BAR_PIXELS = 150;
  private static final int LARGEST_PIXELS = 1000;
  private static final int PIXELS_PER_TICK = 110;
  private static final int TICK_PIXELS = 5;
  private static final int USUAL_LABEL_PIXELS = 32;
  private static final int PATCH_PIXELS = 14;
  private static final Color INK = new Color(0x40, 0x40, 0x40);
  private static final Font PLAIN = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
  private static final Font BOLD = new Font(Font.SANS_SERIF, Font.BOLD, 15);
  private static final FontMetrics PLAIN_METRICS = metrics(PLAIN);
  private static final FontMetrics BOLD_METRICS = metrics(BOLD);

  /** Checks that there is a map. */
  public FieldChart {
    maps = List.copyOf(maps);
    if (maps.isEmpty()) {
      throw new IllegalArgumentException("no map");
    }
  }

  /** A chart with the colours that suit a range of values, from the first colour to the last. */
  public FieldChart(String title, String quantity, List<FieldMap> maps, ValueRange range) {
    this(title, quantity, maps, range, FieldLook.AUTO);
  }

  /** Returns the chart of maps whose colours span all of their values. */
  public static FieldChart of(String title, String quantity, List<FieldMap> maps) {
    return of(title, quantity, maps, FieldLook.AUTO);
  }

  /** Returns the chart of maps with a look. */
  public static FieldChart of(String title, String quantity, List<FieldMap> maps, FieldLook look) {
    ValueRange range =
        maps.stream().map(map -> ValueRange.of(map.values())).reduce(ValueRange::and).orElseThrow();
    return new FieldChart(title, quantity, maps, range, look);
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
    int height = maps.stream().mapToInt(map -> pixels(map.rows(), scale)).max().orElseThrow();
    width += (maps.size() - 1) * GAP_PIXELS;
    width += maps.stream().mapToInt(map -> wideLabels(map, pixels(map.rows(), scale))).sum();
    int barHeight = Math.max(height, SMALLEST_BAR_PIXELS);
    int whole = Math.max(width, MARGIN_PIXELS) + 2 * MARGIN_PIXELS + legendPixels();
    BufferedImage image =
        new BufferedImage(
            Math.max(whole, BOLD_METRICS.stringWidth(title) + 2 * MARGIN_PIXELS),
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
        left += wideLabels(map, rows);
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

  private static FontMetrics metrics(Font font) {
    Graphics2D scratch = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics();
    try {
      return scratch.getFontMetrics(font);
    } finally {
      scratch.dispose();
    }
  }

  /** Returns the pixels of the bar of colours and what is written beside it. */
  private int legendPixels() {
    int missing =
        isWhole()
            ? 0
            : PATCH_PIXELS + 7 + PLAIN_METRICS.stringWidth(look.missing()) - MARGIN_PIXELS;
    return Math.max(LEGEND_PIXELS + (isQuantityAbove() ? 0 : 20), missing);
  }

  /** A long name of the quantity is written along the bar. */
  private boolean isQuantityAbove() {
    return PLAIN_METRICS.stringWidth(quantity) <= LEGEND_PIXELS;
  }

  /** Returns whether all cells have a number. */
  private boolean isWhole() {
    return maps.stream().allMatch(map -> Arrays.stream(map.values()).allMatch(Double::isFinite));
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
    ColorMap colors = look.colors(range);
    ValueRange drawn = look.drawn(range);
    for (int y = 0; y < height; y++) {
      int row = (int) ((long) y * map.rows() / height);
      for (int x = 0; x < width; x++) {
        int column = (int) ((long) x * map.columns() / width);
        double value = map.values()[row * map.columns() + column];
        int color =
            Double.isFinite(value) ? colors.rgb(value, drawn) : look.missingColor().getRGB();
        image.setRGB(left + x, MARGIN_PIXELS + y, color);
      }
    }
  }

  private static void paintAxes(
      Graphics2D graphics, FieldMap map, int left, int width, int height) {
    int bottom = MARGIN_PIXELS + height;
    graphics.drawRect(left - 1, MARGIN_PIXELS - 1, width + 1, height + 1);
    graphics.drawString(map.caption(), left, MARGIN_PIXELS - 10);
    List<Double> columns = map.across().ticks(ticks(width));
    for (double tick : columns) {
      int x = left + (int) (map.across().place(tick) * width);
      graphics.drawLine(x, bottom, x, bottom + TICK_PIXELS);
      centred(graphics, label(tick, span(columns)), x, bottom + 20);
    }
    centred(graphics, map.across().title(), left + width / 2, bottom + 40);
    List<Double> rows = map.down().ticks(ticks(height));
    for (double tick : rows) {
      int y = MARGIN_PIXELS + (int) (map.down().place(tick) * height);
      graphics.drawLine(left - 1 - TICK_PIXELS, y, left - 1, y);
      String label = label(tick, span(rows));
      int labelWidth = graphics.getFontMetrics().stringWidth(label);
      graphics.drawString(label, left - 9 - labelWidth, y + 5);
    }
    Graphics2D turned = (Graphics2D) graphics.create();
    turned.rotate(-Math.PI / 2);
    centred(
        turned,
        map.down().title(),
        -(MARGIN_PIXELS + height / 2),
        left - 44 - wideLabels(map, height));
    turned.dispose();
  }

  /** Returns the pixels that labels of the axis that goes down need beyond those that all have. */
  private static int wideLabels(FieldMap map, int height) {
    List<Double> ticks = map.down().ticks(ticks(height));
    int widest =
        ticks.stream()
            .mapToInt(tick -> PLAIN_METRICS.stringWidth(label(tick, span(ticks))))
            .max()
            .orElse(0);
    return Math.max(0, widest - USUAL_LABEL_PIXELS);
  }

  private static int ticks(int pixels) {
    return Math.max(1, pixels / PIXELS_PER_TICK + 1);
  }

  private static double span(List<Double> ticks) {
    return ticks.isEmpty() ? 0 : Math.abs(ticks.get(ticks.size() - 1) - ticks.get(0));
  }

  private static void centred(Graphics2D graphics, String text, int x, int y) {
    graphics.drawString(text, x - graphics.getFontMetrics().stringWidth(text) / 2, y);
  }

  private void paintBar(BufferedImage image, Graphics2D graphics, int left, int height) {
    ColorMap colors = look.colors(range);
    ValueRange drawn = look.drawn(range);
    double width = drawn.greatest() - drawn.least();
    for (int y = 0; y < height; y++) {
      double value = drawn.greatest() - width * y / (height - 1);
      for (int x = 0; x < BAR_PIXELS; x++) {
        image.setRGB(left + x, MARGIN_PIXELS + y, colors.rgb(value, drawn));
      }
    }
    graphics.drawRect(left - 1, MARGIN_PIXELS - 1, BAR_PIXELS + 1, height + 1);
    int right = left + BAR_PIXELS;
    if (isQuantityAbove()) {
      graphics.drawString(quantity, left, MARGIN_PIXELS - 10);
    } else {
      Graphics2D turned = (Graphics2D) graphics.create();
      turned.rotate(-Math.PI / 2);
      centred(turned, quantity, -(MARGIN_PIXELS + height / 2), right + LEGEND_PIXELS - 15);
      turned.dispose();
    }
    for (double tick : drawn.ticks(Math.max(2, height / PIXELS_PER_TICK + 1))) {
      double share = width > 0 ? (drawn.greatest() - tick) / width : 1;
      int y = MARGIN_PIXELS + (int) Math.round(share * (height - 1));
      graphics.drawLine(right, y, right + TICK_PIXELS, y);
      graphics.drawString(label(tick, width), right + 9, y + 5);
    }
    if (!isWhole()) {
      paintMissing(graphics, left, MARGIN_PIXELS + height + MARGIN_PIXELS / 3);
    }
  }

  private void paintMissing(Graphics2D graphics, int left, int top) {
    graphics.setColor(look.missingColor());
    graphics.fillRect(left, top, PATCH_PIXELS, PATCH_PIXELS);
    graphics.setColor(INK);
    graphics.drawRect(left, top, PATCH_PIXELS, PATCH_PIXELS);
    graphics.drawString(look.missing(), left + PATCH_PIXELS + 7, top + PATCH_PIXELS - 2);
  }

  /** Returns a number with the digits that tell it from the next tick. */
  private static String label(double tick, double width) {
    if (Math.abs(tick) < 1e-9 * width) {
      return "0";
    }
    double size = Math.abs(tick);
    if (width > 0 && width < 0.01 * size && size < 1e9) { // digits that tell ticks apart
      int digits = (int) Math.min(9, Math.max(0, 2 - Math.floor(Math.log10(width))));
      return withoutZeros(String.format(Locale.ROOT, "%." + digits + "f", tick));
    }
    return withoutZeros(
        String.format(Locale.ROOT, size >= 1e4 && size < 1e6 ? "%.0f" : "%.4g", tick));
  }

  private static String withoutZeros(String text) {
    return text.contains(".") && !text.contains("e")
        ? text.replaceFirst("0+$", "").replaceFirst("\\.$", "")
        : text.replaceFirst("\\.?0*e", "e");
  }
}

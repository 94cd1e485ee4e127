/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import io.sparkstencil.jobs.chart.FieldChart;
import io.sparkstencil.jobs.chart.FieldLook;
import io.sparkstencil.jobs.chart.FieldMap;
import io.sparkstencil.jobs.chart.GifAnimation;
import io.sparkstencil.jobs.chart.SeriesChart;
import io.sparkstencil.jobs.chart.SeriesChart.Curve;
import io.sparkstencil.jobs.chart.SeriesChart.Look;
import io.sparkstencil.jobs.chart.SeriesChart.Panel;
import io.sparkstencil.jobs.chart.ValueRange;
import io.sparkstencil.spark.grid.StencilGrid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * What a field looks like after some steps: a curve over one axis, a map over two, and three maps
 * over three.
 *
 * @param title what is seen
 * @param quantity the name of the field
 * @param line whether it is a curve
 * @param maps the values
 * @param look how they become colours
 */
record Picture(String title, String quantity, boolean line, List<FieldMap> maps, FieldLook look) {
  private static final int LONGEST_OF_PLOT = 1000;
  private static final int LONGEST_OF_FRAME = 400;
  private static final int FRAMES_PER_SECOND = 20;

  /** Returns a picture of a grid with as many values as a plot shows. */
  static Picture plot(Problem problem, StencilGrid grid, PictureStyle style) {
    PlaneReader reader = new PlaneReader(grid, problem.shown(), style.axes(), LONGEST_OF_PLOT);
    return of(problem, grid, style, reader.maps());
  }

  /** Returns a picture for an animation: of three axes, it shows the middle of the first. */
  static Picture frame(Problem problem, StencilGrid grid, PictureStyle style) {
    PlaneReader reader = new PlaneReader(grid, problem.shown(), style.axes(), LONGEST_OF_FRAME);
    return of(problem, grid, style, List.of(reader.map(grid.extent().size() < 3 ? -1 : 0)));
  }

  private static Picture of(
      Problem problem, StencilGrid grid, PictureStyle style, List<FieldMap> maps) {
    boolean line = grid.extent().size() == 1;
    String quantity = style.quantity(problem.shown(), grid.steps());
    String title = style.options().title(title(problem, grid));
    return new Picture(title, quantity, line, maps, style.look());
  }

  /** Says what is seen of a grid. */
  static String title(Problem problem, StencilGrid grid) {
    return String.format(
        Locale.ROOT,
        "%s: %s after %,d %s, t = %.4g",
        problem.name(),
        problem.shown(),
        grid.steps(),
        grid.steps() == 1 ? "step" : "steps",
        grid.steps() * problem.dt());
  }

  /** Returns the range of the values. */
  ValueRange range() {
    return maps.stream()
        .map(map -> ValueRange.of(map.values()))
        .reduce(ValueRange::and)
        .orElseThrow();
  }

  /** Draws the picture as a PNG. */
  void writePng(Path file) throws IOException {
    if (line) {
      curve(look.range()).writePng(file);
    } else {
      map(range()).writePng(file);
    }
  }

  /**
   * Draws pictures, one after the other, as a GIF; colours mean the same numbers in all of them.
   */
  static void writeGif(List<Picture> frames, Path file) throws IOException {
    ValueRange range = frames.stream().map(Picture::range).reduce(ValueRange::and).orElseThrow();
    FieldLook look = frames.get(0).look();
    try (GifAnimation animation = new GifAnimation(file, range, look, FRAMES_PER_SECOND)) {
      for (Picture frame : frames) {
        if (frame.line()) {
          animation.add(frame.curve(look.range() == null ? range : look.range()));
        } else {
          animation.add(frame.map(range), LONGEST_OF_FRAME);
        }
      }
    }
  }

  private FieldChart map(ValueRange range) {
    return new FieldChart(title, quantity, maps, range, look);
  }

  /**
   * Returns the chart of a line.
   *
   * @param range the values that the vertical axis shows; null for those that there are
   */
  private SeriesChart curve(ValueRange range) {
    FieldMap only = maps.get(0);
    double cellsPerValue = (double) only.down().cells() / only.rows();
    double[] at =
        IntStream.range(0, only.rows())
            .mapToDouble(i -> only.down().coordinate((i + 0.5) * cellsPerValue - 0.5))
            .toArray();
    Curve curve = new Curve(quantity, at, only.values(), Look.RESULT);
    return new SeriesChart(only.down().title(), false)
        .add(new Panel(title, quantity, List.of(curve)))
        .withValues(range);
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.demo;

import io.sparkstencil.jobs.chart.FieldChart;
import io.sparkstencil.jobs.chart.FieldMap;
import io.sparkstencil.jobs.chart.GifAnimation;
import io.sparkstencil.jobs.chart.ValueRange;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.generate.Equations;
import io.sparkstencil.spark.grid.StencilGrid;
import io.sparkstencil.spark.grid.StencilGrids;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.SparkSession;

/**
 * Two substances that react and spread, after Gray and Scott, on a grid over all cores: a square of
 * one in a sea of the other breaks up into spots.
 */
final class SpotsDemo {
  private static final int CELLS = 96;
  private static final int SQUARE = 10; // cells on both sides of the middle
  private static final int FRAMES = 30;
  private static final int STEPS_PER_FRAME = 200;
  private static final int LONGEST_PIXELS = 3 * CELLS;
  private static final ValueRange COLORS = new ValueRange(0, 0.4); // hardly any cell has more

  private SpotsDemo() {}

  /** Runs all steps, draws the animation, and says how fast that was. */
  static void animate(SparkSession spark, Path file, PrintWriter out) throws IOException {
    StencilProgram react =
        Equations.grayScott(2, 0.16, 0.08, 0.035, 0.065, 1, 1).withBoundary(Boundary.WRAP);
    try (GifAnimation film = new GifAnimation(file, COLORS, 20);
        StencilGrid first =
            StencilGrids.builder(spark, react)
                .extent(CELLS, CELLS)
                .field("u", position -> isInSquare(position) ? 0.5 : 1)
                .field("v", position -> isInSquare(position) ? 0.25 : 0)
                .create()) {
      StencilGrid grid = first;
      long nanos = 0;
      for (int frame = 0; frame < FRAMES; frame++) {
        double[] cells = (double[]) grid.read("v");
        FieldMap v = FieldMap.ofCells("", "x", "y", CELLS, CELLS, cells);
        String title = "v after %d steps".formatted(grid.steps());
        film.add(new FieldChart(title, "v", List.of(v), COLORS), LONGEST_PIXELS);
        long begun = System.nanoTime();
        grid = grid.step(STEPS_PER_FRAME);
        nanos += System.nanoTime() - begun;
      }
      out.printf(
          Locale.ROOT,
          "Spots on a grid of %d x %d cells (Gray and Scott): %,d steps in %.1f s%n",
          CELLS,
          CELLS,
          grid.steps(),
          nanos / 1e9);
    }
  }

  private static boolean isInSquare(long[] position) {
    return Math.abs(position[0] - CELLS / 2) < SQUARE && Math.abs(position[1] - CELLS / 2) < SQUARE;
  }
}

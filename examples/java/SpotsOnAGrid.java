/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */

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
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Two substances react and spread on a grid that stays on executors: {@code bin/stencil java
 * examples/java/SpotsOnAGrid.java spots.gif}.
 */
public final class SpotsOnAGrid {
  private SpotsOnAGrid() {}

  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments.length > 0 ? arguments[0] : "spots.gif");
    int frames = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 40;
    SparkSession spark = SparkSession.builder().appName("spots").master("local[*]").getOrCreate();
    animate(spark, file, frames);
    spark.stop();
  }

  private static void animate(SparkSession spark, Path file, int frames) throws IOException {
    Dataset<Row> square =
        spark.sql(
            "SELECT x, y, IF(inside, 0.5D, 1D) AS u, IF(inside, 0.25D, 0D) AS v FROM (SELECT a.id"
                + " AS x, b.id AS y, abs(a.id - 48) < 10 AND abs(b.id - 48) < 10 AS inside FROM"
                + " range(96) a, range(96) b)");
    StencilProgram react =
        Equations.grayScott(2, 0.16, 0.08, 0.035, 0.065, 1, 1).withBoundary(Boundary.WRAP);
    ValueRange colors = new ValueRange(0, 0.4);
    try (GifAnimation film = new GifAnimation(file, colors, 20);
        StencilGrid first =
            StencilGrids.builder(spark, react)
                .extent(96, 96)
                .rows(square, List.of("x", "y"), Map.of("u", "u", "v", "v"))
                .create()) {
      StencilGrid grid = first;
      for (int frame = 0; frame < frames; frame++) {
        FieldMap v = FieldMap.ofCells("", "x", "y", 96, 96, (double[]) grid.read("v"));
        String title = "v after %d steps".formatted(grid.steps());
        film.add(new FieldChart(title, "v", List.of(v), colors), 288);
        grid = grid.step(200);
      }
    }
  }
}

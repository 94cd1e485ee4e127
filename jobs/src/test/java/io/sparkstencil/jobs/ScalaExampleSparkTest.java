/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.jobs.apply.ScalarSeries;
import io.sparkstencil.jobs.apply.SeattleWeather;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The example in Scala compiles without warnings, and prints what it must. */
final class ScalaExampleSparkTest {
  private static final Path HOME = Path.of(System.getProperty("stencil.home")).toAbsolutePath();
  private static final Path EXAMPLE = HOME.resolve("examples/scala/Temperatures.scala");

  /** Cells along each axis of the grid, and its steps. */
  private static final int CELLS = 64;

  private static final int STEPS = 100;

  @RegisterExtension static final TestSpark SPARK = new TestSpark();

  @TempDir private Path folder;

  @Test
  void printsTheMeansOfJulyTwiceAndTheHeatOfTheGrid() throws Exception {
    String said =
        new UserProgram(EXAMPLE)
            .run(folder, HOME.resolve("examples/data/seattle-weather.csv").toString());

    Double[] means =
        new ScalarSeries(SeattleWeather.column("temp_max")).apply(Stencil.mean(Frame.radius(15)));
    List<String> july = said.lines().filter(line -> line.startsWith("|2012-07-0")).toList();
    assertThat(july).hasSize(5);
    for (int day = 0; day < july.size(); day++) {
      String mean = means[ExampleSparkTest.FIRST_OF_JULY + day].toString();
      assertThat(july.get(day)).matches("\\|2012-07-0.*\\| *%1$s\\| *%1$s\\|.*".formatted(mean));
    }
    assertThat(said)
        .contains(
            String.format(
                "after %d steps: hottest %.6f, sum %.3f", STEPS, hottestByHand(), 1000.0));
  }

  /** Returns the greatest cell, of the equation written out: {@code u += 0.2 * laplacian(u)}. */
  private static double hottestByHand() {
    double[][] cells = new double[CELLS][CELLS];
    cells[CELLS / 2][CELLS / 2] = 1000;
    for (int step = 0; step < STEPS; step++) {
      double[][] next = new double[CELLS][CELLS];
      for (int x = 0; x < CELLS; x++) {
        for (int y = 0; y < CELLS; y++) {
          double beside =
              cells[(x + 1) % CELLS][y]
                  + cells[(x + CELLS - 1) % CELLS][y]
                  + cells[x][(y + 1) % CELLS]
                  + cells[x][(y + CELLS - 1) % CELLS];
          next[x][y] = cells[x][y] + 0.2 * (beside - 4 * cells[x][y]);
        }
      }
      cells = next;
    }
    return cells[CELLS / 2][CELLS / 2];
  }
}

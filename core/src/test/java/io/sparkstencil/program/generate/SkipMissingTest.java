/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.StandardStencils;
import io.sparkstencil.model.Weights;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.FieldBoundary;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SkipMissingTest {
  private static final Extent RASTER = Extent.of(19, 23);

  /** Combines the values of a window with their weights; there may be none. */
  @FunctionalInterface
  private interface Window {
    double of(List<double[]> valuesAndWeights);
  }

  private static double[] raster(double missing) {
    Random random = new Random(3);
    return ReferenceRun.cells(
        RASTER,
        p -> {
          boolean lake = p[0] > 8 && p[0] < 16 && p[1] > 6 && p[1] < 14;
          double value = random.nextInt(100) / 8.0 - 3;
          return lake || random.nextDouble() < missing ? Double.NaN : value;
        });
  }

  /** Computes a filter cell by cell from those that are in the raster and not missing. */
  private static double[] expected(double[] cells, double[][] weights, Window window) {
    int reach = weights.length / 2;
    return ReferenceRun.cells(
        RASTER,
        p -> {
          List<double[]> present = new ArrayList<>();
          for (int i = -reach; i <= reach; i++) {
            for (int j = -reach; j <= reach; j++) {
              int row = p[0] + i;
              int column = p[1] + j;
              if (row >= 0 && row < RASTER.size(0) && column >= 0 && column < RASTER.size(1)) {
                double value = cells[row * RASTER.size(1) + column];
                double weight = weights[i + reach][j + reach];
                if (!Double.isNaN(value) && weight != 0) {
                  present.add(new double[] {value, weight});
                }
              }
            }
          }
          return window.of(present);
        });
  }

  private static double weightedMean(List<double[]> present) {
    double sum = present.stream().mapToDouble(each -> each[0] * each[1]).sum();
    return sum / present.stream().mapToDouble(each -> each[1]).sum();
  }

  private static double[][] box(int radius) {
    double[][] weights = new double[2 * radius + 1][2 * radius + 1];
    for (double[] row : weights) {
      Arrays.fill(row, 1);
    }
    return weights;
  }

  private static void requireSame(StencilProgram filter, double[] cells, double[] expected) {
    double[] result = ReferenceRun.steps(SkipMissing.of(filter), RASTER, 1, cells);
    for (int i = 0; i < result.length; i++) {
      assertThat(Double.isNaN(result[i])).isEqualTo(Double.isNaN(expected[i]));
      if (!Double.isNaN(result[i])) {
        assertThat(result[i]).isEqualTo(expected[i], Offset.offset(1e-12));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.1, 0.7, 1})
  void meansAreOfTheCellsThatThereAre(double missing) {
    double[] cells = raster(missing);
    double[] expected = expected(cells, box(2), SkipMissingTest::weightedMean);

    requireSame(ImageFilters.mean(2, 2), cells, expected);
    assertThat(Arrays.stream(expected).filter(Double::isNaN).count())
        .isGreaterThanOrEqualTo(missing == 1 ? 19 * 23 : 9);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.1, 0.7})
  void weightsAreRenormalised(double missing) {
    double[] cells = raster(missing);
    Weights line = StandardStencils.gaussian(0.7).weights();
    double[][] weights = new double[line.size()][line.size()];
    for (int i = 0; i < line.size(); i++) {
      for (int j = 0; j < line.size(); j++) {
        weights[i][j] = line.get(i) * line.get(j);
      }
    }
    requireSame(
        ImageFilters.gaussian(2, 0.7),
        cells,
        expected(cells, weights, SkipMissingTest::weightedMean));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.1, 0.7, 1})
  void extremesAreOfTheCellsThatThereAre(double missing) {
    double[] cells = raster(missing);
    Window min = all -> all.stream().mapToDouble(v -> v[0]).min().orElse(Double.NaN);
    Window max = all -> all.stream().mapToDouble(v -> v[0]).max().orElse(Double.NaN);

    requireSame(ImageFilters.min(2, 2), cells, expected(cells, box(2), min));
    requireSame(ImageFilters.max(2, 2), cells, expected(cells, box(2), max));
    requireSame(
        ProgramText.parse("max(u[1,0], max(u[0,-1], u[0,1]), u[-1,0])"),
        cells,
        expected(cells, new double[][] {{0, 1, 0}, {1, 0, 1}, {0, 1, 0}}, max));
  }

  /** The sum of all weights stays what it was: a sum of four cells is four times their mean. */
  @Test
  void sumsAreScaledToAllCells() {
    double[] cells = raster(0.3);
    double[][] cross = {{0, 1, 0}, {1, 0, 1}, {0, 1, 0}};
    requireSame(
        ProgramText.parse("u[-1,0] + u[1,0] + u[0,-1] + u[0,1]"),
        cells,
        expected(cells, cross, present -> 4 * weightedMean(present)));
    double[][] skewed = {{0, 0, 0}, {-1, 0, -3}, {0, 0, 0}};
    requireSame(
        ProgramText.parse("-u[0,-1] - 3*u[0,1]"),
        cells,
        expected(cells, skewed, present -> -4 * weightedMean(present)));
  }

  @Test
  void infiniteCellsAreNotMissing() {
    StencilProgram mean = SkipMissing.of(ImageFilters.mean(1));
    double[] cells = {1, Double.POSITIVE_INFINITY, Double.NaN, 4, 5};

    assertThat(ReferenceRun.steps(mean, Extent.of(5), 1, cells))
        .containsExactly(
            Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, 4.5, 4.5);
  }

  @Test
  void cellsOutsideAreMissingAndTheAccuracyStays() {
    StencilProgram skipping =
        SkipMissing.of(ImageFilters.mean(1).withAccuracy(Accuracy.FMA).withBoundary(Boundary.WRAP));

    assertThat(skipping.accuracy()).isEqualTo(Accuracy.FMA);
    assertThat(skipping.boundaries())
        .containsOnly(FieldBoundary.uniform(Boundary.constant(Double.NaN), 1));
    assertThat(ProgramText.parse(skipping.toString()).nodes()).isEqualTo(skipping.nodes());
  }

  @Test
  void coefficientFieldsCanBeFilteredIntoOthers() {
    StencilProgram skipping = SkipMissing.of(ProgramText.parse("u' = (c[-1] + c[1])/2"));
    double[] nothing = {0, 0, 0};

    assertThat(
            ReferenceRun.steps(
                skipping,
                Extent.of(3),
                1,
                Map.of("u", nothing, "c", new double[] {1, Double.NaN, 3})))
        .containsExactly(Double.NaN, 2, Double.NaN);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "u' = u[1] - u[-1]                 | weights that sum to 0, as a derivative's do; fill missing",
        "u' = laplacian(u, 8)              | weights that sum to 0",
        "u' = 3*u[0] - u[1] - u[-1]        | weights of both signs",
        "u' = u[0]*u[1]                    | is no weighted sum, minimum or maximum of cells; fill",
        "u' = a*u[0] + u[1]                | is no weighted sum, minimum or maximum of cells; fill",
        "u' = u[0] + 1                     | is no weighted sum, minimum or maximum of cells; fill",
        "u' = 2                            | is no weighted sum, minimum or maximum of cells; fill",
        "u' = min(u[0], max(u[1], u[2]))   | is no weighted sum, minimum or maximum of cells; fill",
        "u' = min(u[0], 2)                 | is no weighted sum, minimum or maximum of cells; fill",
        "u' = u[0] + c[0]                  | sums the cells of several fields; use one program per field",
        "v' = u[0] + u[1]; u' = u[1] + u[0] | updates several fields; use one program per field",
        "u' = u[0] + u[1]; v' = u[0]/2     | updates several fields; use one program per field"
      })
  void refusesOtherPrograms(String text, String message) {
    assertThatThrownBy(() -> SkipMissing.of(ProgramText.parse(text, 1)))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContainingAll("missing cells cannot be skipped: the program", message);
  }

  @Test
  void refusesTheStepOfAWave() {
    assertThatThrownBy(() -> SkipMissing.of(Equations.wave(1, 2, 1, 1, 0.5)))
        .hasMessageContaining("updates several fields");
  }
}

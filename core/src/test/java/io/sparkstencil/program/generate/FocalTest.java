/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.Field;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Summaries of boxes with missing cells. */
final class FocalTest {
  private static final Extent RASTER = Extent.of(13, 17);

  private static double[] raster(double missing) {
    Random random = new Random(5);
    return ReferenceRun.cells(
        RASTER, p -> random.nextDouble() < missing ? Double.NaN : random.nextInt(4000) / 16.0 - 99);
  }

  /**
   * Computes a summary of the cells that are there, of those in the raster and beyond its edges.
   */
  private static double[] expected(
      double[] cells, int radius, Boundary boundary, ToDoubleFunction<double[]> summary) {
    return ReferenceRun.cells(
        RASTER,
        p -> {
          List<Double> there = new ArrayList<>();
          for (int i = p[0] - radius; i <= p[0] + radius; i++) {
            for (int j = p[1] - radius; j <= p[1] + radius; j++) {
              long row = boundary.sourceIndex(i, RASTER.size(0));
              long column = boundary.sourceIndex(j, RASTER.size(1));
              double cell =
                  row < 0 || column < 0 ? Double.NaN : cells[(int) (row * RASTER.size(1) + column)];
              if (!Double.isNaN(cell)) {
                there.add(cell);
              }
            }
          }
          double[] all = there.stream().mapToDouble(Double::doubleValue).toArray();
          return all.length == 0 ? Double.NaN : summary.applyAsDouble(all);
        });
  }

  private static double mean(double... cells) {
    return Arrays.stream(cells).sum() / cells.length;
  }

  private static double deviation(double... cells) {
    double mean = mean(cells);
    return Math.sqrt(mean(Arrays.stream(cells).map(c -> (c - mean) * (c - mean)).toArray()));
  }

  private static double median(double... cells) {
    double[] sorted = Arrays.stream(cells).sorted().toArray();
    return sorted[(sorted.length - 1) / 2] * 0.5 + sorted[sorted.length / 2] * 0.5;
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.2, 0.8, 1})
  void areOfTheCellsThatAreThere(double missing) {
    double[] cells = raster(missing);
    for (int radius : new int[] {0, 1, 2}) {
      for (String rule : List.of("reflect", "constant:NaN")) {
        requireSame("focal_mean", cells, radius, rule, FocalTest::mean);
        requireSame("focal_sum", cells, radius, rule, all -> Arrays.stream(all).sum());
        requireSame("focal_stddev", cells, radius, rule, FocalTest::deviation);
        requireSame(
            "focal_min", cells, radius, rule, all -> Arrays.stream(all).min().orElseThrow());
        requireSame(
            "focal_max", cells, radius, rule, all -> Arrays.stream(all).max().orElseThrow());
        requireSame("focal_median", cells, radius, rule, FocalTest::median);
      }
    }
  }

  private static void requireSame(
      String function, double[] cells, int radius, String rule, ToDoubleFunction<double[]> right) {
    Boundary boundary = Boundary.parse(rule);
    double[] found =
        ReferenceRun.steps(
            ProgramText.parse("%s(u, %d)".formatted(function, radius), 2).withBoundary(boundary),
            RASTER,
            1,
            cells);
    assertThat(found)
        .as("%s, radius %d, %s", function, radius, rule)
        .containsExactly(expected(cells, radius, boundary, right), Offset.offset(1e-11));
  }

  @Test
  void aGaussianIsRenormalised() {
    double[] cells = raster(0.3);
    double[] found = ReferenceRun.steps(program("focal_gaussian(u, 0.7)"), RASTER, 1, cells);
    double[] skipped =
        ReferenceRun.steps(SkipMissing.of(ImageFilters.gaussian(2, 0.7)), RASTER, 1, cells);
    assertThat(found).containsExactly(skipped, Offset.offset(1e-12));
  }

  private static StencilProgram program(String text) {
    return ProgramText.parse(text, 2).withBoundary(Boundary.constant(Double.NaN));
  }

  @Test
  void aMissingCellIsKeptFilledOrSpreadByTheText() {
    double[] cells = {1, Double.NaN, 3, 8};
    Extent line = Extent.of(4);
    String mean = "focal_mean(u, 1)";
    assertThat(ReferenceRun.steps(ProgramText.parse(mean, 1), line, 1, cells))
        .containsExactly(1, 2, 5.5, (3.0 + 8 + 8) / 3);
    assertThat(
            ReferenceRun.steps(
                ProgramText.parse("where(u == u, %s, u)".formatted(mean), 1), line, 1, cells))
        .containsExactly(1, Double.NaN, 5.5, (3.0 + 8 + 8) / 3);
    assertThat(ReferenceRun.steps(ProgramText.parse("(u[-1] + u + u[1])/3", 1), line, 1, cells))
        .containsExactly(Double.NaN, Double.NaN, Double.NaN, (3.0 + 8 + 8) / 3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "focal_mean(u, 12)",
        "focal_sum(u, 12)",
        "focal_max(u, 12)",
        "focal_median(u, 5)",
        "focal_stddev(u, 9)",
        "focal_gaussian(u, 2.75)"
      })
  void theLargestBoxesAreProgramsOfOneStep(String text) {
    assertThat(ProgramText.parse(text, 2).fields()).containsExactly("u");
  }

  @Test
  void volumesHaveBoxesToo() {
    double[] cells = new double[27];
    Arrays.setAll(cells, i -> i);
    double[] found =
        ReferenceRun.steps(
            ProgramText.parse("focal_median(u, 1)", 3), Extent.of(3, 3, 3), 1, cells);
    assertThat(found[13]).isEqualTo(13);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "focal_mean(u)        | focal_mean takes a field and the cells on each side, 0 or more; write focal_mean(u, 1)",
        "focal_mean(u, 1, 2)  | focal_mean takes a field and",
        "focal_mean(u, 0.5)   | unexpected \"0.5\"; write the cells on each side",
        "focal_mean(u, -1)    | radius -1 is below 0",
        "focal_mean(u, 13)    | radius 13 has boxes of 729 cells, more than 625; use a smaller one",
        "focal_median(u, 6)   | radius 6 has boxes of 169 cells, more than 121",
        "focal_gaussian(u, 0) | sigma",
        "focal_mean(1, 1)     | focal_mean takes a field; write its name alone",
        "slope(u, 0)          | the distance between cells is 0.0; use a number above 0",
        "slope(u, k)          | unexpected \"k\"; write a number",
        "hillshade(u, 1, 1, 315, 91) | the azimuth 315.0 and the altitude 91.0; use degrees"
      })
  void refusesOtherOperands(String text, String says) {
    assertThatThrownBy(() -> ProgramText.parse(text, 2))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining(says);
  }

  @Test
  void refusesRadiiWhoseSidesAreMoreThanIntegersHold() {
    for (int radius : new int[] {1 << 30, Integer.MAX_VALUE}) {
      assertThatThrownBy(
              () ->
                  StencilProgram.of(
                      2,
                      builder -> {
                        Field u = builder.field("u");
                        builder.update(u, Focal.mean(u, radius));
                      }))
          .isInstanceOf(InvalidStencilException.class)
          .hasMessageContaining("radius " + radius + " has boxes of")
          .hasMessageContaining("more than 625; use a smaller one");
    }
  }
}

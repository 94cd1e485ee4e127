/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.spark.WithSpark;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import scala.collection.Seq;

/** Means, minima, maxima and medians of images leave out nulls, as those of series do. */
@WithSpark
final class ImageNullsSparkTest {
  private static final int ROWS = 5;
  private static final int COLUMNS = 4;
  private static final double CONSTANT = 2.5;

  /** Images of one extent, which are computed together: whole, with nulls, with NaN, all null. */
  private static List<Double[][]> images() {
    Random random = new Random(21);
    List<Double[][]> images = new ArrayList<>();
    for (int missing : new int[] {0, 1, 6, 14, 20}) {
      Double[][] image = new Double[ROWS][COLUMNS];
      for (int cell = 0; cell < ROWS * COLUMNS; cell++) {
        boolean isNaN = missing == 6 && random.nextInt(8) == 0;
        image[cell / COLUMNS][cell % COLUMNS] = isNaN ? Double.NaN : random.nextInt(2000) / 64.0;
      }
      random
          .ints(0, ROWS * COLUMNS)
          .distinct()
          .limit(missing)
          .forEach(cell -> image[cell / COLUMNS][cell % COLUMNS] = null);
      images.add(image);
    }
    return images;
  }

  @ParameterizedTest
  @EnumSource
  void haveTheBitsOfTheCellsThatAreThere(ArraySession.Mode mode) {
    String table =
        images().stream()
            .map(image -> "(%s)".formatted(sql(image)))
            .collect(Collectors.joining(", ", "VALUES ", " AS t(a)"));
    for (String boundary : List.of("reflect", "wrap", "nearest", "constant:" + CONSTANT)) {
      for (int k = 0; k <= 2; k++) {
        String calls =
            "stencil2d_mean(a, %1$d, '%2$s'), stencil2d_min(a, %1$d, '%2$s'), stencil2d_max(a, %1$d, '%2$s'), stencil2d_median(a, %1$d, '%2$s')"
                .formatted(k, boundary);
        List<Row> rows =
            ArraySession.collect(
                mode, "SELECT /*+ COALESCE(1) */ %s FROM %s".formatted(calls, table));
        for (int i = 0; i < images().size(); i++) {
          Box box = new Box(images().get(i), k, Boundary.parse(boundary));
          String what = "image %d, radius %d, %s".formatted(i, k, boundary);
          assertThat(cells(rows.get(i), 0)).as("mean of " + what).isEqualTo(box.means());
          assertThat(cells(rows.get(i), 1)).as("min of " + what).isEqualTo(box.extremes(1));
          assertThat(cells(rows.get(i), 2)).as("max of " + what).isEqualTo(box.extremes(-1));
          assertThat(cells(rows.get(i), 3)).as("median of " + what).isEqualTo(box.medians());
        }
      }
    }
  }

  @Test
  void meansOfFloatsDoNotOverflow() {
    Row row =
        ArraySession.get()
            .sql(
                "SELECT stencil2d_mean(array(array(1e38f, NULL, 1e38f), array(1e38f, 1e38f, 1e38f)), 1)")
            .first();
    List<Seq<Float>> rows = row.getList(0);
    assertThat(rows)
        .hasSize(2)
        .allSatisfy(cells -> assertThat(cells.apply(1)).isCloseTo(1e38f, withinPercentage(1e-4)));
  }

  @Test
  void slopesAreNullWhereOneOfNineHeightsIs() {
    List<Row> rows =
        ArraySession.collect(
            ArraySession.Mode.values()[0],
            "SELECT stencil2d_slope(a, 2, 2), stencil2d_aspect(a, 2, 2), stencil2d_hillshade(a, 2, 2)"
                + " FROM VALUES (array(array(1D, 3D, 5D, 7D), array(1D, 3D, 5D, 7D), array(1D, 3D, 5D, NULL))) AS t(a)");
    for (int column = 0; column < 3; column++) {
      List<Double> cells = cells(rows.get(0), column);
      for (int cell = 0; cell < 12; cell++) {
        boolean near = cell / 4 >= 1 && cell % 4 >= 2;
        assertThat(cells.get(cell) == null)
            .as("function %d, cell %d", column, cell)
            .isEqualTo(near);
      }
      assertThat(cells.get(1)).isEqualTo(List.of(45.0, 270.0, cells.get(5)).get(column));
    }
  }

  private static String sql(Double[][] image) {
    return IntStream.range(0, ROWS)
        .mapToObj(
            row ->
                IntStream.range(0, COLUMNS)
                    .mapToObj(column -> literal(image[row][column]))
                    .collect(Collectors.joining(", ", "array(", ")")))
        .collect(Collectors.joining(", ", "array(", ")"));
  }

  private static String literal(Double cell) {
    return cell == null ? "double(NULL)" : "double('%s')".formatted(cell);
  }

  private static List<Double> cells(Row row, int column) {
    List<Seq<Double>> rows = row.getList(column);
    List<Double> cells = new ArrayList<>();
    for (Seq<Double> each : rows) {
      for (int i = 0; i < each.length(); i++) {
        cells.add(each.apply(i));
      }
    }
    return cells;
  }

  /** The cells around each cell, one after the other. */
  private record Box(Double[][] image, int k, Boundary boundary) {
    /** Outside along rows first: the first constant on the way is the value. */
    Double at(int row, int column) {
      long i = boundary.sourceIndex(row, ROWS);
      long j = boundary.sourceIndex(column, COLUMNS);
      return i < 0 || j < 0 ? Double.valueOf(CONSTANT) : image[(int) i][(int) j];
    }

    List<Double> means() {
      int side = 2 * k + 1;
      List<Double> means = new ArrayList<>();
      for (int cell = 0; cell < ROWS * COLUMNS; cell++) {
        int there = 0;
        double sum = 0;
        double mean = 0;
        for (int column = cell % COLUMNS - k; column <= cell % COLUMNS + k; column++) {
          double along = 0;
          for (int row = cell / COLUMNS - k; row <= cell / COLUMNS + k; row++) {
            Double each = at(row, column);
            there += each == null ? 0 : 1;
            along += each == null ? 0 : each;
          }
          sum += along;
          mean += along / side;
        }
        boolean whole = there == side * side;
        means.add(there == 0 ? null : Double.valueOf(whole ? mean / side : sum / there));
      }
      return means;
    }

    /** Of the numbers that there are: NaN only where all others are null. */
    List<Double> medians() {
      List<Double> medians = new ArrayList<>();
      for (int cell = 0; cell < ROWS * COLUMNS; cell++) {
        boolean isThere = false;
        List<Double> numbers = new ArrayList<>();
        for (int row = cell / COLUMNS - k; row <= cell / COLUMNS + k; row++) {
          for (int column = cell % COLUMNS - k; column <= cell % COLUMNS + k; column++) {
            Double each = at(row, column);
            isThere |= each != null;
            if (each != null && !each.isNaN()) {
              numbers.add(each);
            }
          }
        }
        numbers.sort(null);
        int count = numbers.size();
        Double none = isThere ? Double.NaN : null;
        medians.add(
            count == 0
                ? none
                : Double.valueOf(
                    count % 2 == 1
                        ? numbers.get(count / 2)
                        : numbers.get(count / 2 - 1) * 0.5 + numbers.get(count / 2) * 0.5));
      }
      return medians;
    }

    /** Returns minima, or for a sign of -1 maxima. */
    List<Double> extremes(int sign) {
      List<Double> extremes = new ArrayList<>();
      for (int cell = 0; cell < ROWS * COLUMNS; cell++) {
        Double extreme = null;
        for (int row = cell / COLUMNS - k; row <= cell / COLUMNS + k; row++) {
          for (int column = cell % COLUMNS - k; column <= cell % COLUMNS + k; column++) {
            Double each = at(row, column);
            if (each != null && (extreme == null || sign * Double.compare(each, extreme) < 0)) {
              extreme = each;
            }
          }
        }
        extremes.add(extreme);
      }
      return extremes;
    }
  }
}

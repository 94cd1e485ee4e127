/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.grid.AxisCoordinates;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.spark.WithSpark;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cells of a grid that are rows of a table, by positions or coordinates. */
@WithSpark
final class GridRowsSparkTest {
  private static SparkSession spark;
  private final WholeGrid whole = WholeGrid.heat(Boundary.REFLECT);

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
  }

  @Test
  void rowsGoInAndComeOut() {
    try (StencilGrid grid = whole.builder(spark).blocks(4).create().step(2)) {
      Dataset<Row> rows = grid.toDataset();
      assertThat(rows.columns()).containsExactly("x", "y", "u", "k");
      try (StencilGrid again =
          StencilGrids.builder(spark, whole.program())
              .extent(40, 30)
              .type(ElementType.F32)
              .rows(rows, List.of("x", "y"), Map.of("u", "u", "k", "k"))
              .parameter("a", 0.2)
              .blocks(6)
              .create()) {
        assertThat(again.step(3).read("u")).isEqualTo(whole.after(5));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"2L, 1L", "2, 1S", "2D, 1F", "2.00BD, 1BD", "2e0, 1Y", "'2', ' 1.0'"})
  void positionsOfRowsAreWholeNumbersOfAnyType(String position) {
    String[] at = position.split(", ");
    try (StencilGrid grid = ofRow(at[0], at[1]).create()) {
      double[] expected = new double[12];
      expected[2 * 3 + 1] = 5;
      assertThat(grid.read("u")).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "1.5D, 1.5",
        "1.25BD, 1.25",
        "0.1F, 0.1",
        "'1.5', 1.5",
        "'north', north",
        "double('NaN'), NaN",
        "1e300, 1.0E300"
      })
  void refusesRowsBetweenCells(String position, String named) {
    try (StencilGrid grid = ofRow(position, "1").create()) {
      assertThatThrownBy(() -> grid.read("u"))
          .hasStackTraceContaining("column x has the position " + named + ", which is no whole");
    }
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "timestamp('1970-01-01 00:00:02'), timestamp",
        "date('1970-01-03'), date",
        "true, boolean",
        "interval '2' day, interval day"
      })
  void refusesColumnsThatAreNoPositions(String position, String type) {
    GridBuilder builder = ofRow(position, "1");

    assertThatThrownBy(builder::create)
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("column x of positions has the type " + type);
  }

  private static GridBuilder ofRow(String x, String y) {
    Dataset<Row> rows = spark.sql("SELECT %s AS x, %s AS y, 5D AS u".formatted(x, y));
    return StencilGrids.builder(spark, ProgramText.parse("u' = u[0,1]"))
        .extent(4, 3)
        .rows(rows, List.of("x", "y"), Map.of("u", "u"));
  }

  @Test
  void twoRowsOfACellAreRefused() {
    Dataset<Row> rows = spark.sql("select 3 as x, 1.5 as v union all select 3, 2.5");
    try (StencilGrid grid =
        StencilGrids.builder(spark, ProgramText.parse("u' = u[1]"))
            .extent(8)
            .rows(rows, List.of("x"), Map.of("u", "v"))
            .blocks(2)
            .create()) {
      assertThatThrownBy(() -> grid.step(1))
          .hasStackTraceContaining("two rows of a grid have the position [3]");
    }
  }

  @Test
  void rowsFindTheirCellsByCoordinates() {
    Dataset<Row> rows =
        spark.sql(
            "select 60.1 as lat, '10' as lon, 1.5 as v union all select 59.9, '12.6', 2.5 union all select 40, '15', 4");
    GridBuilder builder =
        StencilGrids.builder(spark, ProgramText.parse("u' = u[0,0]"))
            .extent(3, 3)
            .rows(
                rows,
                List.of("lat", "lon"),
                Map.of("u", "v"),
                List.of(
                    AxisCoordinates.of(new double[] {60, 50, 40}, 0.25),
                    AxisCoordinates.of(new double[] {10, 12.5, 15}, 0.25)))
            .blocks(2);
    try (StencilGrid grid = builder.create()) {
      assertThat(grid.read("u")).isEqualTo(new double[] {1.5, 2.5, 0, 0, 0, 0, 0, 0, 4});
    }
    try (StencilGrid grid =
        StencilGrids.builder(spark, ProgramText.parse("u' = u[0]"))
            .extent(2)
            .rows(
                rows,
                List.of("lat"),
                Map.of("u", "v"),
                List.of(AxisCoordinates.of(new double[] {60, 50}, 0.25)))
            .blocks(1)
            .create()) {
      assertThatThrownBy(() -> grid.read("u"))
          .hasStackTraceContaining(
              "column lat has the coordinate 40.0, 10.0 from the nearest cell");
    }
    assertThatThrownBy(builder.extent(3, 4)::create)
        .hasMessageContaining("the axis y of the grid has 4 cells and 3 coordinates");
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.spark.Stencils;
import io.sparkstencil.spark.WithSpark;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.collection.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Functions over tiles give the bits that they give over the raster in one piece. */
@WithSpark
final class TilesSparkTest {
  private static final long SEED = 20_261_128;

  /** A raster, and how it is cut: where rows and columns of tiles end. */
  record Raster(Number[][] cells, List<Integer> rowEnds, List<Integer> columnEnds) {
    static Raster random(Random random, String type, List<Integer> rows, List<Integer> columns) {
      int last = rows.get(rows.size() - 1);
      Number[][] cells = new Number[last][columns.get(columns.size() - 1)];
      for (Number[] row : cells) {
        for (int i = 0; i < row.length; i++) {
          row[i] = random.nextInt(20) == 0 ? null : number(random, type);
        }
      }
      return new Raster(cells, rows, columns);
    }

    private static Number number(Random random, String type) {
      double value = random.nextGaussian() * 100;
      return switch (type) {
        case "tinyint" -> (byte) value;
        case "smallint" -> (short) (value * 10);
        case "int" -> (int) (value * 1000);
        case "bigint" -> (long) (value * 1e6);
        case "float" -> (float) value;
        default -> value;
      };
    }

    List<List<Number>> tile(int row, int column) {
      List<List<Number>> tile = new ArrayList<>();
      for (int i = start(rowEnds, row); i < rowEnds.get(row); i++) {
        List<Number> all = Arrays.asList(cells[i]);
        tile.add(all.subList(start(columnEnds, column), columnEnds.get(column)));
      }
      return tile;
    }

    private static int start(List<Integer> ends, int index) {
      return index == 0 ? 0 : ends.get(index - 1);
    }

    /** Returns rows of a name, the numbers of a tile, and the tile. */
    List<Row> rows(String name, int firstRow, int firstColumn) {
      List<Row> rows = new ArrayList<>();
      for (int row = 0; row < rowEnds.size(); row++) {
        for (int column = 0; column < columnEnds.size(); column++) {
          rows.add(
              RowFactory.create(name, firstRow + row, firstColumn + column, tile(row, column)));
        }
      }
      return rows;
    }
  }

  static StructType schema(String type) {
    return StructType.fromDDL("name string, r int, c int, z array<array<%s>>".formatted(type));
  }

  static List<List<Object>> lists(Object arrays) {
    List<List<Object>> lists = new ArrayList<>();
    for (Object row : CollectionConverters.asJava((Seq<?>) arrays)) {
      lists.add(new ArrayList<>(CollectionConverters.asJava((Seq<?>) row)));
    }
    return lists;
  }

  static List<List<Object>> inOnePiece(
      SparkSession spark, Raster raster, String type, String call) {
    List<List<Number>> whole = Arrays.stream(raster.cells()).map(Arrays::asList).toList();
    return lists(
        spark
            .createDataFrame(List.of(RowFactory.create("w", 0, 0, whole)), schema(type))
            .selectExpr(call)
            .first()
            .get(0));
  }

  static void assertTiles(List<Row> results, Raster raster, List<List<Object>> expected) {
    assertThat(results).hasSize(raster.rowEnds().size() * raster.columnEnds().size());
    for (Row result : results) {
      int row = result.getInt(1);
      int column = result.getInt(2);
      List<List<Object>> cut = new ArrayList<>();
      for (int i = Raster.start(raster.rowEnds(), row); i < raster.rowEnds().get(row); i++) {
        cut.add(
            expected
                .get(i)
                .subList(
                    Raster.start(raster.columnEnds(), column), raster.columnEnds().get(column)));
      }
      assertThat(lists(result.get(4))).as("tile %d, %d", row, column).isEqualTo(cut);
      assertThat(lists(result.get(3)))
          .as("cells of tile %d, %d", row, column)
          .isEqualTo(raster.tile(row, column));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "double|stencil2d_mean(z, 2)",
        "double|stencil2d_slope(z, 30, 20, 'nearest')",
        "float|stencil2d_hillshade(z, 30, 20)",
        "smallint|stencil2d_median(z, 1, 'mirror')",
        "tinyint|stencil2d_max(z, 3, 'x=wrap, y=constant:7')",
        "int|stencil2d_gaussian(z, 1.5, 'wrap')",
        "bigint|stencil_expr(z, 'focal_mean(u, 1) - u')",
        "double|stencil_expr(z, 'u + 0.1*(u[1,2] + u[-1,0] - 2*u)', 3, 'y=wrap')",
        "double|stencil_expr(z, 'u + 0.1*(u[0,1] + u[-2,0] - 2*u)', 9, 'wrap')",
        "double|stencil_expr(z, 'u + 0.1*(u[0,1] + u[-1,0] - 2*u)', 300, 'wrap')",
        "float|stencil_expr(z, 'u + 0.1*laplacian(u)', 7, 'y.low=constant:1, y.high=nearest')"
      })
  void resultsHaveNoSeams(String type, String call, SparkSession spark) {
    Random random = new Random(SEED);
    for (List<List<Integer>> ends :
        List.of(
            List.of(List.of(7, 14, 21, 23), List.of(9, 18, 27)),
            List.of(List.of(1, 2, 3, 4, 5), List.of(2, 3, 10)),
            List.of(List.of(5), List.of(6)))) {
      Raster raster = Raster.random(random, type, ends.get(0), ends.get(1));
      List<Row> tiles = raster.rows("one", 0, 0);
      Collections.shuffle(tiles, random);
      Dataset<Row> table = spark.createDataFrame(tiles, schema(type)).repartition(3);

      List<Row> results =
          Stencils.tiles(table).at("r", "c").apply(call, "made").toDataset().collectAsList();

      assertTiles(results, raster, inOnePiece(spark, raster, type, call));
    }
  }

  @Test
  void rastersOfOtherKeysHaveNothingToDoWithEachOther(SparkSession spark) {
    Random random = new Random(SEED);
    Raster one = Raster.random(random, "double", List.of(4, 8, 9), List.of(5, 7));
    Raster other = Raster.random(random, "double", List.of(6), List.of(3, 6, 9));
    List<Row> tiles = new ArrayList<>(one.rows("one", 0, 0));
    tiles.addAll(other.rows(null, 0, 0));
    String call = "stencil2d_mean(z, 1, 'wrap')";

    List<Row> results =
        Stencils.tiles(spark.createDataFrame(tiles, schema("double")))
            .at("r", "c")
            .partitionBy("name")
            .apply(call, "made")
            .toDataset()
            .collectAsList();

    assertTiles(
        results.stream().filter(row -> !row.isNullAt(0)).toList(),
        one,
        inOnePiece(spark, one, "double", call));
    assertTiles(
        results.stream().filter(row -> row.isNullAt(0)).toList(),
        other,
        inOnePiece(spark, other, "double", call));
  }

  @Test
  void cellsOfTilesThatAreNotThereAreNull(SparkSession spark) {
    Raster raster =
        Raster.random(new Random(SEED), "double", List.of(4, 8, 12), List.of(5, 10, 15));
    List<Row> tiles = new ArrayList<>(raster.rows("one", 10, -3));
    tiles.removeIf(row -> row.getInt(1) == 11 && row.getInt(2) == -2);
    tiles.add(RowFactory.create("null", 12, 5, null));
    for (int i = 4; i < 8; i++) {
      Arrays.fill(raster.cells()[i], 5, 10, null);
    }
    String call = "stencil2d_mean(z, 2)";
    List<List<Object>> expected = inOnePiece(spark, raster, "double", call);

    List<Row> results =
        Stencils.tiles(spark.createDataFrame(tiles, schema("double")))
            .at("r", "c")
            .apply(call, "made")
            .toDataset()
            .collectAsList();

    assertThat(results).hasSize(9);
    for (Row row : results) {
      if (row.getString(0).equals("null")) {
        assertThat(row.isNullAt(3) && row.isNullAt(4)).isTrue();
        continue;
      }
      int top = (row.getInt(1) - 10) * 4;
      int left = (row.getInt(2) + 3) * 5;
      assertThat(lists(row.get(4)))
          .isEqualTo(
              expected.subList(top, top + 4).stream()
                  .map(cells -> cells.subList(left, left + 5))
                  .toList());
    }
  }

  @Test
  void aRowOfTilesWithoutAnyHasRoom(SparkSession spark) {
    Raster raster = Raster.random(new Random(SEED), "double", List.of(4, 8, 11), List.of(5));
    List<Row> tiles = new ArrayList<>(raster.rows("one", 0, 0));
    tiles.remove(1);
    for (int i = 4; i < 8; i++) {
      Arrays.fill(raster.cells()[i], null);
    }
    String call = "stencil2d_max(z, 5)";

    List<Row> results =
        Stencils.tiles(spark.createDataFrame(tiles, schema("double")))
            .at("r", "c")
            .apply(call, "made")
            .toDataset()
            .orderBy("r")
            .collectAsList();

    List<List<Object>> expected = inOnePiece(spark, raster, "double", call);
    assertThat(lists(results.get(0).get(4))).isEqualTo(expected.subList(0, 4));
    assertThat(lists(results.get(1).get(4))).isEqualTo(expected.subList(8, 11));
  }

  @Test
  void callsMeetOtherColumnsAsTheyAre(SparkSession spark) {
    Raster raster = Raster.random(new Random(SEED), "float", List.of(4, 8), List.of(5, 9));
    Dataset<Row> table =
        spark
            .createDataFrame(raster.rows("one", 0, 0), schema("float"))
            .selectExpr("name", "r", "c", "z", "struct(r, c) as `a b.c`");

    List<Row> results =
        Stencils.tiles(table)
            .at("r", "c")
            .apply("stencil2d_mean(z, 1)", "first")
            .apply("stencil2d_min(z, 2, 'wrap')", "second")
            .apply("stencil2d_max(first, 3)", "third")
            .apply("stencil2d_sobel(z)", "fourth")
            .toDataset()
            .collectAsList();

    String nested = "stencil2d_max(stencil2d_mean(z, 1), 3)";
    List<List<Object>> third = inOnePiece(spark, raster, "float", nested);
    assertThat(results).hasSize(4);
    for (Row row : results) {
      assertThat(row.schema().fieldNames())
          .containsExactly("name", "r", "c", "z", "a b.c", "first", "second", "third", "fourth");
      assertThat(row.getStruct(4).getInt(1)).isEqualTo(row.getInt(2));
      int left = row.getInt(2) == 0 ? 0 : 5;
      assertThat(lists(row.get(7)))
          .isEqualTo(
              third.subList(4 * row.getInt(1), 4 * row.getInt(1) + 4).stream()
                  .map(cells -> cells.subList(left, row.getInt(2) == 0 ? 5 : 9))
                  .toList());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "stencil2d_mean(z, 1) is null|is no call of a function of images",
        "stencil2d_mean(transform(z, x -> x), 1)|is not over a column of tiles",
        "stencil_expr(z, 'u*x')|reads positions along [x, y], which tiles do not know",
        "stencil_expr(z, 'u + 0.1*laplacian(u)', 5000)|5000 steps need 5000 cells beside each tile, more than 4096"
      })
  void refusesWhatTilesCannotHave(String call, String message, SparkSession spark) {
    Dataset<Row> table = spark.createDataFrame(List.<Row>of(), schema("double"));
    assertThatThrownBy(() -> Stencils.tiles(table).at("r", "c").apply(call, "made").toDataset())
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining(message);
  }

  @Test
  void refusesColumnsThatAreNoNumbersOfTiles(SparkSession spark) {
    Dataset<Row> table = spark.createDataFrame(List.<Row>of(), schema("double"));
    assertThatThrownBy(
            () ->
                Stencils.tiles(table)
                    .at("name", "c")
                    .apply("stencil2d_mean(z, 1)", "made")
                    .toDataset())
        .hasMessageContaining("column \"name\" is string; the numbers of tiles are integers");
    assertThatThrownBy(
            () -> Stencils.tiles(table).at("r", "d").apply("stencil2d_mean(z, 1)", "m").toDataset())
        .hasMessageContaining("column \"d\" is not there; there are name, r, c, z");
    assertThatThrownBy(
            () -> Stencils.tiles(table).at("r", "c").apply("stencil2d_mean(z, 1)", "Z").toDataset())
        .hasMessageContaining("two columns have the name \"z\"");
    assertThatThrownBy(
            () ->
                Stencils.tiles(table.selectExpr("*", "1.5D as day"))
                    .at("r", "c")
                    .partitionBy("day")
                    .apply("stencil2d_mean(z, 1)", "m")
                    .toDataset())
        .hasMessageContaining("cannot partition by column \"day\" of type double");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "(0, 0, array(array(1D))), (0, 0, array(array(2D)))|two tiles have the r 0 and the c 0",
        "(0, 0, array(array(1D))), (0, 1, array(array(2D), array(2D)))|tiles whose r is 0 have 1 and 2 cells",
        "(0, 0, array(array(1D), array(1D, 2D)))|row 1 of the tile at r 0, c 0 has 2 cells and row 0 has 1",
        "(0, 0, array(array(1D), null))|row 1 of a tile is null",
        "(0, 0, array(array(1D))), (0, null, array(array(2D)))|a tile has no c: it is null",
        "(0, 0, array(array(1D))), (0, 1, cast(array() as array<array<double>>))|has no cells",
        "(0, 0, array(array(1D))), (1, 0, array(array(2D), array(2D))), (3, 0, array(array(3D)))|nobody knows where tiles lie"
      })
  void saysWhatIsWrongWithTiles(String rows, String message, SparkSession spark) {
    Dataset<Row> table = spark.sql("SELECT * FROM VALUES %s AS t(r, c, z)".formatted(rows));
    assertThatThrownBy(
            () ->
                Stencils.tiles(table)
                    .at("r", "c")
                    .apply("stencil2d_mean(z, 1)", "made")
                    .toDataset()
                    .collectAsList())
        .hasStackTraceContaining(message);
  }

  @Test
  void otherSessionsReadResultsToo(SparkSession spark) {
    Raster raster = Raster.random(new Random(SEED), "double", List.of(4, 8), List.of(5, 9));
    String call = "stencil2d_mean(z, 2)";
    Stencils.tiles(spark.createDataFrame(raster.rows("one", 0, 0), schema("double")))
        .at("r", "c")
        .apply(call, "made")
        .toDataset()
        .createOrReplaceGlobalTempView("tiles_of_another_session");

    List<Row> results =
        spark.newSession().table("global_temp.tiles_of_another_session").collectAsList();

    assertTiles(results, raster, inOnePiece(spark, raster, "double", call));
  }
}

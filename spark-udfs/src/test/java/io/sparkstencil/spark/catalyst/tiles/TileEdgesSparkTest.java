/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.Stencils;
import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.catalyst.tiles.TilesSparkTest.Raster;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.expressions.UserDefinedFunction;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.util.LongAccumulator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What travels between tiles, and what happens where it is no longer right when it arrives. */
@WithSpark
final class TileEdgesSparkTest {
  private static final long SEED = 20_261_128;
  private static final long DRAIN_MILLIS = 30_000;

  /** Tiles are written for their own tasks; their first and last rows and columns travel alone. */
  @Test
  void writesTilesOnceAndLittleElse(SparkSession spark) throws TimeoutException {
    Raster raster =
        Raster.random(new Random(SEED), "double", List.of(100, 200, 300), List.of(100, 200, 300));
    Dataset<Row> table =
        spark
            .createDataFrame(raster.rows("one", 0, 0), TilesSparkTest.schema("double"))
            .coalesce(2);
    AtomicLong bytes = new AtomicLong();
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onTaskEnd(SparkListenerTaskEnd end) {
            bytes.addAndGet(end.taskMetrics().shuffleWriteMetrics().bytesWritten());
          }
        };
    spark.sparkContext().addSparkListener(listener);
    try {
      Stencils.tiles(table)
          .at("r", "c")
          .apply("stencil2d_mean(z, 1)", "made")
          .toDataset()
          .collectAsList();
      spark.sparkContext().listenerBus().waitUntilEmpty(DRAIN_MILLIS);
    } finally {
      spark.sparkContext().removeSparkListener(listener);
    }

    assertThat(bytes.get()).isBetween(8L * 300 * 300 / 2, 8L * 300 * 300 * 5 / 4);
  }

  /** Cells that are others each time: the function of a number {@code says} so, or does not. */
  private static UserDefinedFunction changing(boolean says) {
    UDF1<Integer, double[][]> tile =
        any -> new double[][] {{Math.random(), Math.random()}, {Math.random(), Math.random()}};
    UserDefinedFunction made =
        functions.udf(tile, DataType.fromDDL("array<array<double>>")).asNonNullable();
    return says ? made.asNondeterministic() : made;
  }

  private static Dataset<Row> changing(SparkSession spark, boolean says, int partitions) {
    return spark
        .range(0, 6, 1, partitions)
        .selectExpr("'one' AS name", "cast(id AS int) AS r", "0 AS c")
        .withColumn("z", changing(says).apply(functions.col("r")));
  }

  /**
   * Results of tiles that are others each time, which are right if those are that come with them.
   */
  private static void assertKept(SparkSession spark, Dataset<Row> tiles) {
    List<Row> results =
        Stencils.tiles(tiles)
            .at("r", "c")
            .apply("stencil2d_mean(z, 1)", "made")
            .toDataset()
            .select("name", "r", "c", "z", "made")
            .collectAsList();

    assertThat(results).hasSize(6);
    Number[][] cells = new Number[12][];
    for (Row row : results) {
      for (int i = 0; i < 2; i++) {
        cells[2 * row.getInt(1) + i] =
            TilesSparkTest.lists(row.get(3)).get(i).toArray(new Number[0]);
      }
    }
    Raster raster = new Raster(cells, List.of(2, 4, 6, 8, 10, 12), List.of(2));
    TilesSparkTest.assertTiles(
        results,
        raster,
        TilesSparkTest.inOnePiece(spark, raster, "double", "stencil2d_mean(z, 1)"));
  }

  @ParameterizedTest
  @CsvSource({"1, true", "2, true", "1, false", "2, false"})
  void tilesThatChangeAreKeptWhileTheirEdgesTravel(
      int partitions, boolean says, SparkSession spark) {
    assertKept(spark, changing(spark, says, partitions));
  }

  @Test
  void someOfManyTilesAreKept(SparkSession spark) {
    assertKept(spark, changing(spark, true, 2).union(changing(spark, true, 2)).limit(6));
  }

  @Test
  void computesTilesOnce(SparkSession spark) {
    LongAccumulator computed = spark.sparkContext().longAccumulator();
    UDF1<Integer, double[][]> tile =
        any -> {
          computed.add(1);
          return new double[][] {{any}};
        };
    Dataset<Row> table =
        spark
            .range(0, 12, 1, 3)
            .selectExpr("cast(id div 4 AS int) AS r", "cast(id % 4 AS int) AS c")
            .withColumn(
                "z",
                functions
                    .udf(tile, DataType.fromDDL("array<array<double>>"))
                    .apply(functions.col("r")));

    List<Row> results =
        Stencils.tiles(table)
            .at("r", "c")
            .apply("stencil2d_mean(z, 1)", "made")
            .toDataset()
            .collectAsList();

    assertThat(results).hasSize(12);
    assertThat(computed.value()).isEqualTo(12);
  }

  /** Groups lie as tiles would be shuffled, and adaptive execution plans again above them. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void tilesOfGroupsThatChangeAreKept(boolean adaptive, SparkSession spark) {
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    assertKept(
        spark,
        spark
            .range(0, 600, 1, 2)
            .selectExpr("'one' AS name", "id % 6 AS number", "0 AS c", "cast(id % 6 AS int) AS n")
            .groupBy("name", "number", "c")
            .agg(changing(true).apply(functions.max("n")).as("z"))
            .selectExpr("name", "cast(number AS int) AS r", "c", "z"));
  }

  @Test
  void columnsThatDifferInCaseAloneAreTwoWhereTheSessionSaysSo(SparkSession spark) {
    spark.conf().set("spark.sql.caseSensitive", true);
    Raster raster = Raster.random(new Random(SEED), "double", List.of(4, 8), List.of(5, 9));
    Dataset<Row> table =
        spark
            .createDataFrame(raster.rows("one", 0, 0), TilesSparkTest.schema("double"))
            .withColumn("R", functions.lit("another"));

    List<Row> results =
        Stencils.tiles(table)
            .at("r", "c")
            .apply("stencil2d_mean(z, 1)", "Z")
            .toDataset()
            .select("name", "r", "c", "z", "Z", "R")
            .collectAsList();

    TilesSparkTest.assertTiles(
        results,
        raster,
        TilesSparkTest.inOnePiece(spark, raster, "double", "stencil2d_mean(z, 1)"));
    assertThat(results).allSatisfy(row -> assertThat(row.getString(5)).isEqualTo("another"));
  }
}

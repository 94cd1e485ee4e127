/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Inputs that are declared ordered: read as they are, checked as they go by. */
@WithSpark
final class OrderedInputSparkTest {
  private static SparkSession spark;
  @TempDir static Path folder;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
  }

  /**
   * Writes rows with ascending t into files, unless they are there; files of unequal sizes, some
   * without rows.
   */
  private static Dataset<Row> written(String columns, int rows, int files) {
    Dataset<Row> table =
        spark.sql("select id as t, %s from range(0, %d, 1, %d)".formatted(columns, rows, files));
    String path = path(columns, rows, files);
    table.write().mode("ignore").parquet(path);
    return spark.read().schema(table.schema()).parquet(path);
  }

  private static String path(String columns, int rows, int files) {
    return folder.resolve("%08x-%d-%d".formatted(columns.hashCode(), rows, files)).toString();
  }

  /** Checks the mean of {@code v} beside columns of so many rows of a table. */
  private static void areSparks(
      String columns, int rows, Dataset<Row> table, Dataset<Row> mine, String window) {
    String sql = "select *, avg(v) over (%s) from ordered_input".formatted(window);
    List<String> words = RowBits.of(mine);
    assertThat(words).hasSize(rows);
    WindowPlans.areSparks(
        spark,
        "%s of %d rows: %s".formatted(columns, rows, sql),
        words,
        () -> {
          table.createOrReplaceTempView("ordered_input");
          return RowBits.of(spark.sql(sql).orderBy("t"));
        });
  }

  private static String window(int before, int after) {
    return "order by t rows between %s and %s".formatted(bound(-before), bound(after));
  }

  @ParameterizedTest
  @CsvSource({
    "100000, 5, 8",
    "997, 40, 3",
    "997, 7, 50",
    "300, 3, 2000",
    "9, 9, 2",
    "5, 20, 1",
    "1, 1, 3",
    "0, 2, 3"
  })
  void columnsGoInAndOut(int rows, int files, int k) {
    String columns =
        "if(id % 13 = 0, null, sin(id)) as v, cast(id % 1000 as short) as s, id % 2 = 0 as even";
    Dataset<Row> table = written(columns, rows, files);
    Dataset<Row> mine = Stencils.over(table).orderBy("t").ordered().mean("v", k, "m").toDataset();
    assertThat(mine.queryExecution().executedPlan().toString()).contains("ColumnsToRows");
    areSparks(columns, rows, table, mine, window(k, k));
  }

  @ParameterizedTest
  @CsvSource({
    "20000, 5, 8, 8",
    "997, 40, 3, 0",
    "300, 3, 2000, 2000",
    "60, 13, -2, 5",
    "60, 13, 7, -3"
  })
  void rowsGoInAndOut(int rows, int files, int before, int after) {
    String columns = "cos(id) as v, concat('r', id) as text, array(id) as list";
    Dataset<Row> table = written(columns, rows, files);
    Dataset<Row> mine =
        Stencils.over(table)
            .orderBy("t")
            .ordered()
            .apply("v", Stencil.mean(Frame.offsets(-before, after)), "m")
            .toDataset();
    areSparks(columns, rows, table, mine, window(before, after));
  }

  private static String bound(int offset) {
    return offset < 0 ? -offset + " preceding" : offset + " following";
  }

  @Test
  void seriesWithKeysMaySpanPartitions() {
    String columns = "select id div 700 as g, id as t, sqrt(id) as v from range(0, 5000, 1, 9)";
    Dataset<Row> table = spark.sql(columns);
    Dataset<Row> mine =
        Stencils.over(table).partitionBy("g").orderBy("t").ordered().mean("v", 40, "m").toDataset();
    areSparks(columns, 5000, table, mine, "partition by g " + window(40, 40));
  }

  @ParameterizedTest
  @ValueSource(strings = {"nearest", "reflect", "mirror", "wrap", "constant:2.5", "valid"})
  void boundariesAtTheEndsOfTheWholeSeries(String boundary) {
    for (int rows : new int[] {500, 7, 1}) {
      Dataset<Row> table = written("id * 1.5D as v", rows, 6);
      Stencil stencil =
          Stencil.mean(Frame.precedingFollowing(11, 5)).withBoundary(Boundary.parse(boundary));
      Dataset<Row> ordered =
          Stencils.over(table).orderBy("t").ordered().apply("v", stencil, "m").toDataset();
      Dataset<Row> sorted = Stencils.over(table).orderBy("t").apply("v", stencil, "m").toDataset();
      assertThat(RowBits.of(ordered)).hasSize(rows).isEqualTo(RowBits.of(sorted));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theFirstRowOutOfOrderFailsWithFileRowAndValues(boolean columnar) {
    String more = columnar ? "" : ", concat('r', id) as text";
    String path = folder.resolve("broken-" + columnar).toString();
    spark
        .sql(
            "select if(id = 612, 17, id) as t, id * 1.0D as v%s from range(0, 1000, 1, 4)"
                .formatted(more))
        .write()
        .parquet(path);
    Dataset<Row> table = spark.read().parquet(path);
    Throwable failure =
        catchThrowable(
            () ->
                Stencils.over(table)
                    .orderBy("t")
                    .ordered()
                    .mean("v", 2, "m")
                    .toDataset()
                    .collectAsList());
    assertThat(rootCause(failure))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("row 113 of file:")
        .hasMessageContaining("part-00002")
        .hasMessageContaining("t = 17 after t = 611");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theOrderIsCheckedFromPartitionToPartition(boolean columnar) {
    String more = columnar ? "" : ", concat('r', id) as text";
    String path = folder.resolve("swapped-" + columnar).toString();
    spark
        .sql(
            "select pmod(id + 500, 1000) as t, id * 1.0D as v%s from range(0, 1000, 1, 2)"
                .formatted(more))
        .write()
        .parquet(path);
    Dataset<Row> table = spark.read().parquet(path);
    Throwable failure =
        catchThrowable(
            () ->
                Stencils.over(table)
                    .orderBy("t")
                    .ordered()
                    .mean("v", 2, "m")
                    .toDataset()
                    .collectAsList());
    assertThat(rootCause(failure))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("row 1 of file:")
        .hasMessageContaining("part-00001")
        .hasMessageContaining("t = 0 after t = 999");
  }

  @Test
  void splitsOfOneFileStayInOrder() {
    String column = "id * 0.5D as v";
    Dataset<Row> table = written(column, 200_000, 1);
    spark.conf().set("spark.sql.files.maxPartitionBytes", "100000");
    try {
      Dataset<Row> again = spark.read().parquet(path(column, 200_000, 1));
      Dataset<Row> mine = Stencils.over(again).orderBy("t").ordered().mean("v", 4, "m").toDataset();
      assertThat(mine.rdd().getNumPartitions()).isGreaterThan(4);
      areSparks(column, 200_000, table, mine, window(4, 4));
    } finally {
      spark.conf().unset("spark.sql.files.maxPartitionBytes");
    }
  }

  private static Throwable rootCause(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}

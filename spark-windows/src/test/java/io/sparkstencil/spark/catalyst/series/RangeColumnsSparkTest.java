/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.RowBits;
import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.catalyst.plan.WindowExtensions;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One series of all rows that is spread by ranges of its order, as columns. */
final class RangeColumnsSparkTest {
  private static final String ADAPTIVE = "spark.sql.adaptive.enabled";
  private static final int ROWS = 12_000;

  private static SparkSession spark;

  @TempDir private static Path folder;

  @BeforeAll
  static void start() {
    Sessions.stopOpen();
    spark =
        Sessions.builder("local[2]")
            .withExtensions(new WindowExtensions())
            .config("spark.sql.shuffle.partitions", "8")
            .config("spark.sql.files.maxPartitionBytes", "200k")
            .config("spark.stencil.sql.smallBytes", "0")
            .getOrCreate();
    String cells = folder.resolve("cells").toString();
    spark
        .sql(
            """
            select pmod(id * 7919, 1000003) as t, cast(pmod(id * 7919, 1000003) as double) / 7 - 9000 as d,
              if(id % 11 = 3, null, cast(id % 11 as smallint)) as k, id % 3 = 0 as flag,
              if(id % 7 = 0, null, if(id % 7 = 1, 0.0D, if(id % 7 = 2, -0.0D,
                if(id % 7 = 3, double('nan'), id % 7)))) as v,
              cast(id % 97 as int) as n, if(id % 5 = 0, null, 'text ' || id % 13) as text,
              timestamp_micros(id % 41) as at, cast(id % 17 as decimal(9, 2)) as price
            from range(0, ROWS, 1, 3)
            """
                .replace("ROWS", "" + ROWS))
        .write()
        .mode("overwrite")
        .parquet(cells);
  }

  @BeforeEach
  void reset() {
    spark.conf().set("spark.stencil.sql.enabled", "true");
    spark.conf().unset(ADAPTIVE);
    spark.read().parquet(folder.resolve("cells").toString()).createOrReplaceTempView("cells");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static String sql(String columns, String order) {
    return """
        select COLUMNS, avg(v) over (W rows between 9 preceding and 5 following) as m,
          lag(n, 3) over (W) as l, sum(price) over (W rows 700 preceding) as s
        from cells
        """
        .replace("COLUMNS", columns)
        .replace("W", "order by " + order);
  }

  private void assertColumns(Dataset<Row> ours, String from) {
    assertThat(WindowPlans.plan(ours).toString())
        .contains("(series from %s to columns)".formatted(from));
    assertThat(WindowPlans.columnRows(ours)).isEqualTo(ROWS);
  }

  /** Keys are sampled from the window below, which has code of its own already. */
  @ParameterizedTest
  @CsvSource({
    "rows 3 preceding, true",
    "rows 3 preceding, false",
    "rows unbounded preceding, true"
  })
  void windowsOverWindowsHaveSparksBits(String below, boolean adaptive) {
    spark.conf().set(ADAPTIVE, adaptive);
    for (String over : List.of("order by id", "order by v desc, id")) {
      WindowPlans.sameWithoutSpark(
          spark,
          """
          select id, avg(v) over (OVER rows 2 preceding) as m from
            (select id, sum(id % 7) over (partition by id % 5 order by id BELOW) as v from range(0, 5000, 1, 3))
          """
              .replace("OVER", over)
              .replace("BELOW", below));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "t, v, n|t|true",
        "*|t|false",
        "*|t desc|true",
        "t, d, v, n|d|true",
        "t, d, v, n|d desc nulls last|false",
        "t, k, v, n|k, t|true",
        "*|k desc nulls last, t desc|true",
        "t, flag, n|flag, t|true",
        "*|at, price desc, d|false"
      })
  void columnsHaveSparksBits(String columns, String order, boolean adaptive) {
    spark.conf().set(ADAPTIVE, adaptive);
    assertColumns(WindowPlans.sameWithoutSpark(spark, sql(columns, order)), "columns");
  }

  @ParameterizedTest
  @ValueSource(strings = {"t", "k desc nulls last, t"})
  void rowsBecomeColumns(String order) {
    spark.sql("select /*+ repartition(5) */ * from cells").createOrReplaceTempView("cells");
    assertColumns(WindowPlans.sameWithoutSpark(spark, sql("*", order)), "rows");
  }

  @Test
  void rowsAreCountedOfNoColumn() {
    Dataset<Row> ours =
        WindowPlans.sameWithoutSpark(
            spark, "select t, count(*) over (order by t rows 3 preceding) as c from cells");
    assertColumns(ours, "columns");
  }

  @Test
  void filtersAndProjectionsReadColumns() {
    String sql =
        "select t, x, avg(x) over (order by t rows 4 preceding) as m"
            + " from (select t, v as x, n from cells where n > 3 and v is not null)";
    Dataset<Row> ours = WindowPlans.sameWithoutSpark(spark, sql);
    assertThat(WindowPlans.plan(ours).toString()).contains("(series from columns to columns)");
  }

  /** Ranks, totals and frames of values; ranges hand no strings on to each other. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "row_number() over (W) as r, sum(price) over (W) as s, count(text) over (W) as c|t",
        "rank() over (W) as r, min(text) over (W) as s, max(k) over (W) as c|k, t",
        "dense_rank() over (W) as r, sum(v) over (W) as s|d desc nulls last",
        "avg(v) over (W range between 5000 preceding and current row) as r|t",
        "stddev(n) over (W rows between 20 preceding and 3 following) as r|t desc",
        "max(text) over (W range between 40.5D preceding and 3 following) as r|d"
      })
  void otherWindowsReadColumns(String windows, String order) {
    String sql = "select *, WINDOWS from cells".replace("WINDOWS", windows);
    Dataset<Row> ours =
        WindowPlans.sameWithoutSpark(
            spark,
            sql.replace("W ", "order by " + order + " ")
                .replace("(W)", "(order by " + order + ")"));
    assertThat(WindowPlans.plan(ours).toString())
        .contains(
            "(series from columns to %s)"
                .formatted(windows.contains("min(text)") ? "rows" : "columns"));
  }

  /** Which of two rows that tie comes first must not depend on how they travelled. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*|n",
        "v, n, price, text|n",
        "v, n, price|n desc",
        "v, n, price, k, at|k, flag",
        "*|at desc",
        "v, n, price, flag|flag"
      })
  void columnsAndRowsHaveOneOrderOfTies(String columns, String order) {
    String sql = sql(columns, order);
    Dataset<Row> ours = spark.sql(sql);
    List<String> ofColumns = RowBits.of(ours);
    assertColumns(ours, "columns");
    Dataset<Row> cells = spark.table("cells");
    spark.createDataFrame(cells.javaRDD(), cells.schema()).createOrReplaceTempView("cells");
    assertThat(RowBits.of(spark.sql(sql))).isEqualTo(ofColumns);
  }

  @Test
  void keysMayBeNullOrMissing() {
    for (String where : List.of("k is null", "t < 0", "t = (select min(t) from cells)")) {
      String sql =
          "select t, k, v, sum(v) over (order by k, t rows 3 preceding) as s from cells where "
              + where;
      WindowPlans.sameAsSpark(spark, sql);
    }
    String alike = "select n, avg(n) over (order by k rows 1 preceding) as m from cells where ";
    assertThat(spark.sql(alike + "k is null").count()).isEqualTo((ROWS - 3 + 10) / 11);
  }
}

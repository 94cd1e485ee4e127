/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.WithSpark;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows stay in Parquet files whose statistics show that they lie in the order of the windows. */
@WithSpark
final class FilesInOrderSparkTest {
  private static final int ROWS = 1200;
  private static final int FILES = 6;

  /** Windows of all operators of one series, over the order {@code BY}. */
  private static final List<String> WINDOWS =
      List.of(
          "avg(v) over (order by BY rows between 7 preceding and 3 following)",
          "sum(n) over (order by BY rows unbounded preceding)",
          "sum(v) over (order by BY)",
          "max(n) over (order by BY rows between current row and unbounded following)",
          "dense_rank() over (order by BY)");

  /** Windows that do not depend on the order of rows that tie. */
  private static final List<String> WINDOWS_OF_TIES =
      List.of("sum(n) over (order by BY)", "count(*) over (order by BY)");

  /** Makes the files in the middle larger, which Spark therefore reads first. */
  private static final String FILLER = "length(repeat('x', if(id between 400 and 600, 90, 9)))";

  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    spark.conf().set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS");
    write("feed", "id", FILLER, "n");
    write("log", "id", FILLER, "id");
    write("shaken", "pmod(id * 7919, 1201)", "0", "id");
    write("ties", "id div 300", "0", "id");
    write("nulls", "if(id = 700, null, id)", "0", "id");
  }

  /**
   * Writes a table.
   *
   * @param key what {@code t} and others grow with
   * @param filler what makes some files larger
   * @param order the order of the rows of each file
   */
  private static void write(String name, String key, String filler, String order) {
    spark
        .range(0, ROWS, 1, FILES)
        .selectExpr("id", key + " as k", filler + " as filler")
        .selectExpr(
            "k as t",
            "cast(k as int) as i",
            "timestamp_micros(1700000000000000 + 977 * k) as at",
            "cast(timestamp_micros(1700000000000000 + 977 * k) as timestamp_ntz) as ntz",
            "date_add(date'2020-02-27', cast(k as int)) as day",
            "date_add(date'1500-02-27', cast(k as int)) as ancient",
            "cast(k as string) as word",
            "if(id % 13 = 0, null, sin(id)) as v",
            "id % 31 as n",
            "repeat('x', filler) as filler")
        .sortWithinPartitions(order)
        .write()
        .parquet(folder.resolve(name).toString());
    table(name);
  }

  private static void table(String name) {
    spark.read().parquet(folder.resolve(name).toString()).createOrReplaceTempView(name);
  }

  /** Returns the query with all windows. */
  private static String windows(String table, String order) {
    return query(table, order, WINDOWS);
  }

  private static String query(String table, String order, List<String> windows) {
    String all =
        IntStream.range(0, windows.size())
            .mapToObj(i -> windows.get(i) + " as w" + i)
            .collect(Collectors.joining(", "));
    return "select *, %s from %s".formatted(all.replace("BY", order), table);
  }

  /** Runs a query; returns the bytes that operators of ours shuffled. */
  private static long shuffled(String sql) {
    Dataset<Row> query = WindowPlans.sameAsSpark(spark, sql);
    SparkPlan plan = WindowPlans.plan(query);
    assertThat(WindowPlans.ours(plan)).hasSizeGreaterThanOrEqualTo(1);
    assertThat(WindowPlans.sparks(query)).isZero();
    return shuffledBytes(plan);
  }

  private static long shuffledBytes(SparkPlan plan) {
    return WindowPlans.find(plan, SparkPlan.class).stream()
        .filter(each -> each.metrics().contains("shuffledBytes"))
        .mapToLong(each -> each.metrics().apply("shuffledBytes").value())
        .sum();
  }

  @ParameterizedTest(name = "{0} by {1}, adaptive {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "feed|t|true",
        "log|t|true",
        "feed|t|false",
        "log|t desc|true",
        "feed|t desc nulls first, v|false",
        "log|i, n desc|true",
        "log|at|false",
        "feed|ntz desc|true",
        "feed|day|true"
      })
  void rowsInOrderStay(String table, String order, boolean adaptive) {
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    assertThat(shuffled(windows(table, order))).isZero();
  }

  @ParameterizedTest(name = "{0} by {1}, window {2}")
  @CsvSource({"log, t, 0", "feed, at desc, 1", "log, 'day, t', 2", "log, t, 3", "feed, at desc, 4"})
  void everyOperatorLeavesThem(String table, String order, int window) {
    assertThat(shuffled(query(table, order, List.of(WINDOWS.get(window))))).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ancient", "word", "v, t", "t + 1", "n, t"})
  void ordersThatStatisticsDoNotTellAreShuffled(String order) {
    assertThat(shuffled(windows("feed", order))).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"shaken", "nulls"})
  void tablesThatAreNotInOrderAreShuffled(String table) {
    assertThat(shuffled(windows(table, "t"))).isPositive();
  }

  /** Files of 200 rows each, and 300 rows to a key: files that share a key go to one task. */
  @Test
  void rowsThatTieAreOneTasks() {
    spark.conf().set("spark.sql.files.maxPartitionBytes", "1g");
    assertThat(shuffled(query("ties", "t", WINDOWS_OF_TIES))).isZero();
  }

  /**
   * Frames reach from one file into the next, each of which is read in several batches, with texts
   * as rows. The value of a folder is in no file.
   */
  @ParameterizedTest
  @ValueSource(strings = {"", "if(t % 3 = 0, null, concat('row ', t)) as text,"})
  void cellsOfAnyTypeBesidePartitions(String text) {
    spark.conf().set("spark.sql.parquet.columnarReaderBatchSize", "64");
    spark.conf().set("spark.sql.files.openCostInBytes", "100m"); // a file is a partition
    String files = folder.resolve("types" + text.length()).toString();
    spark
        .sql(
            """
            select t, TEXT if(t % 13 = 0, null, cast(v * 1000 as decimal(9, 2))) as narrow,
              if(t % 17 = 0, null, cast(v * 1e9 as decimal(17, 4))) as wide,
              if(t % 7 = 0, null, cast(t % 100 as tinyint)) as b,
              if(t % 11 = 0, null, cast(t as smallint)) as s, if(t % 5 < 3, null, i) as i,
              if(t > 800, null, cast(v as float)) as f, if(t < 300, null, n * 0.5D) as d,
              t div 200 as part
            from log
            """
                .replace("TEXT", text))
        .write()
        .partitionBy("part")
        .parquet(files);
    spark.read().parquet(files).createOrReplaceTempView("types");
    String frame = " over (order by BY rows between 40 preceding and 9 following)";
    List<String> windows =
        Stream.of("narrow", "wide", "b", "s", "i", "f", "d", "part")
            .map(cell -> "max(%s)".formatted(cell) + frame)
            .toList();
    assertThat(shuffled(query("types", "t", windows))).isZero();
    assertThat(shuffled(query("types", "t", List.of("sum(part)" + frame)))).isZero();
  }

  @Test
  void rowsThatAreFilteredAndRenamedStay() {
    String some =
        "(select at as t, v * 2 as v, n, t + 1 as i from feed where n <> 4 and t between 150 and 1000)";
    assertThat(shuffled(windows(some, "t"))).isZero();
    assertThat(shuffled(windows(some, "i"))).isPositive();
  }

  @Test
  void rowsOfSeveralTablesAreShuffled() {
    String both = "(select * from feed union all select * from ties)";
    assertThat(shuffled(query(both, "t", WINDOWS_OF_TIES))).isPositive();
  }

  /** Which rows there are is drawn anew whenever they are read. */
  @Test
  void rowsThatDifferEachTimeAreShuffled() {
    spark.conf().set("spark.stencil.sql.enabled", "true");
    Dataset<Row> query =
        spark.sql("select count(*) over (order by t) as c from feed where rand() < 0.5");
    assertThat(query.collectAsList()).hasSizeBetween(1, ROWS - 1);
    assertThat(shuffledBytes(WindowPlans.plan(query))).isPositive();
  }

  /** They would read whole files beside their own. */
  @Test
  void framesThatReachNeighboursAreShuffled() {
    String window = "stddev(v) over (order by BY rows 250 preceding)";
    assertThat(shuffled(query("log", "t", List.of(window)))).isPositive();
  }

  @Test
  void filesAreNotAskedIfTheyShallNotBe() {
    spark.conf().set("spark.stencil.sql.files.enabled", "false");
    assertThat(shuffled(windows("feed", "t"))).isPositive();
  }

  /** Spark reads the lowest byte of each number. */
  @Test
  void numbersThatAreCutOffAreNotInOrder() {
    spark.table("log").select("i", "v", "n").write().parquet(folder.resolve("wide").toString());
    spark
        .read()
        .schema("i tinyint, v double, n bigint")
        .parquet(folder.resolve("wide").toString())
        .createOrReplaceTempView("cut");
    assertThat(shuffled(query("cut", "i", WINDOWS_OF_TIES))).isPositive();
    assertThat(shuffled(query("(select * from cut where i > 0)", "i", WINDOWS_OF_TIES)))
        .isPositive();
  }

  @Test
  void tablesWithoutRows() {
    spark.table("log").where("false").write().parquet(folder.resolve("none").toString());
    table("none");
    assertThat(shuffled(windows("none", "t"))).isZero();
    assertThat(shuffled(windows("(select * from log where n > 99)", "t"))).isZero();
  }

  @Test
  void timestampsOf96BitsHaveNoStatistics() {
    spark.conf().set("spark.sql.parquet.outputTimestampType", "INT96");
    spark.table("feed").write().parquet(folder.resolve("old").toString());
    spark.conf().set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS");
    table("old");
    assertThat(shuffled(windows("old", "at"))).isPositive();
  }
}

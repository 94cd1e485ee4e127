/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Series have Spark's own results in whatever order their rows arrive and however much memory there
 * is.
 */
final class CollectedSeriesSparkTest {
  /** Settings of an application: plenty of memory; a limit that is soon reached; memory refused. */
  private static final List<List<String>> MEMORIES =
      List.of(
          List.of(),
          List.of("spark.buffer.pageSize", "16k"),
          List.of(
              "spark.buffer.pageSize",
              "4m",
              "spark.testing.memory",
              "40000000",
              "spark.testing.reservedMemory",
              "0"));

  /** Rows in various orders; {@code t} is different in each row. */
  private static final List<String> ARRIVALS =
      List.of(
          "select id as t, id as n from range(0, ROWS, 1, 3)",
          "select ROWS - id as t, id as n from range(0, ROWS, 1, 3)",
          "select pmod(id, 5) * 1000000 + id as t, id as n from range(0, ROWS, 1, 2)",
          "select pmod(id * 7919, 1000003) as t, id as n from range(0, ROWS, 1, 4)");

  private SparkSession spark;

  private void start(List<String> settings) {
    SparkSession.Builder builder =
        Sessions.builder("local[2]").withExtensions(new StencilExtensions());
    for (int i = 0; i < settings.size(); i += 2) {
      builder.config(settings.get(i), settings.get(i + 1));
    }
    spark = builder.getOrCreate();
  }

  @AfterEach
  void stop() {
    spark.stop();
  }

  private static String sql(String table, String window) {
    return "select *, avg(v) over w as m, min(v) over w as l, count(v) over w as c from (%s) window w as (%s rows between 5 preceding and 3 following)"
        .formatted(table, window);
  }

  private Dataset<Row> query(boolean ours, String table, String window) {
    spark.conf().set("spark.stencil.sql.enabled", ours);
    return spark.sql(sql(table, window));
  }

  private void assertSame(String table, String window) {
    Dataset<Row> mine = query(true, table, window);
    assertThat(mine.queryExecution().toString()).contains("Stencil [stencil_");
    List<String> rows = RowBits.sorted(mine);
    String sql = sql(table, window);
    WindowPlans.areSparks(spark, sql, rows, () -> WindowPlans.expected(spark, sql));
    assertThat(rows).isNotEmpty();
  }

  /** Returns a query of one row after it ran, with Spark's result. */
  private Dataset<Row> sameAsSpark(String sql) {
    spark.conf().set("spark.stencil.sql.enabled", true);
    Dataset<Row> mine = spark.sql(sql);
    WindowPlans.areSparks(
        spark,
        sql,
        RowBits.of(mine),
        () -> {
          spark.conf().set("spark.stencil.sql.enabled", false);
          return RowBits.of(spark.sql(sql));
        });
    return mine;
  }

  private static String cells(String arrival, int rows, String keys) {
    return "select %s, t, if(n %% 7 = 0, null, sin(n)) as v, concat('row ', n) as text from (%s)"
        .formatted(keys, arrival.replace("ROWS", "" + rows));
  }

  /** Returns how many rows there are: many where memory is to run out. */
  private static int rows(List<String> settings) {
    return settings.isEmpty() ? 8_000 : 20_000;
  }

  static List<List<String>> memories() {
    return MEMORIES;
  }

  @ParameterizedTest
  @MethodSource("memories")
  void anyArrivalAndKeys(List<String> settings) {
    start(settings);
    int kinds = 0;
    for (String keys :
        List.of(
            "n % 11 as g",
            "if(n % 11 = 3, null, cast(n % 11 as smallint)) as g",
            "if(n % 5 = 3, null, concat('series ', n % 5)) as g",
            "n % 6001 as g",
            "1L as g")) {
      // Kinds of arrival by turns where there is memory, one where rows go to Spark's sorter.
      int arrival = settings.isEmpty() ? kinds++ % ARRIVALS.size() : ARRIVALS.size() - 1;
      spark.conf().set("spark.sql.adaptive.enabled", keys.length() % 2 == 0);
      assertSame(cells(ARRIVALS.get(arrival), rows(settings), keys), "partition by g order by t");
    }
  }

  /** Columns of fixed width, which are kept as columns as long as there is memory. */
  @ParameterizedTest
  @MethodSource("memories")
  void columnsInAnyOrder(List<String> settings) {
    start(settings);
    String columns =
        "select if(n %% 11 = 3, null, cast(n %% 11 as smallint)) as g, n %% 4001 as h, t,"
            + " if(n > %d and n %% 7 = 0, null, sin(n)) as v, n %% 3 = 0 as third, case n %% 5"
            + " when 0 then -0.0D when 1 then 0.0D when 2 then double('nan') end as w from (%s)";
    List<String> orders = List.of("t", "v desc nulls last, t");
    List<String> allKeys = List.of("g", "h", "third, w");
    int rows = rows(settings);
    // Arrivals, keys and orders take turns.
    for (int turn = 0; turn < (settings.isEmpty() ? 6 : 4); turn++) {
      String arrival = ARRIVALS.get(settings.isEmpty() ? turn % ARRIVALS.size() : 2);
      String table = columns.formatted(rows / 2, arrival.replace("ROWS", "" + rows));
      String keys = allKeys.get(turn % allKeys.size());
      spark.conf().set("spark.sql.adaptive.enabled", keys.equals("g"));
      String order = orders.get(turn / 2 % orders.size());
      assertSame(table, "partition by " + keys + " order by " + order);
    }
  }

  @Test
  void columnsThatAreEncryptedAndNotCompressed() {
    start(List.of("spark.io.encryption.enabled", "true", "spark.shuffle.compress", "false"));
    String table = "select cast(n %% 11 as int) as g, t, sin(n) as v from (%s)";
    assertSame(
        table.formatted(ARRIVALS.get(3).replace("ROWS", "9000")), "partition by g order by t");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "partition by g, h order by t desc",
        "partition by g order by t desc nulls first, v",
        "partition by f order by cast(t as string)",
        "partition by f order by cast(t as double) nulls last, text desc",
        "partition by g order by if(t % 2 = 0, null, t), text",
        "partition by g, f order by cast(t % 100 as decimal(20, 3)), text",
        "partition by g order by array(t % 10), text desc",
        "partition by g order by struct(t % 10, f), text",
        "partition by array(string(g), h) order by t",
        "order by cast(t as string) desc",
        "order by if(t % 1000 = 0, null, t) desc, text",
      })
  void keysAndOrdersOfManyTypes(String window) {
    start(List.of());
    spark.conf().set("spark.sql.adaptive.enabled", window.length() % 2 == 0);
    String keys =
        "n % 5 as g, 'h' || n % 3 as h,"
            + " case n % 6 when 0 then -0.0d when 1 then 0.0d when 2 then double('nan')"
            + " when 3 then -1.5d when 4 then null else double('-infinity') end as f";
    String arrival = ARRIVALS.get(window.length() % ARRIVALS.size());
    assertSame(cells(arrival, 3_000, keys), window);
  }

  @ParameterizedTest
  @MethodSource("memories")
  void oneLargeSeriesOfWideRows(List<String> settings) {
    start(settings);
    String wide =
        cells(ARRIVALS.get(3), 60_000, "n % 2 as g, n % 1000 = 0 as big, repeat('x', 300) as pad");
    sameAsSpark(
        "select bit_xor(xxhash64(g, t, v, text, pad, m, l, c)) from (%s)"
            .formatted(sql(wide, "partition by g order by t")));
  }

  /** One series has nine rows of ten, and each of the others has one. */
  @ParameterizedTest
  @MethodSource("memories")
  void runningWindowsOfOneLargeSeriesAndManySmallOnes(List<String> settings) {
    start(settings);
    spark.conf().set("spark.sql.shuffle.partitions", 2);
    String cells = cells(ARRIVALS.get(3), 60_000, "if(n % 10 = 7, n, -1) as g, repeat('x', 99) p");
    String sql =
        "select bit_xor(xxhash64(g, t, text, p, a, b, c, d)) from (select *, row_number() over w a,"
            + " sum(v) over w b, avg(v) over (partition by g) c, ntile(9) over w d from ("
            + cells
            + ") window w as (partition by g order by t))";
    assertThat(sameAsSpark(sql).queryExecution().toString()).contains("Stencil [row_number()");
  }

  @ParameterizedTest
  @MethodSource("memories")
  void resultsInTheOrderThatIsReported(List<String> settings) {
    start(settings);
    spark.conf().set("spark.sql.shuffle.partitions", 30);
    Dataset<Row> mine =
        query(
            true,
            cells(ARRIVALS.get(3), 15_000, "if(n % 99 = 1, null, n % 99) as g"),
            "partition by g order by t");
    // Spark drops this sort, as the rows are reported to be in order.
    List<Row> rows =
        mine.sortWithinPartitions("g", "t")
            .selectExpr("spark_partition_id()", "coalesce(g, -1L)", "t")
            .collectAsList();
    for (int i = 1; i < rows.size(); i++) {
      Row before = rows.get(i - 1);
      Row here = rows.get(i);
      int keys = Long.compare(before.getLong(1), here.getLong(1));
      boolean ascends = keys < 0 || (keys == 0 && before.getLong(2) < here.getLong(2));
      assertThat(ascends || before.getInt(0) < here.getInt(0)).isTrue();
    }
    // What needs the same rows together does not shuffle them again, nor does Spark below.
    spark.conf().set("spark.sql.adaptive.enabled", false);
    mine.createOrReplaceTempView("ordered_series");
    String plan =
        spark
            .sql("select g, max(m) from ordered_series group by g")
            .queryExecution()
            .executedPlan()
            .toString();
    assertThat(plan).contains("series from rows to ").doesNotContain("Exchange");
  }

  @ParameterizedTest
  @MethodSource("memories")
  void queriesThatStopEarly(List<String> settings) {
    start(settings);
    String cells = cells(ARRIVALS.get(3), 30_000, "n % 3 as g");
    assertThat(query(true, cells, "partition by g order by t").limit(10).collectAsList())
        .hasSize(10);
    assertThat(query(true, cells, "order by t").limit(10).collectAsList()).hasSize(10);
  }
}

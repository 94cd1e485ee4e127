/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.catalyst.plan.RowsOfAllTypes;
import io.sparkstencil.spark.catalyst.plan.WindowPlace;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import java.nio.file.Path;
import java.util.List;
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

/** Windows over one series in ranges, whose results are columns, have Spark's bits. */
@WithSpark(
    options = {
      "spark.stencil.sql.enabled=true",
      "spark.stencil.sql.files.enabled=false",
      "spark.stencil.sql.smallBytes=0"
    })
final class LoopRangesSparkTest {
  private static final int ROWS = 6_001;

  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    Sessions.compile(spark);
    spark.conf().set("spark.sql.codegen.wholeStage", "false");
    RowsOfAllTypes.stored(spark, ROWS, 12_011, folder);
  }

  private static void spread(boolean adaptive, boolean joined) {
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    spark.conf().set("spark.sql.adaptive.coalescePartitions.enabled", joined);
    spark.conf().set("spark.sql.shuffle.partitions", "5");
  }

  /** Runs a query as Spark does, and checks that all of its results were columns. */
  private static Dataset<Row> columns(String sql, WindowPlace place) {
    Dataset<Row> ours = WindowPlans.sameAsSpark(spark, sql);
    assertThat(WindowPlans.windows(WindowPlans.plan(ours), place))
        .isNotEmpty()
        .allMatch(SparkPlan::supportsColumnar)
        .extracting(each -> each.metrics().apply("columnRows").value())
        .containsOnly((long) ROWS);
    return ours;
  }

  private static String running(String functions, String order) {
    return functions
        .replaceAll("(first|last|nth_value)\\((text|bytes)(, 3)?\\)", "count(text)")
        .replace("P", "W rows between unbounded preceding and unbounded following")
        .replace("W", "order by " + order);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "t | true | false | true",
        "t desc | false | false | false",
        "d nulls last, t | true | true | false",
        "k desc, few, id | false | false | true"
      })
  void ranksAndTotalsGoOnFromRangesBefore(
      String order, boolean adaptive, boolean joined, boolean ansi) {
    spread(adaptive, joined);
    spark.conf().set("spark.sql.ansi.enabled", ansi);
    String others =
        """
        stddev(d) over (W) q0, var_pop(i) over (W rows unbounded preceding) q1, bit_xor(l) over (W) q2,
        covar_samp(d, x) over (W) q3, sum(d15) over (W) q4, avg(d18) over (W) q5, bit_and(i) over (W) q6,
        sum(d) over (W rows between unbounded preceding and unbounded following) q7
        """;
    String columns =
        running(
            CumulativeSeriesSparkTest.OF_TIES
                + ","
                + CumulativeSeriesSparkTest.OF_ROWS
                + ","
                + others,
            order);
    columns("select id, %s from cells".formatted(columns), WindowPlace.STATES);
  }

  /** Spark's buffer of a sum that may be null for overflow is 0 before the first value. */
  @Test
  void sumsThatMayOverflowAreNullBeforeTheFirstValue() {
    spread(false, false);
    columns(
        """
        select id, try_sum(w) over (order by t), try_sum(cast(w as smallint)) over (order by t rows unbounded preceding),
          try_sum(cast(w as decimal(7, 2))) over (order by t)
        from (select id, t, if(t < 5000, null, cast(id % 100 as int)) w from cells)
        """,
        WindowPlace.STATES);
  }

  /** Rows that tie are in one range, and may be more than are read at once. */
  @ParameterizedTest
  @ValueSource(strings = {"few desc nulls last", "even", "slow", "k", "f", "b, few"})
  void tiesAreTakenTogether(String order) {
    spread(order.length() % 2 == 0, false);
    columns(
        "select *, %s from cells".formatted(running(CumulativeSeriesSparkTest.OF_TIES, order)),
        WindowPlace.STATES);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "t | rows between 3 preceding and 2 following | true",
        "t desc | rows between 700 preceding and 650 preceding | false",
        "t | rows between 2460 following and 2500 following | true",
        "d nulls last, t | rows between 5 preceding and current row | false",
        "t | range between 60 preceding and 10 following | true",
        "t desc | range between 3000 preceding and 2960 preceding | false",
        "at | range between interval 30 days preceding and interval 29 days preceding | true"
      })
  void framesReachIntoRangesBeside(String order, String frame, boolean texts) {
    spread(texts, false);
    spark.conf().set("spark.sql.session.timeZone", "America/New_York");
    String window = " over (order by " + order + " " + frame + ")";
    String functions =
        (MovingLoopsSparkTest.OF_TIES + "," + MovingLoopsSparkTest.OF_ROWS).replace("W", window);
    String rows = "cells";
    if (!texts) {
      functions = functions.replace("text", "i").replace("bytes", "l");
      rows = "(select * except (text, bytes) from cells)";
    }
    columns("select *, %s from %s".formatted(functions, rows), WindowPlace.HALOS);
    spark.conf().unset("spark.sql.session.timeZone");
  }

  /** A part of a range may have rows of many units, of which few are in memory at a time. */
  @Test
  void rangesHaveManyUnits() {
    spark.conf().set("spark.sql.shuffle.partitions", "40");
    spark
        .sql(
            "select id, pmod(id * 7919, 240007) t, sin(id) v, xxhash64(id) w from range(0, 240000, 1, 2)")
        .write()
        .parquet(folder.resolve("many").toString());
    spark.read().parquet(folder.resolve("many").toString()).createOrReplaceTempView("many");
    String digest =
        "select count(*), sum(hash(*)), bit_xor(xxhash64(*)) from (select %s from many)";
    for (String windows :
        List.of(
            "t, rank() over (order by t) r, sum(v) over (order by t) s, ntile(9) over (order by t) n",
            "t, var_samp(v) over (order by t range between 40 preceding and 60 following) s")) {
      WindowPlans.sameAsSpark(spark, digest.formatted(windows));
    }
  }

  /** Rows that tie are held until the last of them has been read: many of them on disk, as rows. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"sum(id) | 0", "max(id) | 0", "row_number() | 1200000"})
  void manyRowsThatTieAreNotHeldInMemory(String function, long columnRows) {
    spread(true, false);
    String sql = "select id, even, %s over (order by even) r from tied".formatted(function);
    spark
        .range(0, 1_200_000, 1, 2)
        .selectExpr("id", "id < 0 as even")
        .createOrReplaceTempView("tied");
    Dataset<Row> ours = spark.sql(sql);
    assertThat(ours.queryExecution().toRdd().count()).isEqualTo(1_200_000);
    assertThat(WindowPlans.windows(WindowPlans.plan(ours), WindowPlace.STATES))
        .isNotEmpty()
        .extracting(each -> each.metrics().apply("columnRows").value())
        .containsOnly(columnRows);
  }

  /**
   * Beside a function that is no loop, ranges have rows of results; their frames are the same
   * loops.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "partition by k order by t | rows between 60 preceding and 3 following",
        "partition by even order by t | range between 90 preceding and 10 following",
        "partition by b order by d nulls last, id | rows between 2 following and 5 following",
        "order by t | rows between 5 preceding and 2 preceding",
        "order by t desc | range between 90 preceding and 10 following",
        "order by text desc, t | rows between 4 preceding and current row"
      })
  void framesBesideOtherFunctionsAreLoops(String order, String frame) {
    spread(true, false);
    String functions =
        (MovingLoopsSparkTest.OF_TIES + "," + MovingLoopsSparkTest.OF_ROWS + ", collect_list(id) W")
            .replace("W", " over (" + order + " " + frame + ")");
    Dataset<Row> ours =
        WindowPlans.sameAsSpark(
            spark,
            "select *, %s from (select *, array(i) as nested from cells)".formatted(functions));
    boolean isKeyed = order.startsWith("partition");
    assertThat(WindowPlans.operators(ours))
        .isNotEmpty()
        .allMatch(each -> each.supportsColumnar() == isKeyed);
  }

  /** Rows that lie in order are read where they are, whether some of them tie or not. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void rowsOfFilesInOrderAreNotShuffled(boolean ties) {
    spark.conf().set("spark.stencil.sql.files.enabled", true);
    String folderOfFiles = folder.resolve("ordered" + ties).toString();
    for (int file = 0; file < 3; file++) {
      spark
          .sql(
              "select %s as t, d, l, few from cells where id div 2001 = %d order by id"
                  .formatted(ties ? "id div 3" : "id", file))
          .coalesce(1)
          .write()
          .mode("append")
          .parquet(folderOfFiles);
    }
    spark.read().parquet(folderOfFiles).createOrReplaceTempView("ordered");
    String functions =
        ties
            ? "rank() over (order by t) r, count(l) over (order by t) c, max(few) over (order by t) m"
            : "ntile(7) over (order by t) r, sum(d) over (order by t) c, avg(l) over (order by t) m";
    Dataset<Row> ours =
        WindowPlans.sameAsSpark(spark, "select *, %s from ordered".formatted(functions));
    assertThat(WindowPlans.operators(ours))
        .hasSize(1)
        .allMatch(SparkPlan::supportsColumnar)
        .allMatch(each -> each.metrics().apply("numOutputRows").value() == ROWS)
        .allMatch(each -> each.metrics().apply("shuffledBytes").value() <= 0);
  }

  @Test
  void rowsBecomeColumns() {
    spread(true, false);
    String rows = "(select /*+ repartition(3) */ * from cells)";
    String sql = "select *, rank() over (order by k, t) r, sum(d) over (order by k, t) s from ";
    columns(sql + rows, WindowPlace.STATES);
    columns(
        "select *, stddev(d) over (order by t rows 8 preceding) r from " + rows, WindowPlace.HALOS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nth_value(bytes, 3) over (order by t) | ranges of one series hand no strings on to each other",
        "last(text) over (order by t) | ranges of one series hand no strings on to each other",
        "sum(l) over (order by t rows between current row and unbounded following) | its frames go to the last row",
        "count(d) over (order by t rows between unbounded preceding and 2 preceding) | frames with one bound",
        "lag(i) ignore nulls over (order by t) | has no frame"
      })
  void plansSayWhyResultsAreRows(String window, String reason) {
    spread(true, false);
    Dataset<Row> ours =
        WindowPlans.sameAsSpark(spark, "select id, %s as r from cells".formatted(window));
    assertThat(WindowPlans.plan(ours).toString())
        .contains(", with rows of results as ")
        .contains(reason);
  }

  /** A sum fails where Spark's does, for who asks for it or for the rows after. */
  @Test
  void sumsOverflowInTheirRange() {
    spread(false, false);
    spark.conf().set("spark.sql.ansi.enabled", true);
    String sql =
        "select id, sum(if(id = 6000, 9223372036854775807, 1)) over (order by id) s from cells";
    assertThat(spark.sql(sql + " limit 50").collectAsList()).hasSize(50);
    assertThatThrownBy(() -> spark.sql(sql).collectAsList()).hasStackTraceContaining("overflow");
  }
}

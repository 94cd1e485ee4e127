/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.WithSpark;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames between two bounds that are no stencils, over one series: Spark's bits, in many tasks. */
@WithSpark
final class BoundedWindowsSparkTest {
  /**
   * Functions whose results do not depend on the order of rows that tie. Frames take turns with
   * these lists, as their ends do not depend on what is computed between them.
   */
  private static final List<String> UNORDERED =
      List.of(
          "count(*) W, sum(i) W, min(text) W, sum(large) W, bit_xor(l) W",
          "count(i) W, sum(l) W, max(l) W, avg(large) W, bool_and(even) W",
          "count(*) W, avg(i) W, min(f) W, max(day) W, array_sort(collect_set(k) W)");

  private static final List<String> ORDERED =
      List.of(
          "count(*) W, sum(d) W, stddev(d) W, first(i) W, collect_list(k) W",
          "max(d) W, covar_pop(d, f) W, nth_value(i, 3) W, percentile(i, 0.5) W, var_samp(i) W",
          "avg(f) W, last(text) ignore nulls W, max_by(text, d) W, approx_percentile(d, 0.5) W,"
              + " min(struct(d, text)) W");

  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    Sessions.interpret(spark);
    spark.conf().set("spark.sql.session.timeZone", "America/New_York");
    spark
        .sql(
            """
            select id, pmod(id * 7919, 1009) as t, if(id % 50 = 7, null, cast(id % 13 as int)) as k,
              if(id % 9 = 0, null, hash(id)) as i, if(id % 5 = 0, null, xxhash64(id) >> 13) as l,
              if(id % 7 = 0, null, if(id % 3 = 0, -0.0D, if(id % 3 = 1, 0.0D, sin(id)))) as d,
              cast(if(id % 17 = 0, 'NaN', cos(id)) as float) as f,
              cast(id * 1.5 as decimal(28, 3)) as large, cast(id as decimal(38, 10)) as huge,
              if(id % 6 = 0, null, 'text ' || id % 300) as text, id % 2 = 0 as even,
              cast(id % 120 as tinyint) as b, cast(id % 500 * 60 as smallint) as s,
              if(id % 40 = 3, null, date_add(date'2020-01-20', cast(id % 90 as int))) as day,
              timestamp'2023-10-25 00:00:00' + make_dt_interval(0, 0, 17 * pmod(id * 401, 1009)) as at,
              timestamp'2024-01-27 00:00:00'
                + make_dt_interval(0, 0, 830 * pmod(id * 7919, 1009)) as month,
              cast(timestamp'2023-10-25 00:00:00' as timestamp_ntz)
                + make_dt_interval(0, 0, 17 * pmod(id * 11, 1009)) as plain,
              make_dt_interval(0, 0, pmod(id * 77, 1009)) as span,
              make_ym_interval(0, cast(id % 70 as int)) as months
            from range(0, 1003, 1, 3)
            """)
        .cache()
        .createOrReplaceTempView("cells");
  }

  /** Returns the query after it ran, having compared its rows with Spark's. */
  private static Dataset<Row> same(String sql) {
    return WindowPlans.sameAsSpark(spark, sql);
  }

  private static Dataset<Row> sameWithoutSpark(String sql) {
    Dataset<Row> ours = WindowPlans.sameWithoutSpark(spark, sql);
    assertThat(WindowPlans.bounded(ours)).as(WindowPlans.plan(ours).treeString()).isNotEmpty();
    return ours;
  }

  private static String select(String functions, String window, String input) {
    return "select id, %s from %s"
        .formatted(functions.replace("W", "over (" + window + ")"), input);
  }

  private static String turn(List<String> functions, String frame) {
    return functions.get(frame.length() % functions.size());
  }

  private static void spread(boolean adaptive) {
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    spark.conf().set("spark.sql.adaptive.coalescePartitions.enabled", "false");
    spark.conf().set("spark.sql.shuffle.partitions", "7");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "t | 20 preceding and current row",
        "t desc | 5 preceding and 30 following",
        "t | 400 preceding and 390 preceding",
        "t desc | 100 following and 120 following",
        "t | current row and 3 following",
        "at | interval 1 day preceding and current row",
        "at desc | interval '1 06:30' day to minute preceding and interval '0 09:00' day to minute"
            + " following",
        "at | interval 30 days preceding and interval 20 days preceding",
        "month | interval 1 month preceding and interval 1 month following",
        "month desc | interval 1 month preceding and current row",
        "plain | interval 24 hours preceding and interval 1 hour following",
        "span | interval 5 minutes preceding and interval 1 minute following",
        "huge | 12.5 preceding and 3 following"
      })
  void rangesOfKeysThatDiffer(String order, String frame) {
    spread(order.length() % 2 == 0);
    Dataset<Row> ours =
        sameWithoutSpark(
            select(turn(ORDERED, frame), "order by " + order + " range between " + frame, "cells"));
    StencilExec operator = WindowPlans.windows(WindowPlans.plan(ours), WindowPlace.HALOS).get(0);
    assertThat(operator.metrics().apply("partitions").value()).isEqualTo(7);
    assertThat(operator.metrics().apply("numOutputRows").value()).isEqualTo(1003);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "k nulls last | 1 preceding and current row",
        "k desc | 2 preceding and 1 preceding",
        "k desc nulls first | current row and current row",
        "k, even | current row and current row",
        "l | 100000000000000 preceding and 1 following",
        "b | 3 preceding and 3 following",
        "s desc | 70 preceding and 200 following",
        "d | 0.25 preceding and 0.1 following",
        "d desc nulls first | current row and 1e300 following",
        "f nulls last | 0.5 preceding and 0.5 following",
        "f desc | 0.01 preceding and current row",
        "large | 10 preceding and 3.333 following",
        "day | 3 preceding and 1 following",
        "day desc nulls last | interval 2 days preceding and interval 1 day following",
        "day | interval 1 month preceding and current row",
        "day | interval 1 month following and interval 2 months following",
        "months | interval 7 months preceding and interval 12 months following"
      })
  void rangesOfKeysThatRepeat(String order, String frame) {
    spread(order.length() % 2 == 0);
    sameWithoutSpark(
        select(turn(UNORDERED, frame), "order by " + order + " range between " + frame, "cells"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "t | 5 preceding and current row",
        "text nulls last, t desc | 3 preceding and 300 following",
        "at desc | 10 following and 12 following",
        "t | 800 preceding and 790 preceding"
      })
  void rows(String order, String frame) {
    spread(order.length() % 2 == 0);
    sameWithoutSpark(
        select(
                turn(ORDERED, frame) + ", lag(text, 3, 'none') L, lead(struct(i, d), 40) L",
                "order by " + order + " rows between " + frame,
                "cells")
            .replace(" L", " over (order by " + order + ")"));
  }

  @Test
  void rangesAndRowsInOneQuery() {
    spread(true);
    Dataset<Row> ours =
        sameWithoutSpark(
            """
            select id, stddev(d) over (order by at rows 20 preceding) s,
              count(*) over (order by at range interval 2 days preceding) c,
              sum(d) over (order by at range between interval 30 days preceding
                and interval 20 days preceding) e,
              avg(l) over (order by at rows 5 preceding) m, row_number() over (order by at) n,
              sum(d) over (order by at) r, last(text, true) over (order by at rows between 40
                preceding and 7 following) || 'x' x
            from cells
            """);
    assertThat(WindowPlans.bounded(ours)).hasSize(4);
    assertThat(WindowPlans.running(ours)).hasSize(2);
    assertThat(WindowPlans.stencils(ours)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "partition by k"})
  void equalWindowsOfOneQuery(String keys) {
    Dataset<Row> ours =
        same(
            """
            select id, lag(text) over w as before, text <> lag(text) over w as changed,
              nth_value(text, 2) over n as a, nth_value(text, 2) over n as b
            from cells
            window w as (KEYS order by t), n as (KEYS order by t rows between 2 preceding and 1 following)
            """
                .replace("KEYS", keys));
    assertThat(WindowPlans.sparks(ours)).isZero();
  }
}

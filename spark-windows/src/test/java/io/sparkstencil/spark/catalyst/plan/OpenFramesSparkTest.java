/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

/**
 * Windows without keys whose frames have one bound, functions that look for values over rows
 * without one, and windows beside some that stay with Spark: as Spark computes them, spread over
 * tasks.
 */
@WithSpark
final class OpenFramesSparkTest {
  /**
   * Results do not depend on the order of rows that tie. Frames take turns with these lists, as
   * their ends do not depend on what is computed between them.
   */
  private static final List<String> UNORDERED =
      List.of(
          "count(*) W, sum(i) W, sum(small) W, max(text) W, sum(i) W + 1",
          "count(i, l) W, sum(l) W, avg(small) W, min(i) W, max(day) W");

  private static final List<String> ORDERED =
      List.of(
          "count(*) W, sum(l) W, min(d) W, first(i) W, last(text) ignore nulls W",
          "sum(i) W, avg(small) W, max(d) W, first(text) ignore nulls W, min(i) W",
          "count(i, l) W, sum(small) W, max(text) W, max(day) W, last(d) W, bool_or(i > 0) W");

  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    spark.conf().set("spark.sql.codegen.wholeStage", "false"); // compiling takes longer
    spark.conf().set("spark.sql.adaptive.coalescePartitions.enabled", "false");
    spark.conf().set("spark.sql.shuffle.partitions", "7");
    spark.conf().set("spark.sql.session.timeZone", "America/New_York");
    spark
        .sql(
            """
            select id, pmod(id * 7919, 1009) as t, if(id % 50 = 7, null, cast(id % 13 as int)) as k,
              if(id % 9 = 0, null, hash(id)) as i, if(id % 5 = 0, null, xxhash64(id) >> 13) as l,
              if(id % 7 = 0, null, if(id % 3 = 0, -0.0D, if(id % 3 = 1, 0.0D, sin(id)))) as d,
              cast(id % 1000 as decimal(17, 2)) as small, cast(id as decimal(38, 2)) as huge,
              if(id % 6 = 0, null, 'text ' || id % 300) as text,
              if(id % 40 = 3, null, date_add(date'2020-01-20', cast(id % 90 as int))) as day,
              timestamp'2023-10-25 00:00:00' + make_dt_interval(0, 0, 17 * pmod(id * 401, 1009)) as at,
              timestamp'2024-01-27 00:00:00'
                + make_dt_interval(0, 0, 83 * pmod(id * 7919, 1009)) as month,
              if(pmod(id * 7919, 1009) in (3, 411, 412, 1000), id, null) as rare,
              cast(null as double) as never
            from range(0, 1003, 1, 3)
            """)
        .cache()
        .createOrReplaceTempView("cells");
  }

  private static Dataset<Row> sameWithoutSpark(String sql) {
    Dataset<Row> ours = WindowPlans.sameAsSpark(spark, sql);
    String plan = WindowPlans.plan(ours).treeString();
    assertThat(WindowPlans.sparks(ours)).as(plan).isZero();
    assertThat(WindowPlans.bounded(ours)).as(plan).isNotEmpty();
    return ours;
  }

  private static String select(String functions, String window) {
    return "select id, %s from cells".formatted(functions.replace("W", "over (" + window + ")"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "t | rows between unbounded preceding and 5 following | 0",
        "text nulls last, t desc | rows between unbounded preceding and 300 following | 1",
        "at desc | rows between unbounded preceding and 3 preceding | 2",
        "t | rows between unbounded preceding and 400 preceding | 1",
        "t | rows between 5 preceding and unbounded following | 0",
        "at | rows between 300 preceding and unbounded following | 1",
        "t desc | rows between 3 following and unbounded following | 2",
        "t | rows between 999 following and unbounded following | 0",
        "t | range between unbounded preceding and 20 following | 2",
        "t desc | range between 150 preceding and unbounded following | 0",
      })
  void framesWithOneBound(String order, String frame, int turn) {
    spark.conf().set("spark.sql.adaptive.enabled", order.length() % 2 == 0);
    sameWithoutSpark(select(ORDERED.get(turn), "order by " + order + " " + frame));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "k | unbounded preceding and 2 preceding | 0",
        "k desc | 2 preceding and unbounded following | 1",
        "k nulls last | 100 following and unbounded following | 0",
        "d desc nulls last | unbounded preceding and 0.25 following | 1",
        "huge | 10 preceding and unbounded following | 0",
        "day desc nulls last | unbounded preceding and interval 2 days following | 1",
        "day | interval 1 month following and unbounded following | 0",
        // Clocks are set back, and months have 29 to 31 days.
        "at | unbounded preceding and interval 1 day following | 0",
        "at desc | interval '1 02:00' day to minute following and unbounded following | 1",
        "month | unbounded preceding and interval 1 month preceding | 1",
        "month | interval 1 month following and unbounded following | 0"
      })
  void oneBoundOfKeys(String order, String frame, int turn) {
    spark.conf().set("spark.sql.adaptive.enabled", order.length() % 2 == 0);
    String window = "order by " + order + " range between " + frame;
    sameWithoutSpark(select(UNORDERED.get(turn), window));
  }

  /** Spark adds to decimals without asking for how many digits their type has room. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "few | unbounded preceding and 9500 following",
        "few | 9500 following and unbounded following",
        "few desc | unbounded preceding and 9950 preceding",
        "few desc nulls first | 9500 preceding and unbounded following",
        "few nulls last | unbounded preceding and 9500 following"
      })
  void boundsOfDecimalsBeyondTheirDigits(String order, String frame) {
    spark
        .sql("select *, cast(if(k is null, null, t) as decimal(4, 0)) as few from cells")
        .createOrReplaceTempView("few_digits");
    sameWithoutSpark(
        "select id, count(*) over w a, sum(l) over w b, min(i) over w c from few_digits window w as (order by %s range between %s)"
            .formatted(order, frame));
  }

  @Test
  void boundsBesideOthersOfOneQuery() {
    Dataset<Row> ours =
        sameWithoutSpark(
            """
            select id, sum(l) over (order by t rows between unbounded preceding and 9 following) a,
              max(d) over (order by t rows between 30 following and unbounded following) b,
              count(i) over (order by t range between unbounded preceding and 200 preceding) c,
              stddev(d) over (order by t rows 20 preceding) d,
              sum(d) over (order by t range between 300 preceding and 290 preceding) e,
              lag(rare, 2) ignore nulls over (order by t) f, lead(text) over (order by t) g,
              sum(d) over (order by t) h, avg(l) over (order by t rows 5 preceding) i
            from cells
            """);
    assertThat(WindowPlans.bounded(ours)).hasSize(7);
    assertThat(WindowPlans.running(ours)).hasSize(1);
    assertThat(WindowPlans.stencils(ours)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"t", "t desc", "text nulls last, t"})
  void valuesHoweverFarAway(String order) {
    Dataset<Row> ours =
        sameWithoutSpark(
            select(
                "lag(rare) ignore nulls W, lag(rare, 3, -id) ignore nulls W,"
                    + " lead(rare, 2) ignore nulls W, lead(rare, 5, 0L) ignore nulls W,"
                    + " lag(never) ignore nulls W, lead(never, 1, d) ignore nulls W,"
                    + " lag(text, 40) ignore nulls W, lead(struct(d, i), -2) ignore nulls W,"
                    + " lag(rare, 0) ignore nulls W",
                "order by " + order));
    assertThat(WindowPlans.bounded(ours)).hasSize(9);
  }

  @Test
  void valuesOfKnownPartitions() {
    sameWithoutSpark(
        """
        select id, lag(rare) ignore nulls over (order by t) a,
          first(text, true) over (order by t rows between 7 following and unbounded following) b,
          sum(l) over (order by t range between unbounded preceding and 50 preceding) c
        from (select * from cells order by t)
        """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rows between unbounded preceding and 2 preceding | 0, 1, 2, 3, 9000",
        "rows between unbounded preceding and 2 following | 0, 1, 2, 9223372036854775807, 9",
        "range between 20 following and unbounded following | 9223372036854775807, 9, 8, 1, 2",
        "range between 5 following and unbounded following | 0, 9223372036854775807, 9, -9, -9",
        "rows between unbounded preceding and 1 preceding | 9223372036854775807, 9, -9, 1, 3"
      })
  void sumsOverflowWhereSparksDo(String frame, String values) {
    spark.conf().set("spark.sql.ansi.enabled", "true");
    String sql =
        "select id, sum(v) over (order by id %s) s from (select id, element_at(array(%s), cast(id / 10 as int) + 1) v from range(0, 50, 10, 3))"
            .formatted(frame, values);
    spark.conf().set("spark.stencil.sql.enabled", "false");
    try {
      spark.sql(sql).collectAsList();
    } catch (RuntimeException failure) {
      spark.conf().set("spark.stencil.sql.enabled", "true");
      assertThatThrownBy(() -> spark.sql(sql).collectAsList())
          .hasMessageContaining("ARITHMETIC_OVERFLOW");
      return;
    }
    sameWithoutSpark(sql);
  }

  @Test
  void whatPartsCannotBeJoinedOfStaysWithSpark() {
    String frame = " over (order by t rows between unbounded preceding and 3 following)";
    Dataset<Row> ours =
        WindowPlans.sameAsSpark(
            spark, "select id, sum(d) W, stddev(i) W from cells".replace("W", frame));
    assertThat(WindowPlans.sparks(ours)).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"order by t", "order by k, t"})
  void whatIsDearIsNotLeftToSparkBesideAnother(String order) {
    Dataset<Row> ours =
        WindowPlans.sameAsSpark(
            spark,
            """
            select id, percentile(d, 0.5) over (ORDER rows unbounded preceding) a,
              sum(i) over (ORDER rows unbounded preceding) b,
              sum(l) over (ORDER rows between 3 following and unbounded following) c,
              count(d) over (ORDER range between current row and unbounded following) d,
              avg(l) over (ORDER rows 5 preceding) e, first(i) over (ORDER rows 2 preceding) f
            from cells
            """
                .replace("ORDER", order));
    assertThat(WindowPlans.sparks(ours)).isEqualTo(3);
    assertThat(WindowPlans.bounded(ours)).hasSize(1);
    assertThat(WindowPlans.running(ours)).hasSize(1);
    assertThat(WindowPlans.stencils(ours)).hasSize(1);
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.WithSpark;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bounded windows where keys, clocks, types and inputs end. */
@WithSpark
final class BoundedEdgesSparkTest {
  private static final String ENABLED = "spark.stencil.sql.enabled";
  private static final int RANGES = 16;

  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    Sessions.interpret(spark);
  }

  /** Returns the query after it ran, having compared its rows with Spark's. */
  private static Dataset<Row> same(String sql) {
    spark.conf().set("spark.sql.shuffle.partitions", RANGES);
    spark.conf().set("spark.sql.adaptive.coalescePartitions.enabled", "false");
    return WindowPlans.sameAsSpark(spark, sql);
  }

  private static long metric(Dataset<Row> query, String name) {
    return WindowPlans.windows(WindowPlans.plan(query), WindowPlace.HALOS)
        .get(0)
        .metrics()
        .apply(name)
        .value();
  }

  private static String condition(String sql, boolean enabled) {
    spark.conf().set(ENABLED, enabled);
    String[] condition = new String[1];
    assertThatThrownBy(() -> spark.sql(sql).collectAsList())
        .isInstanceOfSatisfying(
            SparkThrowable.class, thrown -> condition[0] = thrown.getCondition());
    return condition[0];
  }

  /** Clocks that are set forward, set back, and lose a day; months that lack days. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "America/New_York | 2023-11-03 23:00:00 | NIGHTS | 1 day | at",
        "America/New_York | 2023-11-03 23:00:00 | NIGHTS | 1 day | at desc",
        "America/New_York | 2023-03-10 23:00:00 | NIGHTS | 1 day | at desc",
        "Pacific/Apia | 2011-12-28 12:00:00 | i * 13 | 1 day | at",
        "America/New_York | 2023-02-20 20:00:00 | i * 130 | 1 month | at",
        "Europe/Berlin | 2024-01-20 20:00:00 | i * 130 | 1 month | at desc"
      })
  void clocksAndCalendars(String zone, String from, String minutes, String step, String order) {
    spark.conf().set("spark.sql.session.timeZone", zone);
    Dataset<Row> ours =
        same(
            """
            select at, collect_list(id) over (order by ORDER range between interval STEP preceding
                and current row) a, count(*) over (order by ORDER range between interval STEP
                preceding and interval STEP following) b,
              min(id) over (order by ORDER range between interval STEP following and interval
                STEP following) c
            from (select timestamp'FROM' + make_dt_interval(0, 0, MINUTES) at, id
              from (select id, pmod(id * 401, 509) i from range(0, 509, 1, 2)))
            """
                .replace("MINUTES", minutes.replace("NIGHTS", "i % 3 * 1440 + i div 3 * 2"))
                .replace("ORDER", order)
                .replace("STEP", step)
                .replace("FROM", from));
    assertThat(WindowPlans.bounded(ours)).hasSize(3);
    assertThat(metric(ours, "partitions")).isEqualTo(RANGES);
  }

  private static final String NEAR_THE_ENDS =
      """
      (select id, cast(if(id < 40, 2147483647 - 7 * id, if(id < 80, -2147483411 - 3 * id,
        id * 1000)) as int) v from range(0, 200, 1, 2))
      """;

  @Test
  void boundsThatWrapAreSparks() {
    spark.conf().set("spark.sql.ansi.enabled", "false");
    Dataset<Row> ours =
        same(
            """
            select id, count(*) over (order by v range between 10 preceding and 3000 following),
              collect_list(id) over (order by v range between 7 preceding and 3 preceding),
              sum(id) over (order by v range between current row and 20 following)
            from
            """
                + NEAR_THE_ENDS);
    assertThat(WindowPlans.bounded(ours)).hasSize(3);
    assertThat(metric(ours, "partitions")).isOne();
  }

  @ParameterizedTest
  @ValueSource(strings = {"10 preceding and current row", "current row and 10 following"})
  void boundsFailWhereSparksDo(String frame) {
    spark.conf().set("spark.sql.ansi.enabled", "true");
    String sql =
        "select id, count(*) over (order by v range between FRAME) from ".replace("FRAME", frame)
            + NEAR_THE_ENDS;
    assertThat(condition(sql, true)).isEqualTo(condition(sql, false)).contains("OVERFLOW");
  }

  /** Once all rows are in a frame, Spark does not look where the next frame ends. */
  @Test
  void boundsThatSparkDoesNotLookAtDoNotFail() {
    spark.conf().set("spark.sql.ansi.enabled", "true");
    Dataset<Row> ours =
        same(
            """
            select v, count(*) over (order by v range between current row and 50 following) n
            from (select if(id < 99, cast(id as int), 2147483647 - cast((id - 99) * 50 as int)) v
              from range(0, 101, 1, 2))
            """);
    assertThat(metric(ours, "partitions")).isOne();
  }

  @Test
  void sumsInFramesFailWhereSparksDo() {
    spark.conf().set("spark.sql.ansi.enabled", "true");
    String sql =
        """
        select id, sum(v) over (order by id range between 3 preceding and current row)
        from (select id, if(id > 70, 4000000000000000000L, 1) v from range(0, 100, 1, 2))
        """;
    assertThat(condition(sql, true)).isEqualTo(condition(sql, false)).contains("OVERFLOW");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(select id, id as t from range(0))",
        "(select id, id as t from range(1))",
        "(select id, id as t from range(0, 3, 1, 2))",
        "(select id, if(id < 0, id, null) as t from range(0, 50, 1, 2))",
        "(select id, if(id % 4 = 0, null, if(id % 3 = 0, id, 7)) as t from range(0, 900, 1, 2))",
        "(select id, id as t from range(0, 900, 1, 3))",
        "(select id, -id as t from range(0, 900, 1, 2) order by t)",
        "(select id, -id as t from range(0, 900, 1, 2) order by t limit 300)",
        "(select /*+ repartition_by_range(5, t) */ id, -id as t from range(0, 900, 1, 2))",
        "(select id, sum(t) over (order by t range between 2 preceding and 5 following) as t from"
            + " (select id, -id as t from range(0, 900, 1, 2)))"
      })
  void inputs(String input) {
    Dataset<Row> ours =
        same(
            """
            select id, count(*) over (order by t range between 40 preceding and 2 following),
              sum(id) over (order by t range between 300 preceding and 250 preceding),
              max(cast(id as string)) over (order by t desc range between 3 preceding and 9
                following)
            from
            """
                + input);
    assertThat(WindowPlans.sparks(ours)).isLessThanOrEqualTo(input.contains("limit") ? 3 : 0);
  }

  /** Many rows of one key, which are in the frames of rows of other ranges. */
  @Test
  void oneKeyMayHaveMostRows() {
    spark.conf().set("spark.sql.windowExec.buffer.in.memory.threshold", "100");
    Dataset<Row> ours =
        same(
            """
            select id, count(*) W, sum(id) W, min(cast(id as string)) W
            from (select id, if(id % 5 > 0, 2000, id) k from range(0, 5000, 1, 3))
            """
                .replace("W", "over (order by k range between 30 preceding and 7 following)"));
    assertThat(WindowPlans.bounded(ours)).hasSize(3);
    assertThat(metric(ours, "haloRows")).isBetween(1L, 40_000L);
  }

  /** One operator has looked at keys in the shuffle, the other needs numbers of rows alone. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void framesByKeysAndByRowsShareAShuffle(boolean keysFirst) {
    String keys = "select id, count(*) over (order by t range 30 preceding) n from cells";
    String rows =
        "select id, size(collect_list(id) over (order by t rows 3 preceding)) n from cells";
    spark.range(900).selectExpr("id", "id * 7 % 901 t").createOrReplaceTempView("cells");
    Dataset<Row> ours = same(keysFirst ? keys + " union all " + rows : rows + " union all " + keys);
    assertThat(WindowPlans.bounded(ours)).hasSize(2);
    assertThat(
            WindowPlans.windows(WindowPlans.plan(ours), WindowPlace.HALOS).stream()
                .filter(each -> each.metrics().apply("shuffledBytes").value() > 0))
        .hasSize(1);
  }

  /** Stencils, running and bounded windows of one order see rows that tie in one order. */
  @Test
  void rowsThatTieAreInOneOrder() {
    spark.conf().set("spark.sql.shuffle.partitions", RANGES);
    spark.conf().set("spark.sql.adaptive.coalescePartitions.enabled", "false");
    spark.conf().set(ENABLED, "true");
    Dataset<Row> ours =
        spark.sql(
            """
            select id, sum(id) over w s, collect_list(v) over w l, array_agg(id) over w a,
              last(id) over (order by k rows unbounded preceding) r,
              count(*) over (order by k) c
            from (select id, id % 40 k, pmod(id * 77, 11) v from range(0, 2000, 1, 3))
            window w as (order by k rows 3 preceding)
            """);
    ours.createOrReplaceTempView("ties");
    assertThat(
            spark
                .sql(
                    "select * from ties where s <> aggregate(a, 0L, (x, y) -> x + y)"
                        + " or r <> element_at(a, -1) or id <> r")
                .collectAsList())
        .isEmpty();
    ours.collectAsList();
    assertThat(WindowPlans.sparks(ours)).isZero();
    assertThat(WindowPlans.stencils(ours)).hasSize(1);
    assertThat(WindowPlans.running(ours)).hasSize(2);
    assertThat(WindowPlans.bounded(ours)).hasSize(2);
  }

  @Test
  void windowsStayWithSparkIfWanted() {
    spark.conf().set("spark.stencil.sql.bounded.enabled", "false");
    Dataset<Row> ours =
        same(
            "select id, stddev(id) over (order by id rows 3 preceding), count(*) over (order by id"
                + " range 3 preceding) from range(100)");
    assertThat(WindowPlans.sparks(ours)).isEqualTo(2);
  }
}

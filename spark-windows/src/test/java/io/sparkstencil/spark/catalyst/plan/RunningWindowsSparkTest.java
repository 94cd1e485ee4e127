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
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks and frames without bounds over one series: Spark's bits, in more than one task. */
@WithSpark
final class RunningWindowsSparkTest {
  private static final String ENABLED = "spark.stencil.sql.enabled";

  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    Sessions.interpret(spark);
    spark
        .sql(
            """
            select id, pmod(id * 7919, 3011) as t, if(id % 50 = 7, null, cast(id % 13 as int)) as k,
              cast(id % 101 as tinyint) as b, cast(hash(id) % 30000 as smallint) as s,
              if(id % 9 = 0, null, hash(id)) as i, if(id % 5 = 0, null, xxhash64(id) >> 13) as l,
              if(id % 7 = 0, null, if(id % 3 = 0, -0.0D, if(id % 3 = 1, 0.0D, sin(id)))) as d,
              cast(if(id % 17 = 0, 'NaN', cos(id)) as float) as f,
              cast(id % 1000 as decimal(7, 2)) as small, cast(id as decimal(28, 3)) as large,
              if(id % 6 = 0, null, 'text ' || id % 300) as text, id % 2 = 0 as even,
              date_add(date'2020-01-01', cast(id % 900 as int)) as day
            from range(0, 2003, 1, 3)
            """)
        .createOrReplaceTempView("cells");
  }

  /** Returns the query after it ran, having compared its rows with Spark's. */
  private static Dataset<Row> same(String sql) {
    return WindowPlans.sameAsSpark(spark, sql);
  }

  private static Dataset<Row> sameWithoutSpark(String sql) {
    return WindowPlans.sameWithoutSpark(spark, sql);
  }

  private static final String FEWER = "(select * from cells where id % 11 < 4)";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(select * from cells where id < 0)",
        "(select * from cells where id = 5)",
        "(select * from cells where id < 3)",
        "(select * from cells order by t)",
        "(select * from cells order by t limit 100)",
        "(select /*+ repartition_by_range(5, t) */ * from cells)",
        "(select *, sum(i) over (order by t) as before from cells)"
      })
  void inputs(String input) {
    spark.conf().set("spark.sql.shuffle.partitions", "9");
    same(
        """
        select id, row_number() W, rank() W, dense_rank() W, percent_rank() W, cume_dist() W,
          ntile(7) W, count(*) W, sum(l) W, min(f) W, first(text) W, last(i) W, sum(d) W
        from INPUT
        """
            .replace("INPUT", input)
            .replace("W", "over (order by t)"));
  }

  /**
   * Carries read few columns of such a table, but rows that tie must be in the same order there.
   */
  @Test
  void sortedTablesThatAreCached() {
    spark.conf().set("spark.sql.shuffle.partitions", "9");
    Dataset<Row> kept = spark.sql("select * from cells order by t").cache();
    try {
      kept.createOrReplaceTempView("kept");
      same(
          """
          select id, sum(d) over (order by t) as total,
            first(text) over (order by t rows unbounded preceding) as word,
            sum(i) over (order by t rows unbounded preceding) as whole
          from kept
          """);
    } finally {
      kept.unpersist(true);
    }
  }

  @Test
  void oneGroupOfTiesMayNotFitInMemory() {
    spark.conf().set("spark.sql.windowExec.buffer.in.memory.threshold", "100");
    sameWithoutSpark(
        "select id, count(*) over (order by even), sum(l) over (order by even) from cells");
  }

  @Test
  void mixturesAreDivided() {
    Dataset<Row> ours =
        sameWithoutSpark(
            """
            select id, row_number() over (order by t) as n, sum(i) over (order by t) as s,
              avg(d) over (order by t rows 3 preceding) as m,
              sum(l) over (order by t rows unbounded preceding) / 2 as h
            from cells
            """);
    assertThat(WindowPlans.running(ours)).hasSize(3);
    assertThat(WindowPlans.stencils(ours)).hasSize(1);
    Dataset<Row> mixed =
        same(
            "select id, row_number() over (order by t) as n, collect_list(k) over (order by t) as"
                + " s, sum(i) over (order by t rows 3 preceding) as m from cells");
    assertThat(WindowPlans.running(mixed)).isEmpty();
    assertThat(WindowPlans.sparks(mixed)).isEqualTo(2);
    assertThat(WindowPlans.stencils(mixed)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void sumsOverflowAsInSpark(boolean ansi) {
    spark.conf().set("spark.sql.ansi.enabled", ansi);
    String rows = "(select id, if(id < 30, VALUE, if(id < 50, -VALUE, 7)) as v from range(0, 90))";
    String fits = rows.replace("VALUE", "300000000000000000L");
    Dataset<Row> ours = sameWithoutSpark("select id, sum(v) over (order by id) as s from " + fits);
    assertThat(WindowPlans.running(ours)).hasSize(1);
    String overflows =
        "select id, sum(v) over (order by id) as s from "
            + rows.replace("VALUE", "400000000000000000L");
    overflowsAsInSpark(overflows, ansi);
  }

  private static void overflowsAsInSpark(String sql, boolean ansi) {
    if (!ansi) {
      sameWithoutSpark(sql);
      return;
    }
    for (boolean enabled : new boolean[] {false, true}) {
      spark.conf().set(ENABLED, enabled);
      assertThatThrownBy(() -> spark.sql(sql).collectAsList())
          .isInstanceOfSatisfying(
              SparkThrowable.class,
              thrown -> assertThat(thrown.getCondition()).isEqualTo("ARITHMETIC_OVERFLOW"));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void sumsOfTheRestOverflowAsInSpark(boolean ansi) {
    spark.conf().set("spark.sql.ansi.enabled", ansi);
    String sums =
        """
        select id, sum(v) over (order by id rows between current row and unbounded following) as s,
          sum(v) over (order by id div 9 range between current row and unbounded following) as r
        from (select id, if(id < 30, VALUE, if(id < 60, -VALUE, null)) as v from range(0, 90))
        """;
    sameWithoutSpark(sums.replace("VALUE", "300000000000000000L"));
    String overflows = sums.replace("VALUE", "400000000000000000L");
    overflowsAsInSpark(overflows, ansi);
  }

  /** Rows reach the ranges in another order than that of the windows. */
  @Test
  void sumsOfTheRestGoThroughRowsInOrder() {
    spark.conf().set("spark.sql.adaptive.enabled", "false");
    String rest = "sum(v) over (order by t rows between current row and unbounded following) as s";
    spark
        .sql(
            """
            select if(id < 1000, id * 2, (id - 1000) * 2 + 1) as t,
              if(id < 1000, 9223372036854775807L, -9223372036854775807L) as v
            from range(0, 2000, 1, 3)
            """)
        .createOrReplaceTempView("opposites");
    sameWithoutSpark("select t, " + rest + " from opposites");
    spark
        .sql(
            """
            select 3999 - id as t, case 3999 - id when 1 then 9223372036854775807L when 3600 then 1L
              when 3601 then -1L else 0L end as v
            from range(0, 4000, 1, 3)
            """)
        .createOrReplaceTempView("backward");
    assertThatThrownBy(() -> spark.sql("select t, " + rest + " from backward").collectAsList())
        .isInstanceOfSatisfying(
            SparkThrowable.class,
            thrown -> assertThat(thrown.getCondition()).isEqualTo("ARITHMETIC_OVERFLOW"));
  }

  /**
   * Only the frames that there are may overflow: not of the later of rows that tie, or left out.
   */
  @ParameterizedTest
  @ValueSource(strings = {"", "partition by k"})
  void framesThatAreNotWantedDoNotOverflow(String keys) {
    String rest = "sum(v) over (%s order by t %s between current row and unbounded following)";
    sameWithoutSpark(
        "select k, t, "
            + rest.formatted(keys, "range")
            + " from values (1, 0, -5L), (1, 0, 9223372036854775807L), (1, 1, 3L) as x(k, t, v)");
    sameWithoutSpark(
        "select t, "
            + rest.formatted(keys, "rows")
            + " from values (1, 0, -10L), (1, 1, 9223372036854775807L), (1, 2, 5L) as x(k, t, v)"
            + " limit 1");
  }

  @Test
  void whatPartsCannotBeJoinedOfStaysWithSpark() {
    String rest = " over (order by t rows between current row and unbounded following)";
    Dataset<Row> ours =
        same("select id, sum(d) W, avg(i) W from FEWER".replace("FEWER", FEWER).replace("W", rest));
    assertThat(WindowPlans.sparks(ours)).isEqualTo(2);
  }

  @Test
  void rowsAreSpreadOverTasks() {
    spark.conf().set("spark.sql.adaptive.coalescePartitions.enabled", "false");
    try {
      Dataset<Row> spread =
          sameWithoutSpark("select id, row_number() over (order by t) as n from cells");
      StencilExec operator =
          WindowPlans.windows(WindowPlans.plan(spread), WindowPlace.STATES).get(0);
      assertThat(operator.metrics().apply("partitions").value()).isEqualTo(4);
      assertThat(operator.metrics().apply("numOutputRows").value()).isEqualTo(2003);
    } finally {
      spark.conf().unset("spark.sql.adaptive.coalescePartitions.enabled");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "with w as (select id, row_number() over (order by t) n from cells) select a.id, b.id from"
            + " w a join w b on a.n = b.n + 1",
        "select a.id from cells a where exists (select 1 from (select id, rank() over (order by t)"
            + " r from cells) b where b.r = a.id + 7)",
        "select id, (select max(r) from (select dense_rank() over (order by k) r from cells)) from"
            + " cells where id in (select row_number() over (order by t) from cells where k = 3)",
        "select id, rank() over (order by k), cume_dist() over (order by k), sum(i) over (order by"
            + " k, id rows 2 preceding), max(s) over (order by k rows between current row and"
            + " current row) from cells",
        "select k, n, sum(n) over (order by n) from (select k, count(*) n from cells group by k)",
        "select distinct ntile(4) over (order by t) from cells union all select rank() over (order"
            + " by t desc) from cells where id < 9",
        "select * from (select id, sum(l) over (order by t) s, lag(id) over (order by t) p from"
            + " cells) where s > 0 order by id limit 30",
        "select id, avg(s) over (order by t rows 2 preceding), first(s) over (order by t) from"
            + " (select id, t, sum(i) over (order by t) s from cells)",
        "select id, b.n from cells, lateral (select count(*) over (order by x) n from (values (1),"
            + " (2)) v(x) where x <= cells.id) b where id < 20"
      })
  void queries(String sql) {
    spark
        .conf()
        .set("spark.sql.adaptive.enabled", sql.length() % 2 == 0); // some with, some without
    same(sql);
  }

  @Test
  void resultsCanBeCachedAndReadOn() {
    same("select * from cells"); // takes over from here on
    spark.sql(
        "cache table numbered as select *, row_number() over (order by t) n, sum(d) over (order by"
            + " t) c from cells");
    Dataset<Row> ours =
        same(
            "select id, n, c, rank() over (order by t) r, avg(c) over (order by t rows 9 preceding)"
                + " m from numbered");
    assertThat(WindowPlans.windows(WindowPlans.plan(ours), WindowPlace.STATES)).hasSize(2);
    spark.sql("uncache table numbered");
  }

  @ParameterizedTest
  @ValueSource(strings = {"n <= 5", "n = 1", "n <= 1500"})
  void limitsOfRanks(String filter) {
    same(
        "select * from (select id, k, row_number() over (order by t) as n from cells) where FILTER"
            .replace("FILTER", filter));
    same(
        "select * from (select id, k, rank() over (order by k) as r from cells) where FILTER"
            .replace("FILTER", filter.replace("n", "r")));
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.catalyst.plan.RowsOfAllTypes;
import io.sparkstencil.spark.catalyst.plan.StencilExec;
import io.sparkstencil.spark.catalyst.plan.WindowPlace;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ranks and frames without bounds over series given by keys: Spark's bits, without Spark's sort.
 */
@WithSpark
final class RunningSeriesSparkTest {
  private static final String ENABLED = "spark.stencil.sql.enabled";

  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    spark
        .conf()
        .set("spark.sql.codegen.wholeStage", "false"); // compiling takes longer than running
    RowsOfAllTypes.view(spark, 2003, 3011);
  }

  /** Returns the query after it ran, having compared its rows with Spark's. */
  private static Dataset<Row> same(String sql) {
    return WindowPlans.sameAsSpark(spark, sql);
  }

  private static Dataset<Row> sameWithoutSpark(String sql) {
    Dataset<Row> ours = WindowPlans.sameWithoutSpark(spark, sql);
    assertThat(WindowPlans.series(ours)).isNotEmpty();
    return ours;
  }

  @ParameterizedTest
  @ValueSource(strings = {"k, name", "even"})
  void aggregatesWithoutAnOrder(String keys) {
    sameWithoutSpark(
        """
        select id, sum(b) W, sum(l) W, sum(cast(l as decimal(38, 3))) W, avg(m) W, count(*) W, count(i, text) W,
          min(i) W, max(text) W, bit_xor(l) W, sum(i) W / count(i) W
        from cells
        """
            .replace("W", "over (partition by " + keys + ")"));
  }

  /** Frames of every extent in one node, of which one is a division by another. */
  @ParameterizedTest
  @ValueSource(ints = {100, 5})
  void framesOfAllExtentsShareASeries(int rowsInMemory) {
    spark.conf().set("spark.sql.windowExec.buffer.in.memory.threshold", rowsInMemory);
    Dataset<Row> ours =
        sameWithoutSpark(
            """
            select id, l / sum(i) over (W rows between unbounded preceding and unbounded following),
              row_number() over (W), count(*) over (W), ntile(3) over (W), last(l) over (W),
              cume_dist() over (W), first(text) ignore nulls over (W rows unbounded preceding),
              first(text) over (W range between current row and unbounded following),
              last(i) over (W rows between current row and unbounded following),
              skewness(d) over (W), skewness(d) over (W rows between 2 preceding and 1 following)
            from cells
            """
                .replace("W", "partition by KEYS order by k")
                .replace("KEYS", rowsInMemory == 5 ? "collate(name, 'UTF8_LCASE')" : "name"));
    assertThat(WindowPlans.series(ours)).hasSize(11);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void sumsOverflowAsInSpark(boolean ansi) {
    spark.conf().set("spark.sql.ansi.enabled", ansi);
    String overflows =
        "select id, sum(v) over (partition by id % 2 order by id) as s from (select id, if(id < 30,"
            + " VALUE, if(id < 50, -VALUE, 7)) as v from range(0, 90))";
    sameWithoutSpark(overflows.replace("VALUE", "300000000000000000L"));
    String far = overflows.replace("VALUE", "900000000000000000L");
    if (!ansi) {
      sameWithoutSpark(far);
      return;
    }
    for (boolean enabled : new boolean[] {false, true}) {
      spark.conf().set(ENABLED, enabled);
      assertThatThrownBy(() -> spark.sql(far).collectAsList())
          .isInstanceOfSatisfying(
              SparkThrowable.class,
              thrown -> assertThat(thrown.getCondition()).isEqualTo("ARITHMETIC_OVERFLOW"));
    }
  }

  private static final String RANK_AND_STENCIL =
      """
      select id, k, row_number() over (partition by k order by t) as n,
        avg(d) over (partition by k order by t rows 3 preceding) as m,
        sum(l) over (partition by k order by t rows unbounded preceding) / 2 as h
      from cells
      """;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRankAndAStencilShareAShuffle(boolean adaptive) {
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    Dataset<Row> ours = sameWithoutSpark(RANK_AND_STENCIL);
    assertThat(WindowPlans.series(ours)).hasSize(2);
    assertThat(WindowPlans.stencils(ours)).hasSize(1);
    // The lower operator shuffles by itself, and the upper one takes its rows as they are.
    assertThat(exchanges(ours)).isZero();
    assertThat(WindowPlans.find(WindowPlans.plan(ours), SortExec.class)).isEmpty();
  }

  @Test
  void whatNeedsTheSameRowsTogetherDoesNotShuffleAgain() {
    Dataset<Row> grouped =
        sameWithoutSpark("select k, max(m), sum(n) from (" + RANK_AND_STENCIL + ") group by k");
    assertThat(exchanges(grouped)).isZero();
  }

  private static int exchanges(Dataset<Row> query) {
    return WindowPlans.find(WindowPlans.plan(query), ShuffleExchangeExec.class).size();
  }

  @Test
  void whatSparkMustComputeTakesTheRest() {
    spark.conf().set("spark.stencil.sql.bounded.enabled", "false");
    Dataset<Row> mixed =
        same(
            "select id, row_number() over W as n, count(k) over (partition by k order by t range 1"
                + " preceding) as s, sum(i) over (partition by k order by t rows 3 preceding) as m"
                + " from cells window W as (partition by k order by t)");
    assertThat(WindowPlans.series(mixed)).isEmpty();
    assertThat(WindowPlans.sparks(mixed)).isEqualTo(2);
    assertThat(WindowPlans.stencils(mixed)).hasSize(1);
    spark.conf().unset("spark.stencil.sql.bounded.enabled");
    spark.conf().set("spark.stencil.sql.running.enabled", "false");
    Dataset<Row> off = same("select id, rank() over (partition by k order by t) from cells");
    assertThat(WindowPlans.sparks(off)).isEqualTo(1);
  }

  @Test
  void tasksHaveWholeSeries() {
    spark.conf().set("spark.sql.adaptive.coalescePartitions.enabled", "false");
    try {
      Dataset<Row> ours =
          sameWithoutSpark("select id, rank() over (partition by k order by t) as n from cells");
      StencilExec operator = WindowPlans.windows(WindowPlans.plan(ours), WindowPlace.SERIES).get(0);
      assertThat(operator.metrics().apply("partitions").value()).isEqualTo(4);
      assertThat(operator.metrics().apply("numOutputRows").value()).isEqualTo(2003);
      assertThat(operator.metrics().apply("shuffledBytes").value()).isPositive();
    } finally {
      spark.conf().unset("spark.sql.adaptive.coalescePartitions.enabled");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "with w as (select id, k, row_number() over (partition by k order by t) n from cells)"
            + " select a.id, b.id from w a join w b on a.n = b.n + 1 and a.k = b.k",
        "select a.id from cells a where exists (select 1 from (select id, rank() over (partition by"
            + " name order by t) r from cells) b where b.r = a.id + 7)",
        "select id, avg(s) over (partition by k order by t rows 2 preceding), first(s) over"
            + " (partition by k order by t) from (select id, k, t, sum(i) over (partition by k"
            + " order by id) s from cells)",
        "select * from (select id, sum(l) over (partition by k order by t) s, lag(id) over"
            + " (partition by k order by t) p from cells) where s > 0 order by id limit 30",
        "select id, row_number() over (order by k, t), row_number() over (partition by k order by"
            + " t) from cells",
        "select id, rank() over (partition by k order by t), max(i) over (partition by k, name order"
            + " by t) from (select * from cells order by k, t)",
        "select id, sum(i) over (partition by 1 order by t), sum(i) over (partition by k order by"
            + " k, t) from cells"
      })
  void queries(String sql) {
    spark.conf().set("spark.sql.adaptive.enabled", sql.length() % 2 == 0);
    same(sql);
  }

  @Test
  void resultsCanBeCachedAndReadOn() {
    same("select * from cells"); // takes over from here on
    spark.sql(
        "cache table numbered as select id, k, t, row_number() over (partition by k order by t) n, sum(d)"
            + " over (partition by k order by t) c from cells");
    Dataset<Row> ours =
        same(
            "select a.id, a.n, a.c, rank() over (partition by a.k order by a.t) r, avg(a.c) over"
                + " (partition by a.k order by a.t rows 9 preceding) m from numbered a join"
                + " numbered b on a.id = b.id");
    assertThat(WindowPlans.windows(WindowPlans.plan(ours), WindowPlace.SERIES)).isNotEmpty();
    spark.sql("uncache table numbered");
  }
}

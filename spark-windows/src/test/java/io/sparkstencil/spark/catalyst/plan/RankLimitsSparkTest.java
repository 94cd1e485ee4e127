/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.WithSpark;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.window.WindowGroupLimitExec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries of the first rows of each series, by a rank: Spark's rows, without its sorts. */
// Four such pages are soon full.
@WithSpark(settings = "spark.buffer.pageSize=512k")
final class RankLimitsSparkTest {
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    spark.conf().set("spark.sql.codegen.wholeStage", "false"); // compiling takes longer
    spark
        .sql(
            """
            select id, pmod(id * 7919, 3011) as t, if(id % 50 = 7, null, cast(id % 13 as int)) as k,
              if(id % 11 = 3, null, 'key ' || id % 5) as h, cast(id % 101 as tinyint) as b,
              if(id % 7 = 0, null, if(id % 3 = 0, -0.0D, if(id % 3 = 1, 0.0D, id % 5))) as d,
              if(id % 6 = 0, null, 'a text of this length and ' || id % 30) as text
            from range(0, 2003, 1, 3)
            """)
        .createOrReplaceTempView("cells");
  }

  private static int sparksLimits(Dataset<Row> query) {
    return WindowPlans.find(WindowPlans.plan(query), WindowGroupLimitExec.class).size();
  }

  @ParameterizedTest
  @CsvSource({
    "row_number(), partition by k order by t, 5",
    "row_number(), partition by k order by t desc, 1",
    "row_number(), 'partition by h, k order by text nulls last, t', 20",
    "rank(), partition by k order by d, 3",
    "rank(), 'partition by h order by b desc, d', 12",
    "rank(), partition by d order by text, 2",
    "dense_rank(), partition by k order by d desc, 3",
    "dense_rank(), partition by h order by text desc nulls last, 7",
    "dense_rank(), partition by k order by b, 1000"
  })
  void seriesAreLimitedWithoutSparksSort(String rank, String by, int most) {
    for (boolean adaptive : new boolean[] {true, false}) {
      spark.conf().set("spark.sql.adaptive.enabled", adaptive);
      Dataset<Row> ours = first(rank, by, most);
      assertThat(WindowPlans.series(ours)).hasSize(1);
      assertThat(WindowPlans.limits(ours)).isEqualTo(1);
      assertThat(sparksLimits(ours)).isZero();
      assertThat(WindowPlans.find(WindowPlans.plan(ours), SortExec.class)).isEmpty();
    }
    spark.conf().unset("spark.sql.adaptive.enabled");
  }

  @ParameterizedTest
  @CsvSource({"rank(), t, 5", "rank(), 'd desc', 40", "dense_rank(), 'text, d', 3"})
  void oneSeriesIsLimitedByUsAndThenBySpark(String rank, String by, int most) {
    Dataset<Row> ours = first(rank, "order by " + by, most);
    assertThat(WindowPlans.running(ours)).hasSize(1);
    assertThat(WindowPlans.limits(ours)).isEqualTo(1);
    assertThat(sparksLimits(ours)).isEqualTo(1);
  }

  /** Compares the first rows, by a rank that is the same for rows that tie. */
  private static Dataset<Row> first(String rank, String by, int most) {
    return WindowPlans.sameAsSpark(
        spark,
        "select * from (select *, %s over (%s) as n from cells) where n <= %d"
            .formatted(rank, by, most));
  }

  /** Spark is right here, as it sorts by the series first. */
  @ParameterizedTest
  @ValueSource(strings = {"d", "d desc", "d nulls last, id"})
  void decimalsOfNegativeScaleAreLimitedInTheirOrder(String by) {
    spark.conf().set("spark.sql.legacy.allowNegativeScaleOfDecimal", true);
    try {
      Dataset<Row> ours =
          WindowPlans.sameAsSpark(
              spark,
              "select * from (select *, rank() over (partition by k order by %s) as n from (select"
                      .formatted(by)
                  + " id, id % 3 as k, if(id % 29 = 5, null, cast(id * 37 % 100 - 50 as"
                  + " decimal(15, 0)) * 1E2BD) as d from range(0, 300, 1, 1))) where n <= 12");
      assertThat(WindowPlans.limits(ours)).isEqualTo(1);
    } finally {
      spark.conf().unset("spark.sql.legacy.allowNegativeScaleOfDecimal");
    }
  }

  @Test
  void otherWindowsSeeTheRowsBefore() {
    String by = " over (partition by k order by t rows unbounded preceding)";
    Dataset<Row> ours =
        WindowPlans.sameAsSpark(
            spark,
            "select * from (select id, sum(d) BY s, last(text) ignore nulls BY x, count(*) BY c,"
                    .replace("BY", by)
                + " row_number() over (partition by k order by t) n, rank() over (partition by k"
                + " order by t) r from cells) where 7 > n and r < 9 and s is not null");
    assertThat(WindowPlans.series(ours)).hasSize(5);
    assertThat(WindowPlans.limits(ours)).isEqualTo(1);
  }

  /** Rows are handed out and counted anew, so that more than the first ones pass. */
  @Test
  void moreRowsPassWhereMemoryIsFull() {
    Dataset<Row> ours =
        WindowPlans.sameAsSpark(
            spark,
            "select * from (select *, rank() over (partition by s order by v) as n from (select id,"
                + " id % 2000 as s, id % 7 as v, 'some text' as text from range(0, 200000, 1, 1)))"
                + " where n <= 1");
    SeriesLimitExec limit = WindowPlans.find(WindowPlans.plan(ours), SeriesLimitExec.class).get(0);
    assertThat(limit.metrics().apply("numOutputRows").value())
        .isGreaterThan(ours.count())
        .isLessThan(200_000);
  }

  @Test
  void windowsOfTheSameSeriesBelowShareTheirShuffle() {
    Dataset<Row> ours =
        WindowPlans.sameAsSpark(
            spark,
            "select * from (select *, row_number() over (partition by k order by m, t) n from"
                + " (select *, avg(d) over (partition by k order by t rows 3 preceding) m from"
                + " cells)) where n <= 4");
    assertThat(WindowPlans.stencils(ours)).hasSize(1);
    assertThat(WindowPlans.series(ours)).hasSize(1);
    assertThat(WindowPlans.limits(ours)).isEqualTo(1);
    assertThat(WindowPlans.plan(ours).toString()).doesNotContain("Exchange");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // More rows than Spark would limit.
        "select id, row_number() over (partition by k order by t) n from cells where n <= 1500",
        // What ranks are compared with is not one number.
        "select id, rank() over (partition by k order by t) n, b from cells where n <= b",
        // Frames reach rows after those that are wanted.
        "select id, rank() over (partition by k order by t) n, count(*) over (partition by k) c"
            + " from cells where n <= 3"
      })
  void queriesOfAllRowsAreNotLimited(String sql) {
    int where = sql.indexOf(" where");
    Dataset<Row> ours =
        WindowPlans.sameAsSpark(
            spark, "select * from (" + sql.substring(0, where) + ")" + sql.substring(where));
    assertThat(WindowPlans.series(ours)).isNotEmpty();
    assertThat(WindowPlans.limits(ours)).isZero();
  }

  /** Keys that are equal though their bytes are not need Spark's sort. */
  @Test
  void collatedKeysAreLimitedBySpark() {
    Dataset<Row> ours =
        WindowPlans.sameAsSpark(
            spark,
            "select * from (select id, row_number() over (partition by h collate utf8_lcase order"
                + " by t) n from cells) where n <= 3");
    assertThat(WindowPlans.limits(ours)).isZero();
    assertThat(sparksLimits(ours)).isEqualTo(2);
  }
}

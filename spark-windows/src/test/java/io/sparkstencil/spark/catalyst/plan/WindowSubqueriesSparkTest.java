/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.RowBits;
import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.WithSpark;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Windows in subqueries, whose nodes have columns beside their windows once Spark has made joins of
 * them, and nodes whose windows Spark has made constants.
 */
@WithSpark
final class WindowSubqueriesSparkTest {
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    Sessions.interpret(spark);
    spark
        .sql(
            """
            select id, cast(id % 7 as int) as k, cast(id % 3 as int) as g, pmod(id * 61, 101) as t,
              if(id % 5 = 0, null, cast(id * 3 as int)) as v, sin(id) as d
            from range(0, 97)
            """)
        .repartition(3)
        .createOrReplaceTempView("inner_rows");
    spark
        .sql("select cast(id as int) as k, id * 4 as least, id % 3 as g from range(0, 9)")
        .repartition(2)
        .createOrReplaceTempView("outer_rows");
  }

  /** Runs a query without stencils, and with them, about half with adaptive execution. */
  private static void same(String sql, int stencils, int sparks) {
    spark.conf().set("spark.stencil.sql.enabled", "false");
    Dataset<Row> theirs = spark.sql(sql);
    List<String> expected = RowBits.sorted(theirs);
    spark.conf().set("spark.stencil.sql.enabled", "true");
    spark.conf().set("spark.stencil.sql.running.enabled", !sql.contains(SPARKS));
    spark.conf().set("spark.sql.adaptive.enabled", sql.hashCode() % 2 == 0);
    Dataset<Row> ours = spark.sql(sql);
    assertThat(RowBits.sorted(ours)).as(sql).isEqualTo(expected).isNotEmpty();
    assertThat(ours.schema()).isEqualTo(theirs.schema());
    assertThat(WindowPlans.stencils(ours)).as(sql).hasSize(stencils);
    assertThat(WindowPlans.sparks(ours)).as(sql).isEqualTo(sparks);
  }

  /** What is computed in place of a rank and stays with Spark, as such windows are switched off. */
  private static final String SPARKS = "approx_count_distinct(t)";

  /** A frame of two rows over the rows of one key of the outer query. */
  private static final String PAIRS =
      "(select k, g, id, SUM over (PARTITION order by t rows 1 preceding) s, RANK over (PARTITION"
          + " order by t) r from inner_rows i where i.k = o.k)";

  static List<String> correlated() {
    return List.of(
        pairs("", "sum(v)", "rank()"),
        pairs("", "avg(cast(v as decimal(9, 2)))", SPARKS),
        pairs("partition by g", "sum(v)", SPARKS),
        pairs("partition by k", "sum(v)", "rank()"));
  }

  /** Two forms of a query by turns, so that each is over one series and over series with keys. */
  static List<Arguments> correlatedByTurns() {
    List<String> pairs = correlated();
    return IntStream.range(0, pairs.size())
        .mapToObj(i -> Arguments.of(pairs.get(i), i % 2 == 1))
        .toList();
  }

  private static String pairs(String partition, String sum, String rank) {
    return PAIRS.replace("PARTITION", partition).replace("SUM", sum).replace("RANK", rank);
  }

  private static int sparks(String pairs) {
    return pairs.contains(SPARKS) ? 1 : 0;
  }

  /** Spark's operator has the key beside the rank, as it would without stencils. */
  @ParameterizedTest
  @MethodSource("correlated")
  void existsOverRanks(String pairs) {
    same(
        "select * from outer_rows o where exists (select 1 from " + pairs + " where r = 2)",
        0,
        2 * sparks(pairs));
  }

  @ParameterizedTest
  @MethodSource("correlatedByTurns")
  void existsOverSums(String pairs, boolean not) {
    same(
        "select * from outer_rows o where NOT exists (select 1 from PAIRS where s > 200)"
            .replace("NOT", not ? "not" : "")
            .replace("PAIRS", pairs),
        1,
        0);
  }

  @ParameterizedTest
  @MethodSource("correlated")
  void existsOverBoth(String pairs) {
    same(
        "select * from outer_rows o where exists (select 1 from PAIRS where r = 2 and s > 20)"
            .replace("PAIRS", pairs),
        1,
        sparks(pairs));
  }

  @ParameterizedTest
  @MethodSource("correlatedByTurns")
  void laterals(String pairs, boolean outer) {
    if (outer) {
      same(
          "select o.k, least, id, s, r from outer_rows o left join lateral " + pairs,
          1,
          sparks(pairs));
    } else {
      same("select o.k, least, id, s from outer_rows o, lateral " + pairs, 1, 0);
    }
  }

  @ParameterizedTest
  @MethodSource("correlatedByTurns")
  void scalars(String pairs, boolean both) {
    same(
        "select k, (select max(%s) from %s) m from outer_rows o"
            .formatted(both ? "s + r" : "s", pairs),
        1,
        both ? sparks(pairs) : 0);
  }

  @ParameterizedTest
  @MethodSource("correlatedByTurns")
  void ins(String pairs, boolean not) {
    same(
        "select * from outer_rows o where k + 2 NOT in (select r from PAIRS where s is not null)"
            .replace("NOT", not ? "not" : "")
            .replace("PAIRS", pairs),
        1,
        sparks(pairs));
  }

  @Test
  void subqueriesWithoutCorrelation() {
    String sums = "(select k, sum(v) over (order by t rows 1 preceding) s from inner_rows)";
    same("select * from outer_rows where exists (select 1 from " + sums + " where s > 60)", 1, 0);
    same("select * from outer_rows where least * 9 in (select s from " + sums + ")", 1, 0);
    same("select * from outer_rows where least > (select min(s) from " + sums + ")", 1, 0);
    same("select o.k, s from outer_rows o join lateral " + sums + " i on o.k = i.k", 1, 0);
  }

  @Test
  void windowsThatSparkHasMadeConstants() {
    for (String keys : List.of("", "partition by id % 3")) {
      String over = "over (" + keys + " order by id rows between 2 preceding and 1 preceding)";
      same("select id, count(null) W from range(20)".replace("W", over), 0, 0);
      same("select id, count(null) W, count(null) W + 1 from range(20)".replace("W", over), 0, 0);
      same("select id, count(null) W, sum(id) W from range(20)".replace("W", over), 1, 0);
      same(
          "select id, count(null) W, stddev(id) W, sum(id) W from range(20)".replace("W", over),
          1,
          0);
    }
  }

  /** Spark's operator has the constant too, as nothing is gained by another. */
  @Test
  void constantsBesideSparksWindows() {
    spark.conf().set("spark.stencil.sql.bounded.enabled", "false");
    same(
        "select id, count(null) over w, stddev(id) over w from range(20) window w as (partition"
            + " by id % 3 order by id rows 2 preceding)",
        0, 2);
    spark.conf().unset("spark.stencil.sql.bounded.enabled");
  }
}

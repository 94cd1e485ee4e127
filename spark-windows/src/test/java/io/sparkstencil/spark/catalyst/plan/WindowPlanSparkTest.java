/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import static org.apache.spark.sql.functions.avg;
import static org.apache.spark.sql.functions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.spark.RowBits;
import io.sparkstencil.spark.WithSpark;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.physical.SinglePartition$;
import org.apache.spark.sql.execution.FormattedMode$;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import org.apache.spark.sql.expressions.Window;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Stencils in place of windows fit into all kinds of plans. */
@WithSpark
final class WindowPlanSparkTest {
  private static final String ENABLED = "spark.stencil.sql.enabled";

  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    spark
        .range(0, 1500)
        .selectExpr(
            "id",
            "pmod(id * 7919, 1511) as t",
            "cast(id % 13 as int) as g",
            "if(id % 11 = 0, null, sin(id)) as d",
            "cast(id as int) as i",
            "cast(id as decimal(9, 2)) as m",
            "cast(id as float) as f",
            "date_add(date'2020-01-01', cast(id as int)) as day",
            "id % 5 as tie",
            "repeat('x', 9) as wide")
        .repartition(3)
        .createOrReplaceTempView("cells");
  }

  @BeforeEach
  void enable() {
    spark.conf().set(ENABLED, "true");
  }

  /** Returns the query after it ran, having compared its rows with Spark's. */
  private static Dataset<Row> same(String sql) {
    spark.conf().set(ENABLED, "false");
    Dataset<Row> sparks = spark.sql(sql);
    List<String> expected = RowBits.sorted(sparks);
    spark.conf().set(ENABLED, "true");
    Dataset<Row> ours = spark.sql(sql);
    assertThat(RowBits.sorted(ours)).isEqualTo(expected);
    assertThat(ours.schema()).isEqualTo(sparks.schema());
    assertThat(WindowPlans.stencils(ours)).isNotEmpty();
    return ours;
  }

  private static <T extends SparkPlan> int count(Dataset<Row> query, Class<T> type) {
    return WindowPlans.find(WindowPlans.plan(query), type).size();
  }

  private static final String PARTITIONED = "(partition by g order by t rows 3 preceding)";
  private static final String WHOLE = "(order by t rows between 2 preceding and 3 following)";

  /** Queries take turns with both windows, and with adaptive execution or not. */
  @Test
  void queriesAroundWindows() {
    List<String> overs = List.of(WHOLE, PARTITIONED);
    int turn = 0;
    for (String sql :
        List.of(
            "select avg(d) over W * 2 + id as a, m, sum(i) over W as s, row_number() over"
                + " (partition by g order by t) as n from cells",
            "select a.id, a.s, b.s as other from (select *, sum(i) over W s from cells) a join"
                + " (select *, sum(i) over W s from cells) b on a.id = b.id + 1",
            "with w as (select id, g, avg(d) over W m from cells) select a.m, b.m from w a join w"
                + " b on a.id = b.id where a.g < 4",
            "select id, min(d) over W from cells union all select i, max(d) over W from cells",
            "select g, sum(s), count(*) from (select g, sum(i) over W s from cells) group by g",
            "select id, (select max(s) from (select sum(i) over W s from cells)) from cells where"
                + " id < 5",
            "select * from cells where id in (select sum(tie) over W from cells)",
            "select * from (select id, avg(d) over W m from cells) where m > 0 order by m, id"
                + " limit 20",
            "select id, sum(s) over W as ss from (select *, sum(i) over W s from cells)",
            "select id, count(*) over W, first(i) over W, stddev(d) over W from cells",
            "select distinct sum(tie) over W from cells")) {
      spark.conf().set("spark.sql.adaptive.enabled", turn / 2 % 2 == 0);
      same(sql.replace("W", overs.get(turn++ % 2)));
    }
  }

  @Test
  void columnsThatNobodyReadsAreNotCarried() {
    Dataset<Row> query = same("select id, avg(d) over " + PARTITIONED + " from cells");
    StencilExec stencil = WindowPlans.stencils(WindowPlans.plan(query)).get(0);
    assertThat(stencil.child().output().mkString(","))
        .contains("id", "g", "t", "d")
        .doesNotContain("wide", "day");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void windowsWithTheSameKeysShareExchangeAndOrder(boolean adaptive) {
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    Dataset<Row> query =
        same(
            "select g, count(*), sum(s), sum(n) from (select g, sum(i) over (partition by g order"
                + " by t rows 3 preceding) s, row_number() over (partition by g order by t) n,"
                + " avg(d) over (partition by g order by t rows 5 preceding) from cells) group by"
                + " g");
    // One to make the table's three partitions; the lowest window shuffles for all others.
    assertThat(count(query, ShuffleExchangeExec.class)).isEqualTo(1);
    assertThat(count(query, SortExec.class)).isLessThanOrEqualTo(1);
  }

  @Test
  void equalExchangesAreReused() {
    spark.conf().set("spark.sql.adaptive.enabled", "false");
    Dataset<Row> query =
        same(
            "select * from (select g, sum(i) over W s from cells) union all select * from (select g, sum(i) over W s from cells)"
                .replace("W", PARTITIONED));
    assertThat(count(query, ReusedExchangeExec.class)).isPositive();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oneSeriesIsNotMovedToOneTask(boolean adaptive) {
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    Dataset<Row> query = same("select id, avg(d) over " + WHOLE + " from cells");
    assertThat(WindowPlans.find(WindowPlans.plan(query), ShuffleExchangeExec.class))
        .noneMatch(exchange -> exchange.outputPartitioning() == SinglePartition$.MODULE$);
    StencilExec stencil = WindowPlans.stencils(WindowPlans.plan(query)).get(0);
    assertThat(stencil.outputOrdering().mkString()).contains("t#", "ASC");
    assertThat(stencil.metrics().apply("cells").value()).isEqualTo(1500);
    assertThat(stencil.metrics().apply("numOutputRows").value()).isEqualTo(1500);
    assertThat(stencil.metrics().apply("shuffledBytes").value()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void orderOfTheWholeTableIsKnownToWhatFollows(boolean adaptive) {
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    String sql = "select id, t, avg(d) over " + WHOLE + " m from cells order by t";
    Dataset<Row> query = same(sql);
    assertThat(count(query, SortExec.class)).isZero();
    assertThat(count(query, ShuffleExchangeExec.class)).isEqualTo(1); // the table's own
    List<String> ours = RowBits.of(query);
    spark.conf().set(ENABLED, "false");
    assertThat(ours).isEqualTo(RowBits.of(spark.sql(sql)));
  }

  @Test
  void explainShowsStencilsWithFramesAndEngine() {
    spark.conf().set("spark.stencil.engine", "cpu");
    Dataset<Row> query =
        spark.sql(
            "select avg(d) over (partition by g order by t desc rows between 8 preceding and 2"
                + " preceding) as m from cells");
    QueryExecution execution = ((org.apache.spark.sql.classic.Dataset<Row>) query).queryExecution();
    assertThat(execution.toString())
        .containsPattern(
            "\\+- Stencil \\[stencil_mean\\(d#\\d+, rows -8\\.\\.-2, shrink, exact\\) AS m#\\d+],"
                + " partition by \\[g#\\d+], order by \\[t#\\d+L DESC NULLS LAST] \\(series from"
                + " rows to columns\\), engine cpu");
    assertThat(execution.explainString(FormattedMode$.MODULE$))
        .containsPattern("\\(\\d+\\) Stencil\\s+Input \\[\\d+]: .*\\s+Arguments: \\[stencil_mean");
  }

  /** Spark takes numbers below 0 for 0, and makes texts of plans whenever a query runs. */
  @Test
  void numbersOfFieldsBelowZeroAreTakenForZero() {
    spark.conf().set("spark.sql.debug.maxToStringFields", -1);
    try {
      assertThat(spark.sql("select id, avg(d) over " + WHOLE + " from cells").collectAsList())
          .hasSize(1500);
      assertThat(spark.sql("select id, rank() over (order by t) from cells").collectAsList())
          .hasSize(1500);
    } finally {
      spark.conf().unset("spark.sql.debug.maxToStringFields");
    }
  }

  /** Where no session is active, as while Spark ends, operators can still be looked at. */
  @Test
  void aCopyWithoutASessionIsExplained() {
    Dataset<Row> query = spark.sql("select avg(d) over " + WHOLE + " from cells");
    StencilExec stencil = WindowPlans.stencils(WindowPlans.plan(query)).get(0);
    SparkSession.clearActiveSession();
    try {
      StencilExec copy = (StencilExec) stencil.withNewChildInternal(stencil.child());
      assertThat(copy.session()).isNull();
      assertThat(copy.verboseStringWithOperatorId()).contains("Engine: ");
    } finally {
      SparkSession.setActiveSession(spark);
    }
  }

  @Test
  void logSaysOnceWhyAWindowStaysWithSpark() {
    List<String> lines = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            lines.add(line.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(NotOffloaded.class.getName());
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    try {
      String sql =
          "select stddev(d) over W, sum(i) over W, sum(i) over (order by t), sum(i) over (order by t range 3 preceding), max(wide) over W, avg(d) over (order by t rows between 70000 preceding and 1 preceding), sum(m) over (partition by g rows 3 preceding), stddev(d) over (partition by g order by t rows 3 preceding), sum(i) over (partition by g order by t range 3 preceding), max(wide) over (partition by g order by t rows 3 preceding) from cells"
              .replace("W", WHOLE);
      spark.sql(sql).collectAsList();
      assertThat(lines).isEmpty();
      spark.conf().set("spark.stencil.sql.explain", "NOT_OFFLOADED");
      spark.sql(sql).collectAsList();
    } finally {
      spark.conf().unset("spark.stencil.sql.explain");
      logger.removeHandler(handler);
      logger.setUseParentHandlers(true);
    }
    assertThat(lines)
        .allSatisfy(line -> assertThat(line).startsWith("window stays with Spark: "))
        .anySatisfy(line -> assertThat(line).contains("another window of the same order"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("reaches 70000 rows, more than spark.stencil")
                    .contains("ROWS BETWEEN 70000 PRECEDING AND 1 PRECEDING")
                    .doesNotContain("-70000", "-1"))
        .hasSize(4);
  }

  @Test
  void cachedResultsAndCachedInputs() {
    spark.sql("cache table kept as select id, t, g, avg(d) over " + PARTITIONED + " d from cells");
    Dataset<Row> over = spark.sql("select id, sum(d) over " + WHOLE + " s from kept");
    List<String> twice = RowBits.sorted(over);
    assertThat(WindowPlans.stencils(over)).hasSize(2);
    spark.sql("uncache table kept");
    spark.conf().set(ENABLED, "false");
    Dataset<Row> sparks =
        spark.sql(
            ("select id, sum(d) over W s from (select id, t, g, avg(d) over "
                    + PARTITIONED
                    + " d from cells)")
                .replace("W", WHOLE));
    assertThat(RowBits.sorted(sparks)).isEqualTo(twice);
  }

  @Test
  void dataFramesAndTheirColumns() {
    spark.conf().set(ENABLED, "true");
    Dataset<Row> query =
        spark
            .table("cells")
            .withColumn(
                "m",
                avg(col("d").plus(1))
                    .over(Window.partitionBy("g").orderBy(col("t").desc()).rowsBetween(-4, 2)))
            .select("id", "m");
    List<String> ours = RowBits.sorted(query);
    assertThat(WindowPlans.sparks(query)).isZero();
    assertThat(WindowPlans.stencils(query)).hasSize(1);
    assertThat(ours)
        .isEqualTo(
            RowBits.sorted(
                same(
                    "select id, avg(d + 1) over (partition by g order by t desc rows between 4"
                        + " preceding and 2 following) from cells")));
  }

  @ParameterizedTest
  @CsvSource({
    "spark.stencil.sql.enabled, false, 7",
    "spark.stencil.sql.unpartitioned.enabled, false, 7",
    "spark.stencil.sql.integral.enabled, false, 2",
    "spark.stencil.sql.floating.enabled, false, 2",
    "spark.stencil.sql.decimal.enabled, false, 1",
    "spark.stencil.sql.datetime.enabled, false, 1",
    "spark.stencil.sql.maxFrameReach, 2, 7",
    "spark.stencil.sql.maxFrameReach, 3, 0",
    "spark.stencil.sql.unpartitioned.maxFrameReach, 2, 7",
    "spark.stencil.sql.unpartitioned.maxFrameReach, 3, 0"
  })
  void switchesAtRunTime(String key, String value, int sparks) {
    spark.conf().set("spark.stencil.sql.bounded.enabled", "false"); // else it takes what is left
    spark.conf().set(key, value);
    Dataset<Row> query =
        spark.sql(
            "select sum(i) over W, max(id) over W, avg(d) over W, min(f) over W, sum(m) over W, max(day) over W, count(*) over W from cells"
                .replace("W", WHOLE));
    query.collectAsList();
    assertThat(WindowPlans.sparks(query)).isEqualTo(sparks);
  }

  @Test
  void wrongOptionsFailTheQuery() {
    spark.conf().set("spark.stencil.sql.maxFrameReach", "-1");
    assertThatThrownBy(() -> spark.sql("select sum(i) over " + WHOLE + " from cells").collect())
        .hasMessageContaining("spark.stencil.sql.maxFrameReach=-1 is not in [0, ");
  }

  @Test
  void noRowsAndOneRow() {
    spark.conf().set("spark.sql.adaptive.enabled", "false");
    for (String over : List.of(PARTITIONED, WHOLE)) {
      for (String rows : List.of("id < rand() - 1", "id + i = 2 * i and id = 77")) {
        String windows =
            "select id, avg(d) over W, count(*) over W, sum(i) over W from cells where ";
        same(windows.replace("W", over) + rows);
      }
    }
  }

  @Test
  void sumsOverflowAsSparksDo() {
    String sql =
        "select sum(v) over (order by id rows between 1 preceding and current row) from values (1,"
            + " 9223372036854775807), (2, 1) as w(id, v)";
    for (String enabled : List.of("true", "false")) {
      spark.conf().set(ENABLED, enabled);
      assertThatThrownBy(() -> spark.sql(sql).collectAsList())
          .isInstanceOfSatisfying(
              SparkThrowable.class,
              thrown -> assertThat(thrown.getCondition()).isEqualTo("ARITHMETIC_OVERFLOW"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"g", "0 * g"})
  void tiesGiveResultsThatSparkCouldHaveGiven(String key) {
    for (String by : List.of("order by tie", "partition by key order by tie")) {
      String sql =
          """
          select i, key, tie, row_number() over (BY) as n,
            sum(i) over (BY rows between 1 preceding and current row) as s
          from (select *, KEY as key from cells) order by KEYS n
          """
              .replace("BY", by)
              .replace("KEYS", by.startsWith("partition") ? "key," : "")
              .replace("KEY", key);
      List<Row> rows = spark.sql(sql).collectAsList();
      assertThat(rows).hasSize(1500);
      for (int at = 0; at < rows.size(); at++) {
        Row row = rows.get(at);
        boolean first = row.getInt(3) == 1;
        assertThat(row.getLong(4))
            .isEqualTo(row.getInt(0) + (first ? 0 : rows.get(at - 1).getInt(0)));
        assertThat(first || rows.get(at - 1).getLong(2) <= row.getLong(2)).isTrue();
      }
    }
  }
}

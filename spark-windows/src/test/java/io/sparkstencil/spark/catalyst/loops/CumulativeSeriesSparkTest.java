/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.catalyst.plan.RowsOfAllTypes;
import io.sparkstencil.spark.catalyst.plan.StencilExec;
import io.sparkstencil.spark.catalyst.plan.WindowPlace;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks and frames that begin with the series, whose results are columns, have Spark's bits. */
@WithSpark(options = "spark.stencil.sql.enabled=true")
final class CumulativeSeriesSparkTest {
  private static final int ROWS = 23_003;

  /** Functions whose results are the same in whatever order rows that tie come. */
  static final String OF_TIES =
      """
      rank() over (W) r0, dense_rank() over (W) r1, percent_rank() over (W) r2,
      cume_dist() over (W) r3, count(*) over (W) r4, count(i) over (W) r5, sum(s) over (W) r6,
      try_avg(whole) over (W) r7, min(f) over (W) r8, max(d) over (W) r9, min(l) over (W) r10,
      max(m) over (W) r11, min(b) over (W) r12, max(day) over (W) r13, min(at) over (W) r14,
      max(even) over (W) r15, count(text) over (P) r16, max(i) over (P) r17, sum(l) over (P) r18
      """;

  static final String OF_ROWS =
      """
      row_number() over (W) r20, ntile(7) over (W) r21, ntile(20000) over (W) r22,
      sum(d) over (W) r23, sum(f) over (W) r24, avg(d) over (W) r25, avg(i) over (W) r26,
      avg(l) over (W) r27, first(text) over (W) r28, last(text) over (W) r29,
      first(d) ignore nulls over (W) r30, last(f) ignore nulls over (W) r31,
      nth_value(bytes, 3) over (W) r32, nth_value(m, 2) ignore nulls over (W) r33,
      first(d) over (W rows unbounded preceding) r34, last(i) over (W rows unbounded preceding) r35,
      sum(d) over (W rows unbounded preceding) r36, avg(f) over (W rows unbounded preceding) r37,
      sum(l) over (W rows unbounded preceding) r38, min(d) over (W rows unbounded preceding) r39,
      max(f) over (W rows unbounded preceding) r40, min(s) over (W rows unbounded preceding) r41,
      count(even) over (W rows unbounded preceding) r42,
      count(1) over (W rows unbounded preceding) r43,
      last(day) over (W rows between unbounded preceding and unbounded following) r44,
      first(at) over (W rows between unbounded preceding and unbounded following) r45,
      sum(d) over (W rows between unbounded preceding and unbounded following) r46,
      avg(i) over (W range between unbounded preceding and unbounded following) r47
      """;

  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    spark
        .conf()
        .set("spark.sql.codegen.wholeStage", "false"); // compiling takes longer than running
    RowsOfAllTypes.stored(spark, ROWS, 30_011, folder);
  }

  private static String over(String functions, String keys, String order) {
    String by = "partition by " + keys + " order by " + order;
    return functions
        .replace("P", "W rows between unbounded preceding and unbounded following")
        .replace("W", by);
  }

  /** Runs a query as Spark does, and checks that all of its results were columns. */
  private static Dataset<Row> columns(String sql) {
    Dataset<Row> ours = WindowPlans.sameAsSpark(spark, sql);
    List<StencilExec> operators = WindowPlans.windows(WindowPlans.plan(ours), WindowPlace.SERIES);
    assertThat(operators).isNotEmpty().allMatch(StencilExec::supportsColumnar);
    assertThat(WindowPlans.seriesMetric(ours, "columnRows")).isEqualTo(ROWS);
    assertThat(WindowPlans.seriesMetric(ours, "numOutputRows")).isEqualTo(ROWS);
    return ours;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "k | t | true | true | 4",
        "many | id | true | false | 2",
        "half | t | false | true | 2",
        "even, b | d nulls last, t | true | true | 1",
      })
  void bitsAreSparks(String keys, String order, boolean adaptive, boolean ansi, int partitions) {
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    spark.conf().set("spark.sql.ansi.enabled", ansi);
    spark.conf().set("spark.sql.shuffle.partitions", partitions);
    columns(
        "select *, %s, %s from cells"
            .formatted(over(OF_TIES, keys, order), over(OF_ROWS, keys, order)));
  }

  /** Rows that tie are more than a batch has, or are cut by the ends of batches. */
  @ParameterizedTest
  @CsvSource({
    "half, few desc nulls last",
    "half, even",
    "k, slow",
    "'d, b', f",
    "many, few",
    "name, k"
  })
  void tiesAreTakenTogether(String keys, String order) {
    spark.conf().set("spark.sql.shuffle.partitions", "2");
    columns("select id, %s from cells".formatted(over(OF_TIES, keys, order)));
  }

  @Test
  void consumersTakeColumns() {
    String sql =
        """
        select k, max(r), sum(p), count(*) from (
          select k, i, dense_rank() over (W) r, l / sum(l) over (P) p from cells)
        where r % 3 = 1 group by k
        """;
    columns(over(sql, "k", "t"));
  }

  @Test
  void windowsAboveTakeTheirSeries() {
    String sql =
        """
        select id, avg(r) over (W rows 8 preceding) a, collect_list(r) over (W rows 1 preceding) c
        from (select id, k, t, row_number() over (W) r from cells)
        """;
    Dataset<Row> ours =
        WindowPlans.sameAsSpark(spark, sql.replace("W", "partition by k order by t"));
    assertThat(WindowPlans.windows(WindowPlans.plan(ours), WindowPlace.SERIES))
        .anyMatch(StencilExec::supportsColumnar);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mode(s) over (W)",
        "collect_list(s) over (W rows between 2 preceding and current row)"
      })
  void rowsAreMadeForOtherWindowsAlone(String function) {
    String windows = "row_number() over (W) as r, %s as other".formatted(function);
    Dataset<Row> ours =
        WindowPlans.sameAsSpark(
            spark, "select id, %s from cells where id < 2000".formatted(over(windows, "k", "t")));
    assertThat(WindowPlans.windows(WindowPlans.plan(ours), WindowPlace.SERIES))
        .isNotEmpty()
        .allMatch(StencilExec::supportsColumnar);
  }

  @Test
  void aLimitBeforeASumThatOverflowsHasItsRows() {
    spark.conf().set("spark.sql.ansi.enabled", true);
    spark.conf().set("spark.sql.shuffle.partitions", "1");
    String large =
        "(select id, k, t, if(k = 3 and t > 15000, %d, t) as l from cells where k is not null)"
            .formatted(Long.MAX_VALUE / 2);
    for (String frame : List.of("", " rows unbounded preceding")) {
      String sql =
          "select *, sum(l) over (partition by k order by t%s) s from %s".formatted(frame, large);
      assertThatThrownBy(() -> spark.sql(sql).collectAsList())
          .hasStackTraceContaining("ARITHMETIC_OVERFLOW")
          .hasStackTraceContaining("k = 3");
      String before = "select 1 from cells where k < 3 or k = 3 and t <= 15000";
      int fitting = (int) spark.sql(before).count() + 1; // series come in the order of their keys
      assertThat(spark.sql(sql).limit(fitting).collectAsList()).hasSize(fitting);
      assertThatThrownBy(() -> spark.sql(sql).limit(fitting + 1).collectAsList())
          .hasStackTraceContaining("ARITHMETIC_OVERFLOW");
    }
    String whole = "select sum(l) over (partition by k) s, k from %s".formatted(large);
    assertThatThrownBy(() -> spark.sql(whole).collectAsList())
        .hasStackTraceContaining("ARITHMETIC_OVERFLOW");
    spark.conf().set("spark.sql.ansi.enabled", false);
    WindowPlans.sameAsSpark(spark, whole);
  }

  /** As with Spark, whose operator adds all rows. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from (SUMS) where t < 0",
        "select count(s) from (SUMS) where t < 10",
        "select t, case when t < 15000 then s end as c from (SUMS)",
        "select a.id, s from (SUMS) a join (select id from cells where id < 40) b using (id)"
      })
  void sumsThatOverflowFailThoughNobodyLooksAtThem(String sql) {
    spark.conf().set("spark.sql.ansi.enabled", true);
    spark.conf().set("spark.sql.codegen.wholeStage", true);
    try {
      for (String frame : List.of("order by t", "order by t rows unbounded preceding", "")) {
        String sums =
            "select id, t, sum(if(t > 15000, %d, t)) over (partition by k %s) s from cells"
                .formatted(Long.MAX_VALUE / 2, frame);
        Dataset<Row> ours = spark.sql(sql.replace("SUMS", sums));
        assertThat(ours.queryExecution().executedPlan().toString())
            .contains("with columns of results");
        assertThatThrownBy(ours::collectAsList).hasStackTraceContaining("ARITHMETIC_OVERFLOW");
      }
    } finally {
      spark.conf().set("spark.sql.codegen.wholeStage", false);
    }
  }
}

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

/** Frames between two bounds, whose results are columns, have Spark's bits. */
@WithSpark(options = "spark.stencil.sql.enabled=true")
final class MovingLoopsSparkTest {
  private static final int ROWS = 6_007;
  private static final int FEWER = 1_200;

  /**
   * Functions whose results are the same in whatever order rows that tie come. Frames of keys take
   * turns with these lists, as their ends do not depend on what is computed between them.
   */
  private static final List<String> THIRDS =
      List.of(
          "count(*) W, sum(s) W, avg(whole) W, min(l) W, max(day) W, bool_and(even) W, bit_and(i) W,"
              + " sum(m) W, avg(d15) W, try_sum(d18) W, try_sum(l) W",
          "count(i) W, sum(i) W, min(f) W, max(m) W, min(at) W, max(text) W, bit_or(b) W, avg(m) W,"
              + " sum(d18) W, min(d18) W, try_sum(huge) W",
          "count(i, d, text) W, avg(s) W, sum(whole) W, max(x) W, min(b) W, max(even) W,"
              + " min(bytes) W, bit_xor(l) W, sum(d15) W, avg(d18) W, try_sum(n) W");

  static final String OF_TIES = String.join(", ", THIRDS);

  static final String OF_ROWS =
      """
      sum(d) W, avg(d) W, sum(f) W, try_sum(d) W, avg(l) W, avg(huge) W, first(text) W, last(text) W,
      first(d) ignore nulls W, last(f) ignore nulls W, first(b) W, last(even) ignore nulls W,
      nth_value(bytes, 3) W, nth_value(m, 2) ignore nulls W, nth_value(i, 400) W, stddev(d) W,
      stddev_pop(i) W, var_samp(f) W, var_pop(d) W, covar_pop(d, f) W, covar_samp(l, d) W, covar_pop(d, d) W, min(d) W, max(d) W
      """;

  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    spark
        .conf()
        .set("spark.sql.codegen.wholeStage", "false"); // compiling takes longer than running
    RowsOfAllTypes.stored(spark, ROWS, ROWS, folder);
  }

  private static String query(String functions, String over) {
    return "select id, %s from cells".formatted(functions.replace("W", "over (" + over + ")"));
  }

  /** Returns a query of fewer rows, for frames of many. */
  private static String fewer(String query) {
    return query + " where id < " + FEWER;
  }

  /** Runs a query as Spark does, and checks that all of its results were columns. */
  private static Dataset<Row> columns(String sql) {
    Dataset<Row> ours = WindowPlans.sameAsSpark(spark, sql);
    List<StencilExec> operators = WindowPlans.windows(WindowPlans.plan(ours), WindowPlace.SERIES);
    assertThat(operators).isNotEmpty();
    assertThat(operators)
        .as(WindowPlans.plan(ours).treeString())
        .allMatch(StencilExec::supportsColumnar);
    int rows = sql.contains(" where id < ") ? FEWER : ROWS;
    assertThat(WindowPlans.seriesMetric(ours, "columnRows")).isEqualTo(rows);
    assertThat(WindowPlans.seriesMetric(ours, "numOutputRows")).isEqualTo(rows);
    return ours;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "k | t | rows between 8 preceding and 8 following | true | 4",
        "k | t desc | rows between 9 following and 12 following | false | 2",
        "half | t | rows between 5 preceding and 3 preceding | true | 2",
        "half | t | rows between 140 preceding and current row | false | 1",
        "many | t | rows between 1 preceding and 1 following | true | 2",
        "half | t | rows between unbounded preceding and 3 following | true | 2",
        "k | t | rows between unbounded preceding and 40 preceding | false | 2",
        "id | t | rows between 1 preceding and 1 following | true | 2",
        "k | t | rows between current row and unbounded following | false | 2",
        "half | t desc | rows between 3 preceding and unbounded following | true | 1",
        "many | t | rows between 1 following and unbounded following | false | 2",
        "k | t | range between current row and unbounded following | true | 2",
        "k | t | range between 25 following and unbounded following | false | 1",
        "k | t | range between 300 preceding and 10 following | true | 2",
        "half | t desc | range between 20 following and 90 following | false | 1",
        "half | t | range between unbounded preceding and 7 following | true | 2",
        "k | at | range between interval 2 days preceding and current row | true | 2",
        "k | at | range between interval '1 03:00' day to minute preceding and interval '0 00:05' day to minute following | false | 2",
      })
  void bitsAreSparks(String keys, String order, String frame, boolean ansi, int partitions) {
    spark.conf().set("spark.sql.ansi.enabled", ansi);
    spark.conf().set("spark.sql.adaptive.enabled", ansi);
    spark.conf().set("spark.sql.shuffle.partitions", partitions);
    String correlation = ansi ? "" : ", corr(d, f) W, corr(whole, whole) W";
    String functions = OF_TIES + ", " + OF_ROWS + correlation;
    String sql = query(functions, "partition by %s order by %s %s".formatted(keys, order, frame));
    boolean wide = frame.contains("140") || frame.contains("unbounded following");
    columns(wide ? fewer(sql) : sql);
  }

  /** Rows tie, lack a key, or have keys to which steps are added in another way each. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "n | between 50 preceding and 9 following | 0",
        "n desc | between 50 preceding and 9 following | 1",
        "n nulls last | between 5 following and 90 following | 2",
        "n desc nulls first | between current row and 3 following | 0",
        "sn | between 40S preceding and 20S preceding | 1",
        "bn desc | between 3Y preceding and 2Y following | 2",
        "few desc nulls last | between 1D preceding and current row | 0",
        "few | between 0.5D following and 1D following | 1",
        "x | between 1.25D preceding and 0.125D following | 2",
        "y desc | between 2.5F preceding and 0.25F following | 0",
        "day | between interval 30 days preceding and interval 2 days following | 1",
        "day desc | between interval 2 months preceding and interval 1 month following | 2",
        "ntz | between interval 1 month preceding and current row | 0",
        "ntz desc | between interval '0 03' day to hour preceding and interval '2 00' day to hour following | 1",
        "dt | between interval 20 seconds preceding and interval 3 seconds following | 2",
        "ym desc | between interval 1 year preceding and interval 3 months following | 0",
        "k | between current row and current row | 1",
        "x | between unbounded preceding and 2D preceding | 2",
        "n desc nulls first | between 50 preceding and unbounded following | 0",
        "few | between current row and unbounded following | 1",
        "day | between interval 2 months following and unbounded following | 2",
      })
  void keysOfAllTypesAreCompared(String order, String frame, int turn) {
    spark.conf().set("spark.sql.shuffle.partitions", "2");
    String window = "partition by even order by %s range %s".formatted(order, frame);
    String sql = query(THIRDS.get(turn), window);
    boolean wide = frame.contains("month") || frame.contains("unbounded following");
    columns(wide ? fewer(sql) : sql);
  }

  /** Days are added in local time, so that those in which clocks change have 23 or 25 hours. */
  @ParameterizedTest
  @CsvSource({
    "America/Los_Angeles, interval 2 days preceding, current row",
    "Australia/Lord_Howe, interval '1 00' day to hour preceding, interval '1 02' day to hour following",
    "Europe/Berlin, interval 1 month preceding, interval 0 months following",
    "+05:30, interval 2 days preceding, interval 1 day preceding",
  })
  void clocksChange(String zone, String from, String to) {
    spark.conf().set("spark.sql.session.timeZone", zone);
    List<String> orders = List.of("at", "at desc");
    for (int i = 0; i < orders.size(); i++) {
      String window =
          "partition by id < 1000 order by %s range between %s and %s"
              .formatted(orders.get(i), from, to);
      columns(fewer(query(THIRDS.get((zone.length() + i) % 3), window)));
    }
  }

  /** Clocks change once in many rows, once in a few, and between any two of them. */
  @ParameterizedTest
  @ValueSource(strings = {"at", "at desc"})
  void clocksChangeBetweenRows(String order) {
    spark.conf().set("spark.sql.session.timeZone", "America/New_York");
    columnsOfSome(
        """
        select id, count(*) over (partition by k order by %s
          range between interval 9 days preceding and interval 1 days following) c
        from (select id, id %% 3 k,
            timestamp_seconds(-3000000000 + id * element_at(array(21600L, 800000, 9000000), int(id %% 3) + 1)) at
          from cells where id < 900)
        """
            .formatted(order));
  }

  /** The next change of clocks is later than any time that there is. */
  @ParameterizedTest
  @ValueSource(strings = {"at", "at desc"})
  void timesAreTheLastThatThereAre(String order) {
    spark.conf().set("spark.sql.session.timeZone", "America/New_York");
    columnsOfSome(
        """
        select id, count(*) over (partition by k order by %s
          range between interval 2 days preceding and interval 1 days preceding) c
        from (select id, 0 * id k, timestamp_micros(9223372036854775807 - t * 100000000) at
          from cells where id < 900 and t > 1800)
        """
            .formatted(order));
  }

  @Test
  void framesShareAnOperatorWithRanksAndRunningTotals() {
    String functions =
        """
        row_number() over (P) r, rank() over (P) q, sum(d) over (P) s, ntile(7) over (P) n,
        max(l) over (P rows between unbounded preceding and unbounded following) m,
        avg(d) over (P range between 90 preceding and current row) a,
        sum(i) over (P range between 90 preceding and current row) b,
        stddev(d) over (P rows between 20 preceding and 1 preceding) c,
        first(text) over (P rows between 2 following and 9 following) e,
        stddev(d) over (P rows unbounded preceding) g, max(text) over (P) h, count(i, d) over (P) j,
        sum(d18) over (P) u, avg(d15) over (P rows unbounded preceding) v, avg(d18) over (P) w
        """;
    columns(
        "select *, %s from cells".formatted(functions.replace("P", "partition by k order by t")));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void longDecimalsAreReadAsColumnsAndAsRows(boolean generated) {
    spark.conf().set("spark.sql.codegen.wholeStage", generated);
    String series =
        """
        (select id, k, sum(d18) over (P rows 2 preceding) s, avg(d18) over (P rows 9 preceding) a,
          sum(d15) over (P range 40 preceding) q, first(k) over (P rows 1 preceding) f from cells)
        """
            .replace("P", "partition by k order by t");
    try {
      columns("select * from " + series);
      columns("select id, s from " + series + " where s > 0 and a < s");
      columns("select k, max(s), min(a), sum(q), count(f) from " + series + " group by k");
    } finally {
      spark.conf().set("spark.sql.codegen.wholeStage", "false");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "collect_list(s) W rows between 2 preceding and current row | collect_list(SMALLINT) is no loop",
        "lag(i, 2) ignore nulls W | lag has no frame",
      })
  void plansSayWhichResultsComeFromRows(String window, String reason) {
    String sql =
        "select id, row_number() W) as r, %s) as other from cells where id < 2000"
            .formatted(window)
            .replace("W", "over (partition by k order by t");
    Dataset<Row> ours = WindowPlans.sameAsSpark(spark, sql);
    assertThat(WindowPlans.windows(WindowPlans.plan(ours), WindowPlace.SERIES))
        .isNotEmpty()
        .allMatch(StencilExec::supportsColumnar);
    assertThat(WindowPlans.plan(ours).toString())
        .contains("with columns of results but for other: " + reason);
    Dataset<Row> alone =
        spark.sql(
            sql.replace(
                "row_number() W) as r, ".replace("W", "over (partition by k order by t"), ""));
    assertThat(WindowPlans.windows(WindowPlans.plan(alone), WindowPlace.SERIES))
        .isNotEmpty()
        .noneMatch(StencilExec::supportsColumnar);
    assertThat(WindowPlans.plan(alone).toString())
        .contains("with rows of results as other: " + reason);
  }

  /** Spark adds a frame's rows from its first, whatever the sum of them all is. */
  @Test
  void sumsThatOverflowOnTheirWayFail() {
    spark.conf().set("spark.sql.ansi.enabled", true);
    String sql =
        """
        select id, sum(case when t = 700 then 9223372036854775807 when t = 701 then 1
          when t = 702 then -9 else t end) over (partition by half order by t FRAME) as s
        from cells where half
        """;
    for (String frame : List.of("range 3 preceding", "rows 5000 preceding")) {
      assertThatThrownBy(() -> spark.sql(sql.replace("FRAME", frame)).collectAsList())
          .hasStackTraceContaining("ARITHMETIC_OVERFLOW");
    }
    spark.conf().set("spark.sql.ansi.enabled", false);
    columnsOfSome(sql.replace("FRAME", "range 3 preceding"));
    spark.conf().set("spark.sql.ansi.enabled", true);
    columnsOfSome(sql.replace("FRAME", "range 3 preceding").replace("half\n", "t > 701\n"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "range 3 preceding",
        "range 5000 preceding",
        "rows unbounded preceding",
        "range unbounded preceding",
        "rows between unbounded preceding and unbounded following",
        "rows between 2 preceding and unbounded following"
      })
  void triedSumsThatOverflowOnTheirWayAreNull(String frame) {
    String sql =
        """
        select id, try_sum(case when t = 700 then 9223372036854775807 when t = 701 then 1
          when t = 702 then -9 else t end) over (partition by half order by t %s) as s
        from cells where half and t < 900
        """
            .formatted(frame);
    columnsOfSome(sql);
    assertThat(spark.sql(sql).filter("s is null").count()).isPositive();
  }

  private static void columnsOfSome(String sql) {
    Dataset<Row> ours = WindowPlans.sameAsSpark(spark, sql);
    assertThat(WindowPlans.windows(WindowPlans.plan(ours), WindowPlace.SERIES))
        .isNotEmpty()
        .allMatch(StencilExec::supportsColumnar);
  }

  /** The bound of a frame is not computed where nothing is compared with it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "range between 10 preceding and 5 preceding",
        "range between 10 following and 20 following",
        "range between current row and 9 following",
        "range between 10 following and unbounded following"
      })
  void boundsThatOverflowFailOnlyWhereSparksDo(String frame) {
    spark.conf().set("spark.sql.ansi.enabled", true);
    spark.conf().set("spark.sql.shuffle.partitions", "1");
    String sql =
        """
        select *, count(*) over (partition by k order by u FRAME) c from (
          select id, 0 * id as k, if(id < 30, int(id) - 2147483648,
            if(id > 7970, int(id) + 2147475600, int(id))) as u from cells where id < 8000)
        """
            .replace("FRAME", frame);
    String error = failure(sql, false);
    assertThat(failure(sql, true)).isEqualTo(error);
    if (error != null) { // rows before the one that fails are there for who wants no more
      assertThat(spark.sql(sql).limit(20).collectAsList()).hasSize(20);
    }
  }

  @Test
  void correlationsThatDivideByZeroFailAfterTheRowsBefore() {
    spark.conf().set("spark.sql.shuffle.partitions", "1");
    String sql =
        """
        select *, corr(d, f) over (partition by half order by t FRAME) as c
        from (select id, t, half, if(t > 90, 1D, sin(t)) as d, cos(t) as f from cells)
        """;
    for (String frame : List.of("rows 9 preceding", "range 5 preceding")) {
      String moving = sql.replace("FRAME", frame);
      spark.conf().set("spark.sql.ansi.enabled", false);
      columnsOfSome(moving);
      spark.conf().set("spark.sql.ansi.enabled", true);
      String error = failure(moving, false);
      assertThat(error).contains("DIVIDE_BY_ZERO");
      assertThat(failure(moving, true)).isEqualTo(error);
      spark.conf().set("spark.stencil.sql.enabled", true);
      assertThat(spark.sql(moving).limit(15).collectAsList()).hasSize(15);
      assertThat(spark.sql(moving).queryExecution().executedPlan().toString())
          .contains("with columns of results");
    }
  }

  /** Whether a division by zero is an error is what it was when the query was planned. */
  @Test
  void correlationsOfPlansOutliveAnsiMode() {
    String sql =
        "select id, corr(d, f) over (partition by half order by t, id) as c from cells order by id";
    spark.conf().set("spark.sql.adaptive.enabled", false);
    spark.conf().set("spark.sql.ansi.enabled", false);
    List<Row> expected = spark.sql(sql).collectAsList();
    Dataset<Row> planned = spark.sql(sql);
    // Planned and not run.
    assertThat(WindowPlans.windows(planned.queryExecution().executedPlan(), WindowPlace.SERIES))
        .isNotEmpty()
        .allMatch(StencilExec::supportsColumnar);
    spark.conf().set("spark.sql.ansi.enabled", true);
    assertThat(planned.collectAsList()).isEqualTo(expected);
  }

  private static String failure(String sql, boolean enabled) {
    spark.conf().set("spark.stencil.sql.enabled", enabled);
    try {
      spark.sql(sql).collectAsList();
      return null;
    } catch (Exception e) {
      Throwable cause = e;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      return cause.getMessage();
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

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

/** Windows that are no stencils, over series whose rows tasks collect as columns. */
@WithSpark
final class CollectedWindowsSparkTest {
  private static final int ROWS = 9001;

  /** Frames that begin with the series, end with it, or move. */
  private static final String WINDOWS =
      """
      select *, row_number() over (W) r0, rank() over (W) r1, percent_rank() over (W) r2,
        ntile(7) over (W) r3, sum(d) over (W) r4,
        avg(m) over (W rows between unbounded preceding and current row) r5,
        max(text) over (W) r6, count(*) over (P) r7, sum(l) over (P) r8,
        min(i) over (W rows between current row and unbounded following) r9,
        first(text) over (W rows between 3 preceding and 2 following) r10,
        collect_list(s) over (W rows between 2 preceding and current row) r11,
        lag(i, 2) ignore nulls over (W) r12, nth_value(bytes, 2) over (W) r13,
        stddev(d) over (W rows between 5 preceding and 5 following) r14
      from cells
      """;

  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    spark
        .conf()
        .set("spark.sql.codegen.wholeStage", "false"); // compiling takes longer than running
    RowsOfAllTypes.stored(spark, ROWS, 10_007, folder);
    spark.table("cells").createOrReplaceTempView("stored");
  }

  private static void view(String sql) {
    spark.sql(sql).createOrReplaceTempView("cells");
  }

  /** Runs a query as Spark does, and returns how many rows were collected as columns. */
  private static long collected(String sql) {
    Dataset<Row> ours = WindowPlans.sameWithoutSpark(spark, sql);
    assertThat(WindowPlans.series(ours)).isNotEmpty();
    return WindowPlans.seriesMetric(ours, "columnRows");
  }

  private static String windows(String keys, String order) {
    String by = "partition by " + keys;
    return WINDOWS.replace("W", by + " order by " + order).replace("P", by);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "k | t | true | 4",
        "name | t desc | false | 3",
        "even, b | d nulls last, t | true | 2",
        "few, d | m desc nulls last, t | false | 4",
        "name, k | day desc, l, t | true | 5",
        "many | t | false | 1",
        "t | id | true | 17"
      })
  void bitsAreSparks(String keys, String order, boolean adaptive, int partitions) {
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    spark.conf().set("spark.sql.shuffle.partitions", partitions);
    view("select * from stored");
    assertThat(collected(windows(keys, order))).isEqualTo(ROWS);
  }

  @Test
  void rowsBecomeColumnsInTheShuffle() {
    view("select a.* from stored a join (select distinct many from stored) b using (many)");
    assertThat(collected(windows("k", "t"))).isEqualTo(ROWS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"t, i, d", "t, text, bytes, k"})
  void columnsThatAreRead(String columns) {
    view("select k, name, %s from stored".formatted(columns.replace(", k", "")));
    String ranks =
        "select *, dense_rank() over (partition by name, k order by t desc) r from cells";
    assertThat(collected(ranks)).isEqualTo(ROWS);
  }

  /** Rows that tie have the same rank, and all of them are in a frame by values. */
  @ParameterizedTest
  @ValueSource(strings = {"even", "name, b"})
  void tiesAreTakenTogether(String keys) {
    view("select * from stored");
    String sql =
        """
        select id, rank() over (W) r0, cume_dist() over (W) r1, count(*) over (W) r2,
          sum(m) over (W range between 3 preceding and 40 following) r3, min(l) over (W) r4
        from cells
        """;
    assertThat(collected(sql.replace("W", "partition by " + keys + " order by k"))).isEqualTo(ROWS);
  }

  @Test
  void stencilsAboveTakeTheirSeries() {
    view("select * from stored");
    String sql =
        """
        select id, row_number() over (W) r0, avg(d) over (W rows 8 preceding) r1, rank() over (W) r2
        from cells
        """;
    assertThat(collected(sql.replace("W", "partition by k order by t"))).isEqualTo(ROWS);
  }

  @Test
  void valuesOfAnyTypeAreCollected() {
    view("select *, array(k) as several from stored");
    assertThat(collected(windows("k", "t"))).isEqualTo(ROWS);
    view("select * from stored");
    assertThat(collected(windows("k", "text, t"))).isEqualTo(ROWS);
    assertThat(collected(windows("k", "1, t"))).isEqualTo(ROWS);
  }

  @Test
  void noRows() {
    view("select * from stored where id < 0");
    assertThat(collected(windows("k", "t"))).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "k | t | true",
        "name, k | text, t | false",
        "day, even | m desc nulls last, t | true",
        "many | t desc | false"
      })
  void seriesThatSparkHasBroughtTogether(String keys, String order, boolean adaptive) {
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    view("select /*+ repartition(3, %s) */ * from stored".formatted(keys));
    String loops =
        """
        select *, rank() over (W) r0, sum(l) over (W) r1, first(bytes) over (W) r2,
          max(text) over (W rows 3 preceding) r3, avg(d15) over (W rows 99 preceding) r4
        from cells
        """
            .replace("W", "partition by " + keys + " order by " + order);
    for (String sql : List.of(loops, windows(keys, order))) { // of which some are no loops
      Dataset<Row> ours = WindowPlans.sameWithoutSpark(spark, sql);
      List<StencilExec> operators = WindowPlans.windows(WindowPlans.plan(ours), WindowPlace.SERIES);
      assertThat(operators).isNotEmpty().noneMatch(StencilExec::isShuffling);
      assertThat(WindowPlans.seriesMetric(ours, "columnRows")).isEqualTo(ROWS);
    }
  }

  /** A sum that overflows is an error for who wants its row, whoever brought the rows together. */
  @Test
  void rowsBeforeAFailureAreThere() {
    spark.conf().set("spark.sql.ansi.enabled", "true");
    view("select id, 1 as one, if(id = 6000, %d, l) as l from stored".formatted(Long.MAX_VALUE));
    String sql =
        """
        select * from (
          select id, sum(l) over (W rows between 3 preceding and 1 following) r0, rank() over (W) r1
          from (select /*+ repartition(2, one) */ * from cells)) limit %d
        """
            .replace("W", "partition by one order by id");
    WindowPlans.sameWithoutSpark(spark, sql.formatted(5990));
    Dataset<Row> failing = spark.sql(sql.formatted(6010));
    assertThatThrownBy(failing::collectAsList).hasMessageContaining("overflow");
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.catalyst.plan.WindowExtensions;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Series with most of the rows are cut into ranges, and have Spark's bits. */
final class SkewedSeriesSparkTest {
  private static final int ROWS = 20_011;

  private static final String WINDOWS =
      """
      select *, avg(d) over (W rows between 8 preceding and 8 following) as r0,
        sum(i) over (W rows between 40 preceding and 1 preceding) as r1,
        lag(i, 3) over (W) as r2, max(d) over (W rows between 2 following and 9 following) as r3,
        count(*) over (W rows between 4 preceding and 3 following) as r4
      from cells
      """;

  private static final String BY_KEY = "partition by k order by t";

  private SparkSession spark;

  private void start(Map<String, String> settings) {
    SparkSession.Builder builder =
        Sessions.builder("local[4]")
            .withExtensions(new WindowExtensions())
            .config("spark.stencil.sql.skewedBytes", "1");
    settings.forEach(builder::config);
    spark = builder.getOrCreate();
    Sessions.interpret(spark);
  }

  @AfterEach
  void stop() {
    spark.stop();
  }

  /** Two series have 40 and 50 % of the rows, far more than the quarter from which they are cut. */
  private void view(String order) {
    spark
        .sql(
            """
            select if(id % 10 = 9, cast(id % 97 as int), if(id % 5 < 2, null, 7)) as k,
              if(id % 10 = 9, string(id % 97), if(id % 5 < 2, 'the long one', null)) as name,
              if(id % 10 = 9, id % 7 / 2D, if(id % 5 < 2, -0D, 0D)) as odd, id % 5 < 2 as low,
              id % 2 = 0 as even,
              t, if(t % 50 = 3, null, t) as some, if(t % 50 = 3, null, -cast(t as double)) as down,
              if(id % 9 = 0, null, hash(id)) as i, case id % 8 when 0 then null when 1 then -0.0D
                when 2 then 0.0D when 3 then double('nan') else sin(id) end as d,
              'text ' || id as text
            from (select id, ORDER as t from range(0, ROWS, 1, 5))
            """
                .replace("ORDER", order)
                .replace("ROWS", "" + ROWS))
        .createOrReplaceTempView("cells");
  }

  private long cut(Dataset<Row> ours) {
    return WindowPlans.metric(ours, "cutSeries");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "partition by k order by t | id | true | 2",
        "partition by k order by t desc | ROWS - id | false | 2",
        "partition by k order by some nulls first, t | pmod(id * 7919, 1000003) | true | 2",
        "partition by k order by some nulls last, t desc | pmod(id * 7919, 1000003) | false | 2",
        "partition by k order by down desc nulls first, t | pmod(id * 7919, 1000003) | false | 2",
        "partition by name order by t | id | true | 2",
        "partition by odd order by t desc | pmod(id * 7919, 1000003) | true | 1",
        "partition by low, name, k order by t | pmod(id, 5) * 1000000 + id | false | 2",
        "partition by k order by even, t | id | true | 2",
      })
  void haveSparksBits(String by, String order, boolean adaptive, int cut) {
    start(Map.of("spark.sql.adaptive.enabled", "" + adaptive));
    view(order);
    Dataset<Row> ours = WindowPlans.sameAsSpark(spark, WINDOWS.replace("W", by));
    assertThat(WindowPlans.columnRows(ours)).isEqualTo(ROWS);
    assertThat(WindowPlans.metric(ours, "numOutputRows")).isEqualTo(ROWS);
    assertThat(cut(ours)).isEqualTo(cut);
  }

  @ParameterizedTest
  @CsvSource({"16k, 1, 2", "64k, 1, 2", "16k, 1g, 0"})
  void withoutMemory(String page, String skewed, int cut) {
    start(Map.of("spark.buffer.pageSize", page, "spark.stencil.sql.skewedBytes", skewed));
    view("pmod(id * 7919, 1000003)");
    Dataset<Row> ours = WindowPlans.sameAsSpark(spark, WINDOWS.replace("W", BY_KEY));
    assertThat(WindowPlans.columnRows(ours)).isLessThan(ROWS);
    assertThat(WindowPlans.metric(ours, "numOutputRows")).isEqualTo(ROWS);
    assertThat(cut(ours)).isEqualTo(cut);
  }

  /** Keys of the others take more memory than tasks keep, so that these number series afresh. */
  @Test
  void besideManySeriesWithLongKeys() {
    start(Map.of("spark.sql.shuffle.partitions", "1"));
    spark
        .sql(
            "select if(id % 3 = 0, repeat('key ' || id, 800), 'the long one') as k, id as t,"
                + " cast(id as int) as i, sin(id) as d from range(0, 20011, 1, 2)")
        .createOrReplaceTempView("cells");
    String sql = WINDOWS.replace("select *", "select length(k), t").replace("W", BY_KEY);
    assertThat(cut(WindowPlans.sameAsSpark(spark, sql))).isEqualTo(1);
  }

  @Test
  void seriesOfOneTimeAreNotCut() {
    start(Map.of());
    view("pmod(id, 1)");
    String sql = "select k, count(*) over (W rows between 1 preceding and 1 following) from cells";
    Dataset<Row> ours = WindowPlans.sameAsSpark(spark, sql.replace("W", BY_KEY));
    assertThat(WindowPlans.columnRows(ours)).isEqualTo(ROWS);
    assertThat(cut(ours)).isZero();
  }

  @Test
  void framesWiderThanStrips() {
    start(Map.of());
    view("id");
    String wide =
        "select *, sum(i) over (W rows between REACH preceding and REACH following) r from cells"
            .replace("W", BY_KEY);
    assertThat(cut(WindowPlans.sameAsSpark(spark, wide.replace("REACH", "300")))).isEqualTo(2);
    assertThat(cut(WindowPlans.sameAsSpark(spark, wide.replace("REACH", "1000")))).isZero();
  }

  @Test
  void aSecondWindowOverTheSameSeriesHasThemWhole() {
    start(Map.of());
    view("id");
    String both =
        "select *, row_number() over (W) as r1, avg(r0) over (W rows 5 preceding) as r2 from"
            + " (select *, sum(i) over (W rows 9 preceding) as r0 from cells)";
    Dataset<Row> ours = WindowPlans.sameWithoutSpark(spark, both.replace("W", BY_KEY));
    assertThat(WindowPlans.plan(ours).treeString()).contains("row_number");
  }

  /** Rows that tie come in one order, whichever tasks read them. */
  @ParameterizedTest
  @CsvSource({"1g, 64m", "1, 64m", "1, 16k"})
  void everyRowHasOnePlaceAmongThoseThatTie(String skewed, String page) {
    start(Map.of("spark.stencil.sql.skewedBytes", skewed, "spark.buffer.pageSize", page));
    view("pmod(id * 7919, 1000003)");
    spark.conf().set("spark.stencil.sql.enabled", "true");
    List<Row> rows =
        spark
            .sql(
                """
                select k, i, lag(i) over (W) as before, lead(i) over (W) as after,
                  count(*) over (W rows between 1 preceding and 1 following) as around
                from (select k, t div 50000 as coarse, coalesce(i, 0) as i from cells)
                """
                    .replace("W", "partition by k order by coarse"))
            .collectAsList();
    Map<Object, Map<Object, Integer>> balance = new HashMap<>();
    Map<Object, Integer> ends = new HashMap<>();
    List<Long> around = new ArrayList<>();
    for (Row row : rows) {
      Map<Object, Integer> of = balance.computeIfAbsent(row.get(0), k -> new HashMap<>());
      // As often as a value is there, it is before another, but for the last of the series.
      of.merge(row.get(1), 2, Integer::sum);
      of.merge(row.isNullAt(2) ? "first" : row.get(2), -1, Integer::sum);
      of.merge(row.isNullAt(3) ? "last" : row.get(3), -1, Integer::sum);
      around.add(row.getLong(4));
      ends.merge(row.get(0), 1, Integer::sum);
    }
    assertThat(rows).hasSize(ROWS);
    for (Map<Object, Integer> of : balance.values()) {
      assertThat(of.remove("first")).isEqualTo(-1);
      assertThat(of.remove("last")).isEqualTo(-1);
      assertThat(of.values().stream().mapToInt(n -> n).sum()).isEqualTo(2);
      assertThat(of.values()).allMatch(n -> n >= 0 && n <= 2);
    }
    long series = ends.values().stream().filter(n -> n > 1).count();
    assertThat(around.stream().filter(n -> n == 2)).hasSize((int) (2 * series));
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.RowBits;
import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.WithSpark;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Windows of one query over the same rows in the same order shuffle these once. */
@WithSpark
final class SharedRangesSparkTest {
  private static final String ENABLED = "spark.stencil.sql.enabled";
  private static final String ADAPTIVE = "spark.sql.adaptive.enabled";

  private static final Shuffles SHUFFLES = new Shuffles();
  private static SparkSession spark;

  /** Counts the stages that wrote rows for a shuffle. */
  private static final class Shuffles extends SparkListener {
    private final AtomicInteger count = new AtomicInteger();

    @Override
    public void onStageCompleted(SparkListenerStageCompleted stage) {
      if (stage.stageInfo().taskMetrics().shuffleWriteMetrics().recordsWritten() > 0) {
        count.incrementAndGet();
      }
    }
  }

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    Sessions.interpret(spark);
    spark
        .range(0, 1500)
        .selectExpr(
            "id",
            "pmod(id * 7919, 1511) as t",
            "if(id % 11 = 0, null, sin(id)) as d",
            "cast(id as int) as i")
        .repartition(3)
        .cache()
        .createOrReplaceTempView("cells");
    spark.table("cells").count();
    spark.sparkContext().addSparkListener(SHUFFLES);
  }

  @AfterAll
  static void stopListening() {
    spark.sparkContext().removeSparkListener(SHUFFLES);
  }

  private static int shufflesOf(Runnable query) throws Exception {
    spark.sparkContext().listenerBus().waitUntilEmpty();
    SHUFFLES.count.set(0);
    query.run();
    spark.sparkContext().listenerBus().waitUntilEmpty();
    return SHUFFLES.count.get();
  }

  private static void compare(String sql, int shuffles) throws Exception {
    spark.conf().set(ENABLED, "false");
    List<String> expected = RowBits.sorted(spark.sql(sql));
    spark.conf().set(ENABLED, "true");
    int counted =
        shufflesOf(() -> assertThat(RowBits.sorted(spark.sql(sql))).as(sql).isEqualTo(expected));
    assertThat(counted).as(sql).isEqualTo(shuffles);
  }

  /** Libraries ask plans for their rows; the ends of ranges must be those of the rows then too. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "min(string(i)) over (ORDER rows 2 preceding) | avg(i) over (ORDER rows between 8 preceding and 6 preceding)",
        "min(string(i)) over (ORDER rows 2 preceding) | sum(i) over (ORDER)",
        "avg(i) over (ORDER rows 2 preceding) | min(string(i)) over (ORDER rows between 8 preceding and 6 preceding)"
      })
  void outsideOfAnExecution(String below, String window) {
    spark
        .sql("select cast(id as int) as i, id % 3 = 0 as b from range(0, 20000, 1, 4)")
        .createOrReplaceTempView("many");
    String sql =
        "select string(struct(i, s, WINDOW)) as line from (select *, BELOW as s from many)"
            .replace("WINDOW", window)
            .replace("BELOW", below)
            .replace("ORDER", "order by b, i");
    spark.conf().set(ADAPTIVE, "false");
    spark.conf().set(ENABLED, "false");
    List<String> expected = RowBits.sorted(spark.sql(sql));
    spark.conf().set(ENABLED, "true");
    SparkPlan plan = WindowPlans.plan(spark.sql(sql));
    assertThat(plan.toString()).contains("(known, nothing is shuffled)");

    List<String> lines =
        plan.execute().toJavaRDD().map(row -> RowBits.word(row.getString(0))).collect().stream()
            .sorted()
            .toList();

    assertThat(lines).isEqualTo(expected);
  }

  private static Stream<Arguments> queries() {
    return Map.of(
            "other functions and frames",
            """
            select id, 1 as w, sum(d) over (ORDER rows 3 preceding) as s from cells
            union all select id, 2, max(d) over (ORDER rows between 700 preceding and 5 following) from cells
            union all select id, 3, sum(d) over (ORDER rows 3 preceding) from cells
            """,
            "a common table",
            """
            with w as (select id, i, avg(d) over (ORDER rows 9 preceding) as m from cells)
            select /*+ broadcast(b) */ a.id, a.m, b.m, a.i + b.i from w a join w b on a.id = b.id + 1
            """,
            "a subquery",
            """
            select * from (select id, count(d) over (ORDER rows 4 preceding) as n from cells)
            where n > (select min(if(id % 2 = 0, n, 9)) from (select id, count(d) over (ORDER rows 4 preceding) as n from cells))
            """,
            "windows over windows",
            """
            select id, sum(s) over (ORDER rows 3 preceding) from (select id, t, d, sum(d) over (ORDER rows 2 preceding) as s from cells)
            union all select id, sum(s) over (ORDER rows 5 preceding) from (select id, t, d, max(d) over (ORDER rows 2 preceding) as s from cells)
            """)
        .entrySet()
        .stream()
        .flatMap(
            query ->
                Stream.of("order by t", "order by d desc, t")
                    .flatMap(
                        order ->
                            Stream.of(true, false)
                                .map(
                                    adaptive ->
                                        Arguments.of(
                                            query.getKey(),
                                            order,
                                            adaptive,
                                            query.getValue().replace("ORDER", order)))));
  }

  @ParameterizedTest(name = "{0}, {1}, adaptive {2}")
  @MethodSource("queries")
  void shuffleOnce(String name, String order, boolean adaptive, String sql) throws Exception {
    spark.conf().set(ADAPTIVE, adaptive);
    compare(sql, name.equals("a subquery") ? 2 : 1); // one for its minimum
  }

  @Test
  void otherRowsAndOrdersAreShuffledOnTheirOwn() throws Exception {
    compare(
        """
        select id, sum(d) over (order by t rows 3 preceding) from cells
        union all select id, sum(d) over (order by t desc rows 3 preceding) from cells
        union all select id, sum(d) over (order by t rows 3 preceding) from cells where id > 3
        """,
        3);
  }

  @Test
  void everyRunOfAQueryShufflesAnew() throws Exception {
    String sql = "select id, sum(d) over (order by t rows 3 preceding) from cells";
    compare(sql, 1);
    compare(sql, 1);
  }
}

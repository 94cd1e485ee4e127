/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.RowBits;
import io.sparkstencil.spark.Sessions;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.joins.SortMergeJoinExec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Few rows take no more jobs and tasks than Spark's own operators do. */
final class SmallTablesSparkTest {
  private static final String SMALL = "spark.stencil.sql.smallBytes";
  private static final AtomicInteger JOBS = new AtomicInteger();
  private static final AtomicInteger TASKS = new AtomicInteger();

  private static SparkSession spark;

  @BeforeAll
  static void start(@TempDir Path folder) {
    spark = Sessions.local();
    spark
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onJobStart(SparkListenerJobStart job) {
                JOBS.addAndGet(job.stageInfos().isEmpty() ? 0 : 1); // without tasks it is none
              }

              @Override
              public void onTaskEnd(SparkListenerTaskEnd task) {
                TASKS.incrementAndGet();
              }
            });
    Dataset<Row> cells =
        spark
            .range(0, 1500, 1, 2)
            .selectExpr(
                "pmod(id * 7919, 1511) as t",
                "cast(id % 13 as int) as g",
                "if(id % 11 = 0, null, sin(id)) as d",
                "cast(id as int) as i",
                "concat('n', id) as name");
    cells.createOrReplaceTempView("made");
    String file = folder.resolve("cells").toString();
    cells.write().parquet(file);
    spark.read().parquet(file).createOrReplaceTempView("files");
    cells.repartition(3).createOrReplaceTempView("spread");
    cells.createOrReplaceTempView("cached");
    spark.catalog().cacheTable("cached");
    spark.table("cached").count();
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @BeforeEach
  void reset() {
    spark.conf().set("spark.sql.shuffle.partitions", "16");
    spark.conf().set(SMALL, "4m");
  }

  /** Returns the jobs and tasks of a query, and its rows. */
  private static List<Object> run(String sql, boolean ours) throws TimeoutException {
    spark.conf().set("spark.stencil.sql.enabled", ours);
    spark.sparkContext().listenerBus().waitUntilEmpty();
    while (spark.sparkContext().statusTracker().getActiveJobIds().length > 0) {
      Thread.onSpinWait(); // stages whose rows nobody wanted in the end
    }
    spark.sparkContext().listenerBus().waitUntilEmpty();
    JOBS.set(0);
    TASKS.set(0);
    List<String> rows = RowBits.sorted(spark.sql(sql));
    spark.sparkContext().listenerBus().waitUntilEmpty();
    return List.of(JOBS.get(), TASKS.get(), rows);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "made | avg(d) over (order by t rows between 8 preceding and 8 following)",
        "files | avg(d) over (order by t rows between 8 preceding and 8 following)",
        "cached | avg(d) over (order by t rows between 8 preceding and 8 following)",
        "spread | avg(d) over (order by t, name rows between 8 preceding and 8 following)",
        "cached | row_number() over (order by t), sum(i) over (order by t)",
        "files | row_number() over (order by t), sum(d) over (order by t)",
        "files | avg(d) over (order by t range between 60 preceding and current row)",
        "cached | last(d) ignore nulls over (order by t)",
        "made | lag(d) ignore nulls over (order by t), max(name) over (order by t rows 3 preceding)",
        "cached | avg(d) over (partition by g order by t rows between 8 preceding and 8 following)",
        "files | row_number() over (partition by g order by t), sum(d) over (partition by g order by t)",
        "spread | last(d) ignore nulls over (partition by g order by t)"
      })
  void noMoreJobsThanSpark(String table, String windows) throws TimeoutException {
    String sql = "select t, %s from %s".formatted(windows, table);
    List<Object> theirs = run(sql, false);
    List<Object> ours = run(sql, true);
    assertThat(ours.get(2)).isEqualTo(theirs.get(2));
    assertThat((int) ours.get(0)).as("jobs").isLessThanOrEqualTo((int) theirs.get(0));
    assertThat((int) ours.get(1)).as("tasks").isLessThanOrEqualTo((int) theirs.get(1));
    assertThat(WindowPlans.ours(WindowPlans.plan(spark.sql(sql)))).isNotEmpty();
  }

  /** Spark finds that a filter has left no rows, and makes no task of them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "avg(d) over (order by t rows between 8 preceding and 8 following)",
        "avg(d) over (order by t, name rows between 8 preceding and 8 following)",
        "row_number() over (order by t), sum(d) over (order by t)",
        "avg(d) over (order by t range between 60 preceding and current row)",
        "avg(d) over (partition by g order by t rows between 8 preceding and 8 following)",
        "row_number() over (partition by g order by t), first(name) over (partition by g order by t)",
        "collect_list(i) over (partition by g order by t rows 1 preceding)"
      })
  void noTasksOfNoRows(String windows) throws TimeoutException {
    for (String small : List.of("4m", "0")) {
      spark.conf().set(SMALL, small);
      for (String sql :
          List.of(
              "select t, %s from files where d > 5",
              "select max(t), count(*) from (select t, %s from files where d > 5)")) {
        List<Object> theirs = run(sql.formatted(windows), false);
        List<Object> ours = run(sql.formatted(windows), true);
        assertThat(ours.get(2)).isEqualTo(theirs.get(2));
        int sampling = small.equals("0") && !windows.contains("partition by") ? 1 : 0;
        assertThat((int) ours.get(0)).as(sql).isLessThanOrEqualTo((int) theirs.get(0) + sampling);
        assertThat((int) ours.get(1))
            .as(sql)
            .isLessThanOrEqualTo((int) theirs.get(1) + 2 * sampling);
      }
    }
  }

  /** Adaptive execution finds that nothing comes out of a window, as it does below Spark's. */
  @Test
  void joinsWithWindowsOfNoRowsDisappear() {
    spark.conf().set("spark.stencil.sql.enabled", true);
    for (String by : List.of("order by t", "partition by g order by t")) {
      String sql =
          "select /*+ merge(a) */ * from (select t, sum(d) over (%s rows 3 preceding) from files where %s) a join made using (t)";
      assertThat(joins(sql.formatted(by, "d > 5"))).isZero();
      assertThat(joins(sql.formatted(by, "d > 0"))).isEqualTo(1);
    }
  }

  private static int joins(String sql) {
    Dataset<Row> query = spark.sql(sql);
    query.collectAsList();
    assertThat(WindowPlans.ours(WindowPlans.plan(spark.sql(sql)))).isNotEmpty();
    return WindowPlans.find(WindowPlans.plan(query), SortMergeJoinExec.class).size();
  }

  private static long partitions(String sql) {
    return WindowPlans.metric(WindowPlans.sameAsSpark(spark, sql), "partitions");
  }

  @Test
  void rowsOfOneSeriesThatAreManyAreSpread() {
    spark.conf().set("spark.sql.adaptive.coalescePartitions.enabled", "false");
    String sql = "select t, avg(d) over (order by t rows 8 preceding) from cached";
    assertThat(partitions(sql)).isEqualTo(1);
    spark.conf().set(SMALL, "1k");
    assertThat(partitions(sql)).isEqualTo(16);
    spark.conf().set(SMALL, "0");
    assertThat(partitions(sql)).isEqualTo(16);
    spark.conf().unset("spark.sql.adaptive.coalescePartitions.enabled");
  }

  /** Rows that a filter leaves are not known, and those with few values take few bytes. */
  @Test
  void manyRowsOfFewBytesAreSpread() {
    spark.conf().set("spark.sql.adaptive.coalescePartitions.enabled", "false");
    spark.conf().set(SMALL, "64m");
    String sql =
        """
        select max(m), count(*) from
          (select max(i) over (order by at rows 3 preceding) m
            from (select i, x * 1500 + t at from files lateral view explode(sequence(1, %d)) as x where t >= 0))
        """;
    assertThat(partitions(sql.formatted(600))).isEqualTo(1);
    assertThat(partitions(sql.formatted(700))).isEqualTo(16);
    spark.conf().unset("spark.sql.adaptive.coalescePartitions.enabled");
  }

  /** Of computed texts Spark guesses 20 bytes; what has been shuffled says how long they are. */
  @Test
  void rowsThatSparkThinksFewAreSpreadOnceTheyHaveBeenCounted() {
    spark.conf().set("spark.sql.adaptive.coalescePartitions.enabled", "false");
    spark.conf().set(SMALL, "256k");
    String sql =
        """
        select id, avg(id) over (order by t rows 8 preceding), words from
          (select id, pmod(id * 7, 3001) t, concat(sha2(s, 512), sha2(concat(s, 1), 512), sha2(concat(s, 2), 512)) words
            from (select cast(id as string) s, id from range(0, 3000, 1, 2)))
        """;
    assertThat(partitions(sql)).isEqualTo(16);
    spark.conf().set(SMALL, "16m");
    assertThat(partitions(sql)).isEqualTo(1);
    spark.conf().unset("spark.sql.adaptive.coalescePartitions.enabled");
  }
}

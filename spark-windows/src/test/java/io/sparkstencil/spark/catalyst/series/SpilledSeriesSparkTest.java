/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.RowBits;
import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.catalyst.plan.StencilExec;
import io.sparkstencil.spark.catalyst.plan.WindowExtensions;
import io.sparkstencil.spark.catalyst.plan.WindowPlace;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.jdk.javaapi.CollectionConverters;

/** Series of a task that has memory for a part of them only: sorted runs of columns on disk. */
final class SpilledSeriesSparkTest {
  /** Bytes that rows of a task may take: four pages. A row has five words and two texts. */
  private static final String PAGE = "512k";

  private static final int ROWS = 120_000;

  private SparkSession spark;

  private void start(Map<String, Object> settings) {
    Sessions.stopOpen();
    spark =
        Sessions.builder("local[2]")
            .withExtensions(new WindowExtensions())
            .config("spark.buffer.pageSize", PAGE)
            .config("spark.sql.shuffle.partitions", "1")
            .config(settings)
            .getOrCreate();
    Sessions.compile(spark);
    spark
        .sql(
            """
            select pmod(id * 7919, 1000003) as t, if(id % 11 = 3, null, cast(id % 11 as smallint)) as k,
              concat('series ', id % 5) as name, if(id % 7 = 0, null, sin(id)) as v, id % 1000 as some,
              case id % 5 when 0 then -0.0D when 1 then 0.0D when 2 then double('nan') end as w,
              id % 20011 as many, id >= 0 as all,
              if(id % 7 = 0, null, if(id % 7 = 1, '', 'text ' || id)) as text
            from range(0, ROWS, 1, 3)
            """
                .replace("ROWS", "" + ROWS))
        .createOrReplaceTempView("cells");
  }

  @AfterEach
  void stop() {
    spark.stop();
  }

  private static String sql(String window) {
    return """
        select *, avg(v) over (W rows between 9 preceding and 5 following) as m,
          lag(v, 3) over (W) as l
        from cells
        """
        .replace("W", window);
  }

  private Dataset<Row> compared(String window) {
    Dataset<Row> ours = WindowPlans.sameAsSpark(spark, sql(window));
    assertThat(WindowPlans.metric(ours, "numOutputRows")).isEqualTo(ROWS);
    assertThat(WindowPlans.columnRows(ours)).as("rows kept in memory").isZero();
    return ours;
  }

  /** Returns the names of files that tasks have left. */
  private static List<String> leftFiles() {
    return CollectionConverters.asJava(
            SparkEnv.get().blockManager().diskBlockManager().getAllFiles())
        .stream()
        .map(File::getName)
        .filter(name -> name.startsWith("temp_local"))
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "partition by k order by t",
        "partition by k order by some desc nulls last, t",
        "partition by name order by t desc",
        "partition by w order by v nulls last, t",
        "partition by many order by t",
        "partition by name, k order by some, t",
        "partition by all order by t"
      })
  void runsAreMergedToSparksBits(String window) {
    start(Map.of());
    Dataset<Row> ours = compared(window);
    // What lies in memory takes more than a fifth of its bytes on disk, and there is more of it.
    assertThat(WindowPlans.metric(ours, "spilledBytes")).isGreaterThan(ROWS * 4L);
    assertThat(leftFiles()).isEmpty();
  }

  /** Ranges of one series, whose rows that tie have the order that they have in memory. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"*|order by t", "t, v, k, w|order by t desc", "some, v, w, k, many|order by some"})
  void rangesOfOneSeries(String columns, String window) {
    String sql = sql(window).replace("*", columns);
    start(Map.of("spark.stencil.sql.enabled", "true", "spark.buffer.pageSize", "16m"));
    Dataset<Row> inMemory = spark.sql(sql);
    List<String> rows = RowBits.of(inMemory);
    assertThat(WindowPlans.metric(inMemory, "spilledBytes")).isZero();
    start(Map.of("spark.stencil.sql.enabled", "true"));
    Dataset<Row> ours = spark.sql(sql);
    assertThat(RowBits.of(ours)).isEqualTo(rows);
    assertThat(WindowPlans.metric(ours, "spilledBytes")).isGreaterThan(ROWS * 4L);
    assertThat(leftFiles()).isEmpty();
  }

  /** Ranks, totals and frames of one series, whose cells are read from merged rows. */
  @ParameterizedTest
  @ValueSource(strings = {"t, k, v, w", "*"})
  void windowsOfOneSeriesThatAreNoStencils(String columns) {
    start(Map.of("spark.stencil.sql.smallBytes", "0"));
    for (String windows :
        List.of(
            "rank() over (W) as r, sum(v) over (W) as s, avg(w) over (W) as m",
            "stddev(v) over (W rows between 9 preceding and 5 following) as d",
            "max(v) over (W range between 90 preceding and 5 following) as x")) {
      Dataset<Row> ours =
          WindowPlans.sameAsSpark(
              spark,
              "select %s, %s from cells".formatted(columns, windows.replace("W", "order by t")));
      assertThat(WindowPlans.operators(ours))
          .hasSize(1)
          .allMatch(SparkPlan::supportsColumnar)
          .allMatch(each -> each.metrics().apply("spilledBytes").value() > ROWS * 4L);
      assertThat(leftFiles()).isEmpty();
    }
  }

  /** Ranks, totals and frames by values of series, for which rows are made of what is merged. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "partition by k order by t",
        "partition by name, k order by some desc, t",
        "partition by many order by t"
      })
  void windowsThatAreNoStencils(String window) {
    start(Map.of());
    String sql =
        """
        select *, rank() over (W) as r, sum(v) over (W) as s,
          first(name) over (W rows between 2 preceding and 3 following) as f,
          max(v) over (W rows between unbounded preceding and unbounded following) as m
        from cells
        """
            .replace("W", window);
    Dataset<Row> ours = WindowPlans.sameAsSpark(spark, sql);
    assertThat(WindowPlans.seriesMetric(ours, "numOutputRows")).isEqualTo(ROWS);
    assertThat(WindowPlans.seriesMetric(ours, "columnRows")).as("rows kept in memory").isZero();
    assertThat(WindowPlans.seriesMetric(ours, "spilledBytes")).isGreaterThan(ROWS * 4L);
    assertThat(leftFiles()).isEmpty();
  }

  /** Rows that a task collects by itself find no memory in the middle of a batch. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "t, k, v, w|k order by t",
        "*|k order by t desc",
        "*, array(t, null, k) as list, make_interval(0, 0, 0, k) as days|k order by text, t",
        "*, named_struct('a', text, 'b', v) as pair|name order by some, t"
      })
  void seriesThatSparkHasBroughtTogether(String columns, String window) {
    start(Map.of("spark.sql.adaptive.enabled", "false"));
    spark
        .table("cells")
        .repartition(2, functions.col(window.split(" ", 2)[0]))
        .createOrReplaceTempView("cells");
    String by = "partition by " + window;
    Dataset<Row> stencils =
        WindowPlans.sameAsSpark(
            spark,
            "select %s, avg(v) over (%s rows between 9 preceding and 5 following) as m from cells"
                .formatted(columns, by));
    assertThat(WindowPlans.metric(stencils, "spilledBytes")).isGreaterThan(ROWS * 4L);
    Dataset<Row> others =
        WindowPlans.sameAsSpark(
            spark,
            "select %s, rank() over (%s) as r, collect_list(some) over (%s rows 2 preceding) as l from cells"
                .formatted(columns, by, by));
    assertThat(WindowPlans.seriesMetric(others, "spilledBytes")).isGreaterThan(ROWS * 4L);
    assertThat(WindowPlans.seriesMetric(others, "columnRows")).isZero();
    assertThat(WindowPlans.plan(others).treeString()).doesNotContain("shuffled as columns");
    assertThat(leftFiles()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"partition by k order by t", "partition by many order by t"})
  void ranksAndTotalsBecomeColumnsAgain(String window) {
    start(Map.of());
    String sql =
        """
        select *, rank() over (W) as r, sum(v) over (W) as s, last(name) over (W) as l,
          stddev(v) over (W rows between 9 preceding and 5 following) as d from cells
        """
            .replace("W", window);
    Dataset<Row> ours = WindowPlans.sameAsSpark(spark, sql);
    assertThat(WindowPlans.windows(WindowPlans.plan(ours), WindowPlace.SERIES))
        .allMatch(StencilExec::supportsColumnar);
    assertThat(WindowPlans.seriesMetric(ours, "spilledBytes")).isGreaterThan(ROWS * 4L);
    assertThat(WindowPlans.seriesMetric(ours, "columnRows")).as("rows kept in memory").isZero();
  }

  @Test
  void filesAreEncryptedAndNeedNotBeCompressed() {
    start(
        Map.of(
            "spark.io.encryption.enabled", "true",
            "spark.shuffle.spill.compress", "false",
            "spark.sql.adaptive.enabled", "false"));
    Dataset<Row> ours = compared("partition by k order by t");
    assertThat(WindowPlans.metric(ours, "spilledBytes")).isPositive();
  }

  /** Filled by tasks, which run in this process. */
  private static final Set<String> RIGHTS = ConcurrentHashMap.newKeySet();

  private static void noteRights(Iterator<Row> rows) throws IOException {
    assertThat(rows.hasNext()).as("all runs are written").isTrue();
    for (File file :
        CollectionConverters.asJava(
            SparkEnv.get().blockManager().diskBlockManager().getAllFiles())) {
      if (file.getName().startsWith("temp_local")) {
        RIGHTS.add(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.toPath())));
      }
    }
  }

  @Test
  void onlyTheirOwnerMayReadFiles() {
    start(Map.of());
    spark.conf().set("spark.stencil.sql.enabled", "true");
    spark
        .sql(sql("partition by k order by t"))
        .toJavaRDD()
        .foreachPartition(SpilledSeriesSparkTest::noteRights);
    assertThat(RIGHTS).containsExactly("rw-------");
  }

  @Test
  void filesGoWithTasksThatStopEarly() {
    start(Map.of());
    spark.conf().set("spark.stencil.sql.enabled", "true");
    Dataset<Row> first = spark.sql(sql("partition by k order by t")).limit(10);
    assertThat(first.collectAsList()).hasSize(10);
    assertThat(leftFiles()).isEmpty();
  }

  /** All memory is taken by rows that came before: Spark's sorter has the rest. */
  @Test
  void withoutMemoryForARunSparkSortsTheRest() {
    start(Map.of("spark.buffer.pageSize", "16k"));
    Dataset<Row> ours = compared("partition by k order by t");
    assertThat(WindowPlans.metric(ours, "spilledBytes")).isZero();
  }

  /** Spark's prefixes of such decimals are not in their order. */
  @ParameterizedTest
  @ValueSource(strings = {"order by d", "partition by k order by d"})
  void decimalsOfNegativeScaleAreInOrderWhereSparkSortsTheRest(String window) {
    start(
        Map.of(
            "spark.buffer.pageSize", "16k",
            "spark.sql.legacy.allowNegativeScaleOfDecimal", "true",
            "spark.stencil.sql.enabled", "true"));
    List<Row> rows =
        spark
            .sql(
                """
                select id, beside, d, lag(d) over (W) as l, collect_list(id) over (W rows 1 preceding) as ids
                from (select id, id % 2 as k, struct(id) as beside,
                    cast((id * 7919 % 40009 - 20000) as decimal(15, 0)) * 1E2BD as d from range(0, 40000, 1, 2))
                """
                    .replace("W", window))
            .collectAsList();
    assertThat(rows).hasSize(40_000);
    assertThat(rows)
        .filteredOn(row -> !row.isNullAt(3))
        .allMatch(row -> row.getDecimal(3).compareTo(row.getDecimal(2)) < 0);
  }
}

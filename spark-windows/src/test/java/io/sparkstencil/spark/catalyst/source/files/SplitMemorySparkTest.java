/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.catalyst.plan.WindowExtensions;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Series of files in order have Spark's bits where tasks have little memory. */
final class SplitMemorySparkTest {
  private static final int ROWS = 80_000;

  @TempDir Path folder;
  private SparkSession spark;

  /**
   * Starts a session in which each file is read by a task.
   *
   * @param page four of these are what a task has, once it has one of ours
   */
  private void start(String page, int files) {
    Sessions.stopOpen();
    spark =
        Sessions.builder("local[4]")
            .withExtensions(new WindowExtensions())
            .config("spark.buffer.pageSize", page)
            .config("spark.sql.shuffle.partitions", "1")
            .config("spark.sql.files.openCostInBytes", "0")
            .config("spark.sql.files.maxPartitionBytes", 6_400_000 / files)
            .getOrCreate();
    Sessions.compile(spark);
    spark
        .sql(
            """
            select id as t, id div 2500 as day, if(mod(id, 7) = 0, null, cast(mod(id, 5) as int)) as k,
              cast(hash(id) as int) as i, sin(id) as d, -id as c0, sqrt(id) as c1, id + 1 as c2,
              id / 3 as c3, mod(id, 8) as c4, id * id as c5
            from range(0, %d, 1, %d)
            """
                .formatted(ROWS, files))
        .write()
        .parquet(folder.resolve("log").toString());
    spark.read().parquet(folder.resolve("log").toString()).createOrReplaceTempView("log");
  }

  @AfterEach
  void stop() {
    spark.stop();
  }

  private Dataset<Row> compared() {
    String sql =
        """
        select *, avg(d) over (W rows between 30 preceding and 30 following) as r0,
          lead(i, 5) over (W) as r1
        from log
        """;
    return WindowPlans.sameWithoutSpark(spark, sql.replace("W", "partition by k order by t"));
  }

  @Test
  void rowsNearTheCutsAreSortedAsRows() {
    start("256k", 32);

    Dataset<Row> ours = compared();

    long stayed = WindowPlans.metric(ours, "stayedRows");
    assertThat(stayed).isGreaterThan(ROWS / 2);
    assertThat(WindowPlans.columnRows(ours)).isEqualTo(stayed);
    assertThat(WindowPlans.metric(ours, "numOutputRows")).isEqualTo(ROWS);
  }

  /** All rows that a file has of a series tie, those before the gap and those after it. */
  @ParameterizedTest
  @ValueSource(strings = {"256k", "1m"})
  void rowsThatTieStayInTheirOrder(String page) {
    start(page, 32);
    String sql =
        """
        select count(distinct t), count(*), sum(r), sum(r * r), max(r)
        from (select *, count(*) over (partition by k order by day
          rows between 30 preceding and 30 following) as r from log)
        """;

    Dataset<Row> ours = WindowPlans.sameWithoutSpark(spark, sql);

    assertThat(WindowPlans.metric(ours, "stayedRows")).isGreaterThan(ROWS / 2);
    assertThat(WindowPlans.metric(ours, "numOutputRows")).isEqualTo(ROWS);
  }

  @Test
  void whatATaskCannotCollectIsShuffled() {
    start("16k", 4);

    Dataset<Row> ours = compared();

    assertThat(WindowPlans.metric(ours, "stayedRows")).isZero();
    assertThat(WindowPlans.metric(ours, "shuffledBytes")).isGreaterThan(ROWS * 8);
    assertThat(WindowPlans.metric(ours, "numOutputRows")).isEqualTo(ROWS);
  }
}

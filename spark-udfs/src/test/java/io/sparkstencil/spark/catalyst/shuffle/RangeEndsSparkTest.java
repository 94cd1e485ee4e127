/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.Stencils;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FilterFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Ranges hold fair shares of the rows, and edges are counted once whatever fails on the way. */
final class RangeEndsSparkTest {
  private static final int ROWS = 100_000;
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    Sessions.stopOpen(); // whether tasks run again is settled when a session begins
    spark =
        SparkSession.builder()
            .master("local[2,4]")
            .config("spark.ui.enabled", "false")
            .config("spark.log.level", "OFF")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "16")
            .config("spark.stencil.sql.smallBytes", "0")
            .config("spark.sql.adaptive.coalescePartitions.enabled", "false")
            .config("spark.stencil.sql.enabled", "false")
            .getOrCreate();
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static Dataset<Row> series() {
    return spark
        .range(0, ROWS, 1, 5)
        .orderBy(functions.xxhash64(functions.col("id")))
        .selectExpr("id * 3 as t", "cast(id % 1001 as double) as v");
  }

  private static Dataset<Row> mean(Dataset<Row> rows) {
    return Stencils.over(rows).orderBy("t").mean("v", 9, "m").toDataset();
  }

  private static long digest(Dataset<Row> rows) {
    return rows.selectExpr("bit_xor(xxhash64(t, v, m))").first().getLong(0);
  }

  @Test
  void noTaskHoldsMoreThanItsShare() {
    List<Row> counts =
        mean(series())
            .groupBy(functions.spark_partition_id())
            .agg(functions.count(functions.lit(1)).as("rows"))
            .collectAsList();
    assertThat(counts).hasSize(16);
    for (Row count : counts) {
      assertThat((double) count.getLong(1)).isCloseTo(ROWS / 16.0, within(ROWS / 16.0 * 0.35));
    }
  }

  @Test
  void taskThatRunsAgainChangesNothing() {
    series().createOrReplaceTempView("cells");
    long expected =
        digest(
            spark.sql(
                "select t, v, avg(v) over (order by t rows between 9 preceding and 9 following) m"
                    + " from cells"));
    FilterFunction<Row> failingAtFirst =
        row -> {
          if (TaskContext.get().attemptNumber() == 0 && row.getLong(0) % 1000 == 999) {
            throw new IllegalStateException("first attempt");
          }
          return true;
        };
    assertThat(digest(mean(series().filter(failingAtFirst)))).isEqualTo(expected);
  }

  @Test
  void keysMayBeNullEqualOrMissing() {
    Dataset<Row> nulls =
        series().withColumn("t", functions.lit(null).cast(DataTypes.LongType)).limit(50);
    assertThat(mean(nulls).count()).isEqualTo(50);
    Dataset<Row> equal = series().withColumn("t", functions.lit(Long.MIN_VALUE)).limit(50);
    assertThat(mean(equal).count()).isEqualTo(50);
    assertThat(mean(series().filter("v < 0")).count()).isZero();
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.RowBits;
import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import io.sparkstencil.testkit.RequiresGpu;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Series whose rows a GPU has sorted have the bits of the CPU. */
@RequiresGpu
final class DeviceSeriesGpuSparkTest {
  private static final long ROWS = 1_200_000;

  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = Sessions.builder("local[4]").config("spark.stencil.sql.enabled", "true").getOrCreate();
    spark
        .sql(
            """
            select cast(hash(id) % 700 as int) as k, cast(id % 5 as tinyint) as b,
              (id * 7919) % 1200007 as t, xxhash64(id) as wide,
              if(id % 8 = 0, null, sin(id)) as v, if(id % 10 = 0, null, id % 999 / 10D) as f, if(id % 9 = 0, null, hash(id)) as i
            from range(0, ROWS, 1, 4)
            """
                .replace("ROWS", "" + ROWS))
        .write()
        .parquet(folder.resolve("cells").toString());
    spark.read().parquet(folder.resolve("cells").toString()).createOrReplaceTempView("cells");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static Dataset<Row> query(String by, String engine) {
    spark.conf().set("spark.stencil.engine", engine);
    return spark.sql(
        """
        select *, avg(v) over (BY rows between 8 preceding and 8 following) as r0,
          max(i) over (BY rows between 3 preceding and current row) as r1
        from cells
        """
            .replace("BY", by));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "partition by k order by t",
        "partition by b, k order by t desc",
        "partition by k order by wide",
        "partition by k order by b, t",
        "partition by t order by k",
        "partition by b order by t"
      })
  void rowsHaveTheBitsOfTheCpu(String by) {
    List<String> expected = RowBits.sorted(query(by, "cpu"));
    for (String engine : List.of("gpu", "auto")) {
      Dataset<Row> ours = query(by, engine);
      assertThat(RowBits.sorted(ours)).isEqualTo(expected);
      assertThat(WindowPlans.metric(ours, "deviceRows")).isEqualTo(ROWS);
      assertThat(WindowPlans.metric(ours, "fallbacks")).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"partition by k order by t", "partition by b, k order by t desc"})
  void ranksAndTotalsHaveTheBitsOfTheCpu(String by) {
    String sql =
        "select *, rank() over (BY) as r0, sum(v) over (BY) as r1, max(i) over (BY range between 99"
            + " preceding and current row) as r2 from cells";
    spark.conf().set("spark.stencil.engine", "cpu");
    List<String> expected = RowBits.sorted(spark.sql(sql.replace("BY", by)));
    spark.conf().set("spark.stencil.engine", "auto");
    Dataset<Row> ours = spark.sql(sql.replace("BY", by));
    assertThat(RowBits.sorted(ours)).isEqualTo(expected);
    assertThat(WindowPlans.seriesMetric(ours, "deviceRows")).isEqualTo(ROWS);
    assertThat(WindowPlans.seriesMetric(ours, "fallbacks")).isZero();
  }
}

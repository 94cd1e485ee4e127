/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.Sessions;
import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Series so long that they are split before they are sorted have Spark's results. */
@WithSpark
final class LongSeriesSparkTest {
  private static final int ROWS = 200_000;

  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    Sessions.compile(spark);
    Path files = folder.resolve("long");
    spark
        .sql(
            """
            select if(id %% 100 = 1, 1, 0) as k, (id * 70001) %% %1$d as t,
              if(id %% 7 = 0, null, cast(hash(id) %% 1000 as smallint)) as s,
              case id %% 50 when 0 then null when 1 then double('nan') when 2 then -0.0D
                when 3 then 0.0D else sin(id) end as d,
              string(id %% 1000) as text
            from range(0, %1$d, 1, 2)
            """
                .formatted(ROWS))
        .write()
        .parquet(files.toString());
    spark.read().parquet(files.toString()).createOrReplaceTempView("cells");
  }

  @ParameterizedTest
  @ValueSource(strings = {"t desc", "s nulls last, t", "d desc nulls first, s, t"})
  void longSeriesAtRandomHaveSparksResults(String order) {
    String sql =
        """
        select t % 64 as part, sum(xxhash64(k, t, s, d, text, r0, r1, r2) >> 24) as hash
        from (select *, avg(d) over (W rows 7 preceding) as r0, lag(t, 3) over (W) as r1,
          count(s) over (W rows between 2 preceding and 5 following) as r2 from cells)
        group by t % 64
        """
            .replace("W", "partition by k order by " + order);
    Dataset<Row> ours = WindowPlans.sameWithoutSpark(spark, sql);
    assertThat(WindowPlans.columnRows(ours)).isEqualTo(ROWS);
  }
}

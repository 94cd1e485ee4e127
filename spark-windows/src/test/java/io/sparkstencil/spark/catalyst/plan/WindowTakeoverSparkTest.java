/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.WithSpark;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unchanged queries are planned with stencils and give Spark's bits. */
@WithSpark
final class WindowTakeoverSparkTest {
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    spark
        .sql(
            """
            select id, pmod(id * 7919, 20011) as t, cast(id % 7 as int) as g, hash(id) as i,
              if(id % 9 = 0, null, sin(id)) as d, cast(cos(id) as float) as f,
              if(id % 5 = 0, null, id * 1000) as l, cast(id % 1000 as decimal(9, 2)) as small,
              cast(id as decimal(15, 3)) as large, cast(id % 300 as string) as text
            from range(0, 2003)
            """)
        .createOrReplaceTempView("rows");
  }

  private static final String ALL =
      """
      select *, sum(i) W, avg(i) W, min(i) W, max(i) W, count(i) W, count(*) W, sum(d) W, avg(d) W,
        min(d) W, max(d) W, count(d) W, sum(f) W, avg(f) W, min(f) W, sum(l) W, avg(l) W, max(l) W,
        try_sum(l) W, try_avg(large) W,
        sum(small) W, avg(small) W, min(small) W, sum(large) W, avg(large) W, count(text) W,
        avg(d + 1) W
      from rows
      """;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "partition by g order by t rows between 3 preceding and 2 following",
        "partition by g order by t rows between 1000 preceding and current row",
        "order by t rows between 3 preceding and 2 following",
        "order by t desc rows between 3 following and 5 following",
        "partition by text order by d desc nulls last, t rows between 7 preceding and 2 preceding"
      })
  void everyFunction(String window) {
    Dataset<Row> ours =
        WindowPlans.sameWithoutSpark(spark, ALL.replace("W", "over (" + window + ")"));
    assertThat(WindowPlans.stencils(ours)).isNotEmpty();
  }
}

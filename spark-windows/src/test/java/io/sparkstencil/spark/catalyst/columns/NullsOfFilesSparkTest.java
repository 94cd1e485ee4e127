/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nulls in the columns of Parquet files, whose places are not for reading. */
@WithSpark
final class NullsOfFilesSparkTest {
  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
  }

  /** Vectors keep what an earlier row group has left in the place of a null. */
  @ParameterizedTest
  @CsvSource({"tinyint, false", "smallint, false", "tinyint, true", "smallint, true"})
  void nullsAfterRowGroupsWithLargerDictionaries(String type, boolean offHeap) {
    spark.conf().set("spark.sql.columnVector.offheap.enabled", offHeap);
    String path = folder.resolve(type + offHeap).toString();
    spark
        .sql(
            """
            select id as t, id % 4 as k, if(id % 3 = 0 or id >= 20000 and id % 7 < 5, null,
              cast(if(id < 20000, id % 100, id % 2) as TYPE)) as v
            from range(0, 30000, 1, 1)
            """
                .replace("TYPE", type))
        .write()
        .option("parquet.block.size", 4096)
        .option("parquet.page.size", 1024)
        .option("parquet.page.row.count.limit", "500")
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("cells");
    String by = "partition by k order by t";
    String sql = "select *, avg(v) over (W rows 9 preceding) from cells".replace("W", by);
    requireColumns(sql, 30_000);
    requireColumns(sql.replace("cells", "cells where v is null or v < 50"), 23_334);
  }

  private static void requireColumns(String sql, long rows) {
    assertThat(WindowPlans.columnRows(WindowPlans.sameWithoutSpark(spark, sql))).isEqualTo(rows);
  }
}

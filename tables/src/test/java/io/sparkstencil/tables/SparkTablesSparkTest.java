/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.tables;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Windows over Spark's own tables. */
final class SparkTablesSparkTest {
  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        TableSessions.builder()
            .config("spark.sql.warehouse.dir", folder.toString())
            .config("spark.sql.sources.bucketing.autoBucketedScan.enabled", "true")
            .getOrCreate();
  }

  @AfterAll
  static void stop() {
    if (spark != null) {
      spark.stop();
    }
  }

  private static String line(String source, String table, String details) {
    spark.sql("create table %s using %s as %s".formatted(table, details, TableSessions.CELLS));
    return new TableWindows(spark, source, table).line();
  }

  @Test
  void thePageSaysWhatBecomesOfWindows() throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(line("Parquet", "cells", "parquet"));
    lines.add(line("Parquet, partitions by the key", "parts", "parquet partitioned by (k)"));
    String buckets = "parquet clustered by (k) %s into 4 buckets";
    lines.add(line("Parquet, buckets of the key", "buckets", buckets.formatted("")));
    lines.add(
        line("Parquet, sorted buckets of the key", "runs", buckets.formatted("sorted by (k, id)")));
    lines.add(line("ORC", "orc", "orc"));
    lines.add(line("CSV", "csv", "csv"));
    lines.add(line("JSON", "json", "json"));
    spark.sql("cache table kept as select * from cells");
    lines.add(new TableWindows(spark, "a cached table", "kept").line());
    TablesPage.require(SparkTablesSparkTest.class, lines);
  }
}

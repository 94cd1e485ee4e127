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

/** Windows over what Comet reads. */
final class CometTablesSparkTest {
  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        TableSessions.builder()
            .config("spark.plugins", "org.apache.spark.CometPlugin")
            .config(
                "spark.shuffle.manager",
                "org.apache.spark.sql.comet.execution.shuffle.CometShuffleManager")
            .config("spark.memory.offHeap.enabled", "true")
            .config("spark.memory.offHeap.size", "512m")
            .config("spark.comet.enabled", "true")
            .config("spark.comet.exec.enabled", "true")
            // Its own windows take from a sum what leaves a frame: other bits than Spark's.
            .config("spark.comet.exec.window.enabled", "false")
            .getOrCreate();
  }

  @AfterAll
  static void stop() {
    if (spark != null) {
      spark.stop();
    }
  }

  private static String line(String source, String view, String sql) {
    spark.sql(sql).createOrReplaceTempView(view);
    return new TableWindows(spark, source, view).line();
  }

  @Test
  void thePageSaysWhatBecomesOfWindows() throws IOException {
    String files = folder.resolve("cells").toString();
    spark.sql(TableSessions.CELLS).write().parquet(files);
    List<String> lines = new ArrayList<>();
    lines.add(line("Parquet", "cells", "select * from parquet.`%s`".formatted(files)));
    lines.add(
        line(
            "a filter and a selection over Parquet",
            "filtered",
            "select id, k, v * 2 as v from cells where s is not null and id > 10"));
    lines.add(
        line(
            "an aggregate",
            "counts",
            "select max(id) as id, k, sum(v) as v from cells group by k, s"));
    TablesPage.require(CometTablesSparkTest.class, lines);
  }
}

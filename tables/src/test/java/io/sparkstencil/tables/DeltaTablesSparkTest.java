/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.tables;

import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows over Delta's tables. */
final class DeltaTablesSparkTest {
  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        TableSessions.builder()
            .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
            .config(
                "spark.sql.catalog.spark_catalog",
                "org.apache.spark.sql.delta.catalog.DeltaCatalog")
            .config("spark.sql.warehouse.dir", folder.toString())
            .config("spark.databricks.delta.snapshotPartitions", "1")
            .getOrCreate();
    table("deleted", "tblproperties ('delta.enableDeletionVectors' = 'true')");
    spark.sql("delete from deleted where id % 10 = 3");
  }

  @AfterAll
  static void stop() {
    if (spark != null) {
      spark.stop();
    }
  }

  private static void table(String name, String details) {
    spark.sql("create table %s using delta %s as %s".formatted(name, details, TableSessions.CELLS));
  }

  private static String line(String source, String table) {
    return new TableWindows(spark, source, table).line();
  }

  @Test
  void thePageSaysWhatBecomesOfWindows() throws IOException {
    List<String> lines = new ArrayList<>();
    table("plain", "");
    lines.add(line("Parquet", "plain"));
    table("mapped", "tblproperties ('delta.columnMapping.mode' = 'name')");
    spark
        .sql(
            "select id + 300 as id, k, v, s, id / 2D as x from (%s)".formatted(TableSessions.CELLS))
        .write()
        .format("delta")
        .mode("append")
        .option("mergeSchema", "true")
        .saveAsTable("mapped");
    lines.add(line("columns under other names in files, one of them added", "mapped"));
    table("parts", "partitioned by (s)");
    lines.add(line("partitions, one of them null", "parts"));
    table("by_key", "partitioned by (k)");
    lines.add(line("partitions by the key", "by_key"));
    lines.add(line("deletion vectors", "deleted"));
    TablesPage.require(DeltaTablesSparkTest.class, lines);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "order by id desc rows 3 preceding",
        "order by v, id",
        "order by s, id rows between 1 preceding and 4 following",
        "partition by s order by id range 9 preceding",
      })
  void deletedRowsStayAway(String window) {
    WindowPlans.sameAsSpark(
        spark, "select *, sum(v) over (%s), count(*) over (%1$s) from deleted".formatted(window));
  }
}

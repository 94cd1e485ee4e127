/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.tables;

import static org.assertj.core.api.Assertions.assertThat;

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

/** Windows over Iceberg's tables. */
final class IcebergTablesSparkTest {
  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        TableSessions.builder()
            .config(
                "spark.sql.extensions",
                "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions")
            .config("spark.sql.catalog.ice", "org.apache.iceberg.spark.SparkCatalog")
            .config("spark.sql.catalog.ice.type", "hadoop")
            .config("spark.sql.catalog.ice.warehouse", folder.toString())
            .config("spark.sql.sources.v2.bucketing.enabled", "true")
            .config("spark.sql.iceberg.planning.preserve-data-grouping", "true")
            .getOrCreate();
  }

  @AfterAll
  static void stop() {
    if (spark != null) {
      spark.stop();
    }
  }

  private static void table(String name, String details) {
    spark.sql(
        "create table ice.db.%s using iceberg %s as %s"
            .formatted(name, details, TableSessions.CELLS));
  }

  private static String properties(String... keysAndValues) {
    List<String> pairs = new ArrayList<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      pairs.add("'%s' = '%s'".formatted(keysAndValues[i], keysAndValues[i + 1]));
    }
    return "tblproperties (%s)".formatted(String.join(", ", pairs));
  }

  private static String line(String source, String table) {
    return new TableWindows(spark, source, "ice.db." + table).line();
  }

  private static void changeColumns(String table) {
    spark.sql("alter table ice.db.%s add column x double".formatted(table));
    spark.sql("alter table ice.db.%s rename column s to text".formatted(table));
    spark.sql(
        "insert into ice.db.%s select id + 300, k, v, s, id / 2D from (%s)"
            .formatted(table, TableSessions.CELLS));
  }

  private static void deleteRows(String table) {
    spark.sql("delete from ice.db.%s where id %% 10 = 3".formatted(table));
  }

  @Test
  void thePageSaysWhatBecomesOfWindows() throws IOException {
    List<String> lines = new ArrayList<>();
    table("plain", "");
    lines.add(line("Parquet", "plain"));
    table("altered", "");
    changeColumns("altered");
    lines.add(line("Parquet, a column added and one renamed", "altered"));
    table("parts", "partitioned by (s)");
    lines.add(line("partitions, one of them null", "parts"));
    table("buckets", "partitioned by (bucket(4, k))");
    lines.add(line("partitions by buckets of the key", "buckets"));
    String[] merged = {"format-version", "2", "write.delete.mode", "merge-on-read"};
    table("deletes", properties(merged));
    deleteRows("deletes");
    lines.add(line("merge on read: files of deletes", "deletes"));
    merged[1] = "3";
    table("vectors", properties(merged));
    deleteRows("vectors");
    lines.add(line("merge on read: deletion vectors", "vectors"));
    table(
        "orc", properties("write.format.default", "orc", "read.orc.vectorization.enabled", "true"));
    changeColumns("orc");
    lines.add(line("ORC, vectorised, a column added and one renamed", "orc"));
    table("single", properties("read.parquet.vectorization.enabled", "false"));
    lines.add(line("Parquet, read row by row", "single"));
    TablesPage.require(IcebergTablesSparkTest.class, lines);
    TablesPage.requireVersions();
  }

  @Test
  void aColumnThatWasAddedIsNullInOlderFiles() {
    spark.sql("create table ice.db.a (id bigint, k bigint) using iceberg");
    spark.sql("insert into ice.db.a select id, id % 3 from range(20)");
    spark.sql("alter table ice.db.a add column x double");
    String sql =
        "select *, count(x) over (partition by k order by id rows 3 preceding) from ice.db.a";
    assertThat(WindowPlans.sameWithoutSpark(spark, sql).count()).isEqualTo(20);
  }
}

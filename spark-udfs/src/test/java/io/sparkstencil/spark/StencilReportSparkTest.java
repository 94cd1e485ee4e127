/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a report says about a finished query. */
@WithSpark
final class StencilReportSparkTest {
  @TempDir private Path folder;

  @Test
  void aReportHasWhatTheQueryDid(SparkSession spark) throws Exception {
    spark.conf().set("spark.sql.adaptive.enabled", "false");
    spark.conf().set("spark.sql.shuffle.partitions", "5");
    Dataset<Row> table = spark.sql("select pmod(id * 7, 1000) as t, id as v from range(1000)");
    Dataset<Row> result =
        Stencils.over(table)
            .orderBy("t")
            .engine("reference")
            .mean("v", 2, "m")
            .sum("v", 2, "s")
            .toDataset();
    assertThat(result.queryExecution().executedPlan().toString())
        .contains("Stencil [stencil_mean(v")
        .contains("rows -2..+2, shrink, exact")
        .contains("reference");
    StencilReport report = StencilReport.listen(spark);
    result.write().format("noop").mode("overwrite").save();
    report.close();
    assertThat(report.engine()).isEqualTo("reference");
    assertThat(report.rows()).isEqualTo(1000);
    assertThat(report.cells()).isEqualTo(2000);
    assertThat(report.partitions()).isEqualTo(5);
    // Two staged columns, two rows on each side of four edges between partitions.
    assertThat(report.haloCellsMoved()).isEqualTo(2 * 2 * 2 * 4);
    assertThat(report.shuffledBytes()).isPositive();
    assertThat(report.totalMillis()).isPositive();
    assertThat(report.cellsPerSecond()).isPositive();
    assertThat(report.millisByStep())
        .containsOnlyKeys("shuffle", "halo", "sort", "stencil", "total");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void countsResultsOnceWherePartitionsOverlap(boolean columnar, SparkSession spark)
      throws Exception {
    String path = folder.resolve("series").toString();
    spark
        .sql(
            "select id as t, id * 1.0D as v%s from range(0, 1000, 1, 5)"
                .formatted(columnar ? "" : ", 'x' as text"))
        .write()
        .parquet(path);
    StencilReport report = StencilReport.listen(spark);
    Stencils.over(spark.read().parquet(path))
        .orderBy("t")
        .ordered()
        .mean("v", 3, "m")
        .max("v", 9, "x")
        .toDataset()
        .write()
        .format("noop")
        .mode("overwrite")
        .save();
    report.close();
    assertThat(report.rows()).isEqualTo(1000);
    assertThat(report.cells()).isEqualTo(2000);
  }
}

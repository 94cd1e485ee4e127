/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.WithSpark;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Running sums of doubles, alone and among others, have Spark's bits wherever their rows lie. No
 * rows tie.
 */
@WithSpark
final class DoubleSumsSparkTest {
  private static final int ROWS = 1500;
  private static final String MANY = "sum(z), avg(z), sum(none), avg(none), sum(e), avg(d), sum(d)";
  private static final String COUNTS = "try_sum(e), sum(d), count(*), row_number()";
  private static final String OTHERS = "sum(d), sum(f), stddev(d), sum(d + 1), avg(t)";

  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    spark.conf().set("spark.sql.codegen.wholeStage", "false"); // compiling takes longer
    spark.conf().set("spark.sql.files.maxPartitionBytes", "4k");
    Dataset<Row> rows =
        spark
            .range(0, ROWS, 1, 6)
            .selectExpr(
                "id as t",
                "id div 40 as tied",
                // No value in the first range or two, then zeros of both signs.
                "if(id < 300 or id % 7 = 0, null, if(id < 400, -0.0D, sin(id) * pow(10, id % 9))) d",
                "-0.0D as z",
                "if(id = 1200, double('NaN'), if(id = 900, double('infinity'), cos(id))) as e",
                "cast(null as double) as none",
                "cast(id % 1000 as float) / 3 as f");
    rows.write().mode(SaveMode.Overwrite).parquet(folder.resolve("feed").toString());
    read("feed");
    spark
        .table("feed")
        .orderBy(org.apache.spark.sql.functions.xxhash64(spark.table("feed").col("t")))
        .coalesce(3)
        .write()
        .mode(SaveMode.Overwrite)
        .parquet(folder.resolve("random").toString());
    read("random");
  }

  private static void read(String name) {
    spark.read().parquet(folder.resolve(name).toString()).createOrReplaceTempView(name);
  }

  /** Results of one column alone, and by turns with those of others. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "feed | t | rows unbounded preceding | " + MANY,
        "feed | t desc | rows unbounded preceding | " + COUNTS,
        "feed | t | range unbounded preceding | " + OTHERS,
        "feed | tied, t | rows unbounded preceding | " + MANY,
        "random | t | rows unbounded preceding | " + OTHERS,
        "random | tied desc, t | range unbounded preceding | " + COUNTS,
        "random | e | rows between unbounded preceding and unbounded following | " + MANY
      })
  void sumsAndAverages(String table, String order, String frame, String calls) {
    same(order.startsWith("tied") ? "avg(d)" : "sum(d)", table, order, frame);
    same(calls, table, order, frame);
  }

  private static void same(String calls, String table, String order, String frame) {
    StringBuilder sql = new StringBuilder("select t");
    int count = 0;
    for (String call : calls.split(", ")) {
      String rows = call.equals("row_number()") ? "" : " " + frame;
      sql.append(", %s over (order by %s%s) c%d".formatted(call, order, rows, count++));
    }
    Dataset<Row> ours = WindowPlans.sameAsSpark(spark, sql + " from " + table);
    assertThat(WindowPlans.running(ours)).hasSize(count);
    assertThat(WindowPlans.sparks(ours)).isZero();
  }
}

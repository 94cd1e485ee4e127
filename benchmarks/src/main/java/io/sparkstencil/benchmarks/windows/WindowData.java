/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.windows;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.rand;
import static org.apache.spark.sql.functions.xxhash64;

import io.sparkstencil.benchmarks.harness.LocalSpark;
import io.sparkstencil.spark.StencilQuery;
import io.sparkstencil.spark.Stencils;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * One long series as Parquet of (t bigint, v double), with its rows in order and in random order,
 * and moving means over it.
 *
 * @param spark the session that reads and writes
 * @param folder where the files lie
 * @param rows how many rows the series has
 * @param files over how many files the rows are spread
 */
record WindowData(SparkSession spark, Path folder, long rows, int files) {
  static final String ORDERED = "ordered";
  static final String SHUFFLED = "shuffled";

  /** Returns a session with two task threads in this process. */
  static SparkSession session(String name) {
    return LocalSpark.session(name, "local[2]")
        .config("spark.stencil.sql.enabled", "false") // what is compared with is Spark's own
        .getOrCreate();
  }

  private String file(String name) {
    return folder.resolve("%s-%d-in-%d".formatted(name, rows, files)).toString();
  }

  /** Writes the series in order and in random order, unless it is there. */
  void write() {
    LocalSpark.writeOnce(
        file(ORDERED),
        spark
            .range(0, rows, 1, files)
            .select(col("id").multiply(10).as("t"), rand(7).multiply(100).as("v")));
    LocalSpark.writeOnce(
        file(SHUFFLED),
        spark
            .read()
            .parquet(file(ORDERED))
            .repartitionByRange(files, xxhash64(col("t")))
            .sortWithinPartitions(xxhash64(col("t"))));
  }

  /** Returns the mean over {@code radius} rows on both sides by Spark's own window. */
  Dataset<Row> sparks(String name, int radius) {
    Dataset<Row> input = spark.read().parquet(file(name));
    input.createOrReplaceTempView(name);
    return spark.sql(
        "select t, v, avg(v) over (order by t rows between %d preceding and %d following) m from %s"
            .formatted(radius, radius, name));
  }

  /** Returns the same by a stencil; the rows in order are declared so. */
  Dataset<Row> ours(String name, int radius) {
    StencilQuery query =
        Stencils.over(spark.read().parquet(file(name))).orderBy("t").mean("v", radius, "m");
    return (name.equals(ORDERED) ? query.ordered() : query).toDataset();
  }

  /** Returns a number that depends on every value of the rows, not on their order. */
  static long digest(Dataset<Row> query) {
    return LocalSpark.digest(query, "t, v, m");
  }
}

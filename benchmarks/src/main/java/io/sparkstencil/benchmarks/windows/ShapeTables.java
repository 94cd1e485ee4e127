/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.windows;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.xxhash64;

import io.sparkstencil.benchmarks.harness.LocalSpark;
import java.nio.file.Path;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Tables in Parquet with all that queries read: {@code series}, {@code many}, {@code few} and
 * {@code skewed} are keys, and {@code name} is that of the series, a text; {@code t} and {@code
 * day} are orders, the latter with 8 rows of each series that tie; {@code v} is double, {@code n}
 * the same with nulls, {@code i} int, {@code l} bigint, {@code d} decimal(15, 2), {@code s} a text
 * of 20 bytes. Values are functions of the row's number, so that a table with fewer rows has the
 * first of one with more, apart from {@code many}.
 *
 * @param folder where the files lie
 * @param series how many series there are, by {@code series} and, without the longest, by {@code
 *     skewed}
 * @param files over how many files the rows of a table are spread
 */
record ShapeTables(Path folder, int series, int files) {
  private static final int ROWS_OF_MANY = 64;

  /**
   * Writes a table, unless it is there.
   *
   * @param random whether rows come in random order and not by {@code t}
   */
  void write(SparkSession plain, long rows, boolean random) {
    Dataset<Row> ids = plain.range(0, rows, 1, files).toDF();
    if (random) {
      // The numbers are put in order, not the rows, which are much longer.
      Column hash = xxhash64(col("id"));
      ids = ids.repartitionByRange(files, hash).sortWithinPartitions(hash);
    }
    LocalSpark.writeOnce(file(rows, random), ids.select(columns(rows)));
  }

  /** Returns a table that has been written. */
  Dataset<Row> read(SparkSession session, long rows, boolean random) {
    return session.read().parquet(file(rows, random));
  }

  private String file(long rows, boolean random) {
    return folder
        .resolve("shapes-%s-%d-%d".formatted(random ? "random" : "feed", rows, series))
        .toString();
  }

  private Column[] columns(long rows) {
    return new Column[] {
      expr("cast(id %% %d as int)".formatted(series)).as("series"),
      expr("cast(id %% %d as int)".formatted(Math.max(1, rows / ROWS_OF_MANY))).as("many"),
      expr("cast(id % 16 as int)").as("few"),
      expr("if(id %% 10 < 9, 0, cast(1 + id div 10 %% %d as int))".formatted(series)).as("skewed"),
      expr("concat('station ', id %% %d)".formatted(series)).as("name"),
      expr("10 * id").as("t"),
      expr("date_add(date'1990-01-01', cast(id div %d as int))".formatted(8L * series)).as("day"),
      expr("pmod(xxhash64(id), 1000000007) / 1e7").as("v"),
      expr("if(id % 10 = 3, null, pmod(xxhash64(id), 1000000007) / 1e7)").as("n"),
      expr("cast(pmod(xxhash64(id), 10007) as int)").as("i"),
      expr("xxhash64(id) >> 30").as("l"),
      expr("cast((xxhash64(id) >> 24) / 100bd as decimal(15, 2))").as("d"),
      expr("rpad(hex(xxhash64(id)), 20, '.')").as("s")
    };
  }
}

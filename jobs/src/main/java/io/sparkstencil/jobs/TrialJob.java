/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import static org.apache.spark.sql.functions.col;

import io.sparkstencil.jobs.ApplyRequest.ResultColumn;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A small job whose result is known: the sliding sums of 0, 1, 2, ... are 3i, but for the ends.
 *
 * @param session where it runs
 */
record TrialJob(SparkSession session) {
  private static final int ROWS = 10_000;

  /** Runs the job through Spark and compares every row. */
  Check run() {
    long start = System.nanoTime();
    Dataset<Row> table =
        session.range(0, ROWS, 1, 4).toDF("t").withColumn("v", col("t").cast("double"));
    ResultColumn sum = new ResultColumn("v", Stencil.sum(Frame.radius(1)), "s");
    Dataset<Row> result =
        StencilRun.apply(table, new ApplyRequest("t", List.of(), List.of(sum), false, "auto"));
    long wrong = 0;
    List<Row> rows = result.select("t", "s").collectAsList();
    for (Row row : rows) {
      long t = row.getLong(0);
      long expected = t == 0 ? 1 : t == ROWS - 1 ? 2 * t - 1 : 3 * t;
      if (row.isNullAt(1) || row.getDouble(1) != expected) {
        wrong++;
      }
    }
    if (rows.size() != ROWS || wrong > 0) {
      return Check.broken(
          "Trial job",
          "%d rows of %d, %d of them wrong".formatted(rows.size(), ROWS, wrong),
          "report this with the output of bin/stencil doctor --json");
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    return Check.ok(
        "Trial job", "%d rows through Spark in %.1f s, all right".formatted(ROWS, seconds));
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.doctor;

import static org.apache.spark.sql.functions.col;

import io.sparkstencil.jobs.apply.ApplyRequest;
import io.sparkstencil.jobs.apply.ApplyRequest.ResultColumn;
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
 * @param engine the engine's name
 */
record TrialJob(SparkSession session, String engine) {
  private static final int ROWS = 10_000;

  /** Returns what the doctor calls it. */
  String subject() {
    return "Trial on " + engine;
  }

  /** Runs the job through Spark and compares every row. */
  Check run() {
    long start = System.nanoTime();
    Dataset<Row> table =
        session.range(0, ROWS, 1, 4).toDF("t").withColumn("v", col("t").cast("double"));
    ResultColumn sum = new ResultColumn("v", Stencil.sum(Frame.radius(1)), "s");
    Dataset<Row> result =
        new ApplyRequest("t", List.of(), List.of(sum), false, engine).applyTo(table);
    List<Row> rows = result.select("t", "s").collectAsList();
    long wrong = rows.stream().filter(row -> !isRight(row)).count();
    if (rows.size() != ROWS || wrong > 0) {
      return Check.broken(
          subject(),
          "%d rows of %d, %d of them wrong".formatted(rows.size(), ROWS, wrong),
          "report this with the output of bin/stencil doctor --json");
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    return Check.ok(
        subject(), "%d rows through Spark in %.1f s, all right".formatted(ROWS, seconds));
  }

  private static boolean isRight(Row row) {
    long t = row.getLong(0);
    long expected = t == 0 ? 1 : t == ROWS - 1 ? 2 * t - 1 : 3 * t;
    return !row.isNullAt(1) && row.getDouble(1) == expected;
  }
}

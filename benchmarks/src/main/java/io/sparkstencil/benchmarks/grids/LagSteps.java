/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import io.sparkstencil.benchmarks.harness.Turns;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/** Steps of heat in one dimension as Spark's users write them: a window with lag and lead each. */
final class LagSteps {
  private static final String STEP =
      "t, u + 0.1 * (coalesce(lag(u) over w, u) - 2 * u + coalesce(lead(u) over w, u)) as u";

  private LagSteps() {}

  /** Returns the seconds of each step, the rows of which are cached, and given up after it. */
  static List<Double> seconds(SparkSession spark, long cells, int steps) {
    List<Double> seconds = new ArrayList<>();
    Dataset<Row> rows =
        spark.range(cells).select(functions.col("id").as("t"), functions.rand(1).as("u")).cache();
    rows.count();
    for (int step = 0; step < steps; step++) {
      rows.createOrReplaceTempView("cells");
      Dataset<Row> next =
          spark.sql("select %s from cells window w as (order by t)".formatted(STEP)).cache();
      seconds.add(Turns.seconds(next::count));
      rows.unpersist(true);
      rows = next;
    }
    rows.unpersist(true);
    return seconds;
  }
}

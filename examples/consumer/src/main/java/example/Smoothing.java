/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package example;

import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.spark.Stencils;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** What a program that uses Spark Stencil does with a table. */
public final class Smoothing {
  private Smoothing() {}

  /** Adds the mean of each value of column v and its neighbours in the order of t. */
  public static Dataset<Row> smooth(Dataset<Row> table, int radius) {
    return Stencils.over(table)
        .orderBy("t")
        .apply("v", Stencil.mean(Frame.radius(radius)), "v_mean")
        .toDataset();
  }
}

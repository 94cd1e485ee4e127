/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The entry to stencils over Spark's data.
 *
 * <pre>{@code
 * Dataset<Row> smooth = Stencils.over(readings)
 *     .orderBy("time")
 *     .partitionBy("station")
 *     .mean("temperature", 6, "temperature_mean")
 *     .toDataset();
 * }</pre>
 */
public final class Stencils {
  private Stencils() {}

  /** Returns a query over the rows of {@code dataset}, which needs an order to go on. */
  public static StencilQuery over(Dataset<Row> dataset) {
    return new StencilQuery(dataset);
  }
}

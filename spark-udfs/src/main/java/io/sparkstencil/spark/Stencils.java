/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import io.sparkstencil.engine.Engines;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Starts stencil queries over Spark's data.
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

  /** Returns a query over the rows of {@code dataset}; name its order columns next. */
  public static StencilQuery over(Dataset<Row> dataset) {
    return new StencilQuery(dataset);
  }

  /** Returns a query over rasters whose tiles are the rows of {@code dataset}; say where next. */
  public static TileQuery tiles(Dataset<Row> dataset) {
    return new TileQuery(dataset);
  }

  /**
   * Returns a query over arrays: consecutive blocks of one long series, or a series each.
   *
   * @param blocks arrays in the order of the series
   * @param arrays {@code double[].class}, {@code float[].class}, {@code long[].class} or {@code
   *     int[].class}
   */
  public static <A> BlockQuery<A> over(JavaRDD<A> blocks, Class<A> arrays) {
    return new BlockQuery<>(blocks, arrays, Engines.AUTO);
  }
}

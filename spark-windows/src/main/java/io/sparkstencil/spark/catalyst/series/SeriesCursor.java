/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

/**
 * A place in the rows of a series, from which on they are read. {@link #remaining} may leave rows
 * out that follow later, but is 0 only after the last.
 */
public interface SeriesCursor extends CellRows {
  /** Returns another cursor, at the same place. */
  SeriesCursor copy();
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.rows.EmittedRows;
import io.sparkstencil.spark.catalyst.rows.RowSource;
import java.io.Serializable;

/** Which of the rows that a task reads the result has; the others are read for frames alone. */
public interface OwnRows extends Serializable {
  /** Returns how series that are kept as columns are cut, and which of their rows are own ones. */
  SeriesBatches.Parts<EmittedRows> parts();

  /** Returns all rows, which are in order; the result has the own ones. */
  RowSource of(RowSource all);

  /**
   * Checks how many rows have been read.
   *
   * @throws IllegalStateException if they are not those that were counted before
   */
  default void check(long read) {}
}

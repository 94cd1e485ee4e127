/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** The rows of a task in the order of their series, one series after the other. */
public interface RowSource {
  /** Moves to the next row; false after the last. */
  boolean advance();

  /** Returns the current row, which the next {@link #advance} overwrites. */
  UnsafeRow row();

  /** Tells whether the current row belongs to another series than the one before it. */
  boolean startsSeries();

  /**
   * Returns the series whose first row the current row is, or null if its rows come only once. It
   * is there until the next series.
   */
  default WholeSeries series() {
    return null;
  }

  /** Tells whether the result has the current row; if not, it is there for its neighbours' sake. */
  default boolean isEmitted() {
    return true;
  }

  /** Returns the rows read so far that belong to other partitions. */
  default long rowsReadAhead() {
    return 0;
  }
}

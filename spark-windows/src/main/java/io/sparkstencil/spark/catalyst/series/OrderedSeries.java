/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.columns.TextMemory;

/** Series whose rows are in order, one series after the other. Used by one thread. */
public interface OrderedSeries {
  /**
   * The rows that frames may need.
   *
   * @param from at the first of them
   * @param before how many of them come before the first one that has a result
   * @param looksBack whether Spark looks at the frames of these, too
   */
  record FramedRows(CellRows from, int before, boolean looksBack) {}

  /** Moves to the first row of the next series; false after the last. */
  boolean nextSeries();

  /** Returns the cursor of the rows of the series that have results, at the first one at first. */
  SeriesCursor reader();

  /** Returns the rows that frames may need, once for a series, before any is read. */
  default FramedRows framed() {
    return new FramedRows(reader().copy(), 0, false);
  }

  /** Returns the memory of texts. */
  TextMemory texts();
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.exec.CellColumn;
import org.apache.spark.sql.vectorized.ColumnVector;

/** A function of the rows of a series, which appends its results to columns. Of one thread. */
abstract class LoopFunction {
  /** Begins with a series of {@code rows} rows. */
  abstract void begin(long rows);

  /** Returns for each row of results whether its sum overflows, or null if none does. */
  boolean[] overflows() {
    return null;
  }

  /** Returns the first {@code rows} results, or null if cells have all there is of them. */
  ColumnVector vector(CellColumn cells, int rows) {
    return null;
  }

  /** Says that results are appended to other columns from now on. */
  void open() {}
}

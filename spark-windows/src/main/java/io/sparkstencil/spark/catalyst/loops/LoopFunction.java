/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.catalyst.columns.ArrayColumnVector;
import io.sparkstencil.spark.catalyst.columns.FailingSums;
import io.sparkstencil.spark.catalyst.columns.TextMemory;
import io.sparkstencil.spark.exec.CellColumn;
import java.util.Arrays;
import org.apache.spark.sql.types.StructField;
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

  /**
   * Returns the first {@code rows} results.
   *
   * @param column what they are
   * @param texts the memory of texts
   * @param sums what is said of sums that overflow; null if these are null
   */
  final ColumnVector results(
      StructField column, CellColumn cells, int rows, TextMemory texts, FailingSums.Named sums) {
    ColumnVector own = vector(cells, rows);
    if (own != null) {
      return own;
    }
    boolean[] overflows = overflows();
    for (int i = 0; sums == null && overflows != null && i < rows; i++) {
      if (overflows[i]) {
        cells.setNull(i);
      }
    }
    return overflows == null || sums == null
        ? ArrayColumnVector.of(column.dataType(), cells, texts, 0, rows)
        : new FailingSums(
            (long[]) cells.array(),
            cells.validity(),
            Arrays.copyOf(overflows, rows),
            0,
            rows,
            sums);
  }

  /** Says that results are appended to other columns from now on. */
  void open() {}
}

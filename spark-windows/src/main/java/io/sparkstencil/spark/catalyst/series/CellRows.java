/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.exec.CellColumn;
import java.util.List;

/** Rows in order whose cells are read column by column. Used by one thread. */
public interface CellRows {
  /** Returns how many rows have not been read. */
  long remaining();

  /** Returns the number of the unit of the rows that remain, if they come in units. */
  default int unit() {
    return 0;
  }

  /**
   * Appends the cells of the next rows.
   *
   * @param count how many rows, of {@link #remaining}
   * @param sources where the cells of each column come from
   * @param to the columns; null for one that is not wanted
   */
  void read(int count, List<ColumnarLayout.Source> sources, CellColumn[] to);
}

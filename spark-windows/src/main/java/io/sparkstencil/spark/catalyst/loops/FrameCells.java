/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.error.Cancellation;
import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.catalyst.series.CellRows;
import io.sparkstencil.spark.exec.CellColumn;
import java.util.List;

/** The cells of a series that frames need, from the first row of a frame on. Of one thread. */
final class FrameCells {
  private static final int MOST_ROWS = 4096;

  private final List<ColumnarLayout.Source> sources;
  private final CellColumn[] columns; // null for those that no frame needs
  private CellRows ahead;
  private int rows; // that have been read, less those that were taken out

  /**
   * Creates the cells of no series.
   *
   * @param needed which of the sources frames need
   */
  FrameCells(List<ColumnarLayout.Source> sources, boolean[] needed) {
    this.sources = sources;
    this.columns = new CellColumn[needed.length];
    for (int c = 0; c < needed.length; c++) {
      columns[c] = needed[c] ? new CellColumn(sources.get(c).to(), 0) : null;
    }
  }

  /** Begins a series, of whose rows no one else reads those from a cursor on. */
  void begin(CellRows from) {
    ahead = from;
    removeFirst(rows);
  }

  /** Takes the first rows out. */
  void removeFirst(int count) {
    for (CellColumn each : columns) {
      if (each != null) {
        each.removeFirst(count);
      }
    }
    rows -= count;
  }

  /** Returns how many rows there are. */
  int rows() {
    return rows;
  }

  /** Tells whether the series has rows that have not been read. */
  boolean hasMore() {
    return ahead.remaining() > 0;
  }

  /** Reads more rows; false if there are none. */
  boolean readMore() {
    int count = (int) Math.min(MOST_ROWS, ahead.remaining());
    if (count == 0) {
      return false;
    }
    Cancellation.ask();
    ahead.read(count, sources, columns);
    rows += count;
    return true;
  }

  /** Returns how many rows there are, at least as many as wanted if the series has them. */
  int readUntil(long wanted) {
    while (rows < wanted && readMore()) {
      // until there are enough
    }
    return rows;
  }

  /** Returns the columns, some of them null, whose cells may lie elsewhere after more are read. */
  CellColumn[] columns() {
    return columns;
  }
}

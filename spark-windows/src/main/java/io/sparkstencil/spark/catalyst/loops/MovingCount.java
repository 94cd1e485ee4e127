/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.exec.CellColumn;
import java.util.List;

/** The number of rows that have a value in each of some columns. */
final class MovingCount extends SlidingFunction {
  private final List<Integer> columns;
  private CellColumn[] cells;
  private boolean all; // whether no row lacks one
  private long missing; // rows that do

  MovingCount(List<Integer> columns) {
    this.columns = columns;
  }

  @Override
  void read(CellColumn[] from) {
    cells = from;
    all = true;
    for (int c = 0; c < columns.size(); c++) {
      all &= cells[columns.get(c)].validity() == null;
    }
  }

  @Override
  void clear() {
    missing = 0;
  }

  @Override
  void takeIn(int from, int until) {
    missing += all ? 0 : CountFunction.missing(cells, columns, from, until);
  }

  @Override
  void takeOut(int from, int until) {
    missing -= all ? 0 : CountFunction.missing(cells, columns, from, until);
  }

  @Override
  void write(int from, int until, CellColumn to, int at) {
    ((long[]) to.array())[at] = until - from - missing;
  }
}

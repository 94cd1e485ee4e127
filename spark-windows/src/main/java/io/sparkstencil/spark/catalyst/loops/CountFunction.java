/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.exec.CellColumn;
import java.util.Arrays;
import java.util.List;

/** The number of rows that have a value in each of some columns. */
final class CountFunction extends CumulativeFunction {
  private final List<Integer> columns;
  private long number;

  CountFunction(List<Integer> columns) {
    this.columns = columns;
  }

  @Override
  void begin(long rows) {
    number = 0;
  }

  @Override
  void resume(Object[] buffer) {
    number = (long) buffer[0];
  }

  @Override
  void add(SeriesSlice slice, int from, int until) {
    number += until - from - missing(slice.columns(), columns, from, until);
  }

  /** Returns how many of rows {@code [from, until)} lack a value. */
  static int missing(CellColumn[] cells, List<Integer> columns, int from, int until) {
    int missing = 0;
    if (columns.size() == 1) {
      byte[] validity = cells[columns.get(0)].validity();
      for (int i = from; validity != null && i < until; i++) {
        missing += 1 - validity[i];
      }
      return missing;
    }
    for (int i = from; i < until; i++) {
      boolean found = true;
      for (int c = 0; c < columns.size(); c++) {
        found &= !cells[columns.get(c)].isNull(i);
      }
      missing += found ? 0 : 1;
    }
    return missing;
  }

  @Override
  void fill(CellColumn to, int from, int until) {
    Arrays.fill((long[]) to.array(), from, until, number);
  }
}

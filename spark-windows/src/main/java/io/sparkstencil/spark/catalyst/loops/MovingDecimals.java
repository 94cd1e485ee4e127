/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.catalyst.frames.WideSum;
import io.sparkstencil.spark.exec.CellColumn;
import org.apache.spark.sql.vectorized.ColumnVector;

/** The sum or the mean of decimals that are a long each. What leaves the frame is subtracted. */
final class MovingDecimals extends SlidingFunction {
  private final int column;
  private final DecimalResults results;
  private final WideSum sum = new WideSum();
  private long[] values;
  private byte[] validity; // null if there is no null
  private int missing;

  MovingDecimals(int column, DecimalResults results) {
    this.column = column;
    this.results = results;
  }

  @Override
  void open() {
    results.open();
  }

  @Override
  ColumnVector vector(CellColumn cells, int rows) {
    return results.vector(cells, rows);
  }

  @Override
  void read(CellColumn[] cells) {
    values = (long[]) cells[column].array();
    validity = cells[column].validity();
  }

  @Override
  void clear() {
    sum.clear();
    missing = 0;
  }

  @Override
  void takeIn(int from, int until) {
    for (int i = from; i < until; i++) {
      sum.add(values[i]);
      missing += validity == null ? 0 : 1 - validity[i];
    }
  }

  @Override
  void takeOut(int from, int until) {
    for (int i = from; i < until; i++) {
      sum.subtract(values[i]);
      missing -= validity == null ? 0 : 1 - validity[i];
    }
  }

  @Override
  void write(int from, int until, CellColumn to, int at) {
    int number = until - from - missing;
    if (number == 0) {
      to.setNull(at);
    } else {
      results.fill(sum, number, to, at, at + 1);
    }
  }
}

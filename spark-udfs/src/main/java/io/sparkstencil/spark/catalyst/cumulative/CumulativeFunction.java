/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.cumulative;

import io.sparkstencil.spark.exec.CellColumn;

/** A function of the rows from the first of a series on. Used by one thread. */
abstract class CumulativeFunction {
  /** Begins with a series of {@code rows} rows. */
  abstract void begin(long rows);

  /** Takes rows {@code [from, until)} of a piece in. */
  abstract void add(Piece piece, int from, int until);

  /** Appends the value of the rows so far, {@code count} times. */
  abstract void append(int count, CellColumn to);

  /** Takes rows {@code [from, until)} of a piece in, and appends the value after each of them. */
  void run(Piece piece, int from, int until, CellColumn to) {
    for (int row = from; row < until; row++) {
      add(piece, row, row + 1);
      append(1, to);
    }
  }

  /** Returns for each row of results whether its sum overflows, or null if none does. */
  boolean[] overflows() {
    return null;
  }

  /** Says that results are appended to other columns from now on. */
  void open() {}

  static void appendNulls(int count, CellColumn to) {
    int at = to.reserve(count);
    for (int i = 0; i < count; i++) {
      to.setNull(at + i);
    }
  }
}

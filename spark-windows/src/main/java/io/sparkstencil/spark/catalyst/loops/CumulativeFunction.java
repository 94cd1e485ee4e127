/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.exec.CellColumn;

/** A function of the rows from the first of a series on. Used by one thread. */
abstract class CumulativeFunction extends LoopFunction {
  /**
   * Goes on from rows that others have taken in, after {@link #begin}.
   *
   * @param buffer the values of Spark's buffer of the function
   */
  abstract void resume(Object[] buffer);

  /** Takes rows {@code [from, until)} of a slice in. */
  abstract void add(SeriesSlice slice, int from, int until);

  /** Tells whether the value of the rows so far is not null. */
  boolean hasValue() {
    return true;
  }

  /** Writes the value of the rows so far, which is not null, to cells {@code [from, until)}. */
  abstract void fill(CellColumn to, int from, int until);

  /** Appends the value of the rows so far, {@code count} times. */
  final void append(int count, CellColumn to) {
    int at = to.reserve(count);
    if (hasValue()) {
      fill(to, at, at + count);
      return;
    }
    for (int i = at; i < at + count; i++) {
      to.setNull(i);
    }
  }

  /** Takes rows {@code [from, until)} of a slice in, and appends the value after each of them. */
  void run(SeriesSlice slice, int from, int until, CellColumn to) {
    for (int row = from; row < until; row++) {
      add(slice, row, row + 1);
      append(1, to);
    }
  }
}

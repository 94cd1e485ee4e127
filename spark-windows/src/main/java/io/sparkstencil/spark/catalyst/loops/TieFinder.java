/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.exec.CellColumn;
import java.util.List;

/** Finds the rows of a series that do not tie with the row before. Used by one thread. */
final class TieFinder {
  private final List<Integer> order;
  private final long[] last; // numbers of the last row that was marked
  private final boolean[] lastNull;
  private boolean begun; // whether there is one

  /**
   * Creates the finder.
   *
   * @param order the columns that rows are ordered by
   */
  TieFinder(List<Integer> order) {
    this.order = order;
    this.last = new long[order.size()];
    this.lastNull = new boolean[order.size()];
  }

  /** Begins with a series. */
  void begin() {
    begun = false;
  }

  /** Sets for rows {@code [from, until)} whether they do not tie with the row before. */
  void mark(CellColumn[] columns, int from, int until, boolean[] opens) {
    for (int i = from; i < until; i++) {
      opens[i] = false;
    }
    for (int k = 0; k < last.length; k++) {
      mark(k, columns[order.get(k)], from, until, opens);
    }
    opens[from] |= !begun;
    begun = true;
  }

  private void mark(int key, CellColumn column, int from, int until, boolean[] opens) {
    long previous = last[key];
    boolean previousNull = lastNull[key];
    for (int i = from; i < until; i++) {
      long number = number(column, i);
      boolean isNull = column.isNull(i);
      opens[i] |= number != previous || isNull != previousNull;
      previous = number;
      previousNull = isNull;
    }
    last[key] = previous;
    lastNull[key] = previousNull;
  }

  /** Returns how many of the first {@code count} rows tie with the last one that was marked. */
  int tied(CellColumn[] columns, int count) {
    for (int i = 0; i < count; i++) {
      for (int k = 0; k < last.length; k++) {
        CellColumn column = columns[order.get(k)];
        if (number(column, i) != last[k] || column.isNull(i) != lastNull[k]) {
          return i;
        }
      }
    }
    return count;
  }

  /** Returns a number for all values that are equal: zeros of both signs are, and all NaNs. */
  private static long number(CellColumn column, int row) {
    return switch (column.type()) {
      case F64 -> Double.doubleToLongBits(((double[]) column.array())[row] + 0.0);
      case F32 -> Float.floatToIntBits(((float[]) column.array())[row] + 0.0f);
      case I32 -> ((int[]) column.array())[row];
      case I64 -> ((long[]) column.array())[row];
    };
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.catalyst.columns.TextMemory;
import io.sparkstencil.spark.catalyst.columns.TextOrder;
import io.sparkstencil.spark.catalyst.columns.Texts;
import io.sparkstencil.spark.exec.CellColumn;
import java.util.List;

/** Finds the rows of a series that do not tie with the row before. Used by one thread. */
final class TieFinder {
  private final List<Integer> order;
  private final TextMemory texts;
  private final TextOrder[] textOrders; // for each of these, or null
  private final long[] last; // numbers of the last row that was marked
  private final boolean[] lastNull;
  private boolean begun; // whether there is one

  /**
   * Creates the finder.
   *
   * @param order the columns that rows are ordered by
   * @param sources where cells come from
   * @param texts the memory of texts
   */
  TieFinder(List<Integer> order, List<ColumnarLayout.Source> sources, TextMemory texts) {
    this.order = order;
    this.texts = texts;
    this.textOrders =
        order.stream()
            .map(column -> sources.get(column).from())
            .map(type -> Texts.liesApart(type) ? new TextOrder(type) : null)
            .toArray(TextOrder[]::new);
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
      boolean isSame = isNull == previousNull && (number == previous || isNull);
      opens[i] |= !isSame && (isNull || previousNull || isOther(key, number, previous, i > from));
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
        long number = number(column, i);
        boolean isNull = column.isNull(i);
        boolean isSame = isNull == lastNull[k] && (number == last[k] || isNull);
        if (!isSame && (isNull || lastNull[k] || isOther(k, number, last[k], true))) {
          return i;
        }
      }
    }
    return count;
  }

  /** Tells whether values differ whose numbers do: equal texts may lie at different places. */
  private boolean isOther(int key, long one, long before, boolean known) {
    TextOrder by = textOrders[key];
    return by == null || !(begun || known) || by.compare(texts, one, before) != 0;
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

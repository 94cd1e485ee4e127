/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.catalyst.columns.TextMemory;
import io.sparkstencil.spark.catalyst.columns.TextOrder;
import io.sparkstencil.spark.exec.CellColumn;
import java.util.Arrays;

/** The least or the greatest value, null where there is none; the first of those that are equal. */
abstract class ExtremeFunction extends CumulativeFunction {
  private final int column;
  private final boolean least;
  private boolean found; // whether there is a value

  /**
   * Creates the function.
   *
   * @param column the column of its values
   * @param least whether the least value is wanted, not the greatest
   */
  ExtremeFunction(int column, boolean least) {
    this.column = column;
    this.least = least;
  }

  @Override
  final void begin(long rows) {
    found = false;
  }

  @Override
  final void resume(Object[] buffer) {
    found = buffer[0] != null;
    if (found) {
      keep(buffer[0]);
    }
  }

  /** Keeps a value of Spark's. */
  abstract void keep(Object value);

  @Override
  final void add(SeriesSlice slice, int from, int until) {
    CellColumn values = slice.columns()[column];
    for (int i = from; i < until; i++) {
      if (!values.isNull(i)) {
        take(values, i);
      }
    }
  }

  private void take(CellColumn values, int row) {
    if (!found) {
      found = true;
      keep(values.array(), row);
      return;
    }
    int order = compare(values.array(), row);
    if (least ? order < 0 : order > 0) {
      keep(values.array(), row);
    }
  }

  @Override
  final boolean hasValue() {
    return found;
  }

  /** Keeps a value. */
  abstract void keep(Object values, int row);

  /** Compares a value with the one that is kept. */
  abstract int compare(Object values, int row);

  /** Of floating-point numbers. Zeros of both signs are equal, NaN is the greatest. */
  static final class Doubles extends ExtremeFunction {
    private double extreme;

    Doubles(int column, boolean least) {
      super(column, least);
    }

    @Override
    void keep(Object value) {
      extreme = ((Number) value).doubleValue();
    }

    @Override
    void keep(Object values, int row) {
      extreme = ((double[]) values)[row];
    }

    @Override
    int compare(Object values, int row) {
      return Double.compare(((double[]) values)[row] + 0.0, extreme + 0.0);
    }

    @Override
    void fill(CellColumn to, int from, int until) {
      if (to.array() instanceof float[] floats) {
        Arrays.fill(floats, from, until, (float) extreme);
      } else {
        Arrays.fill((double[]) to.array(), from, until, extreme);
      }
    }
  }

  /** Of integers, or of what Spark keeps as such. */
  static final class Longs extends ExtremeFunction {
    private long extreme;

    Longs(int column, boolean least) {
      super(column, least);
    }

    @Override
    void keep(Object value) {
      extreme = ResumedValue.bits(value);
    }

    @Override
    void keep(Object values, int row) {
      extreme = ((long[]) values)[row];
    }

    @Override
    int compare(Object values, int row) {
      return Long.compare(((long[]) values)[row], extreme);
    }

    @Override
    void fill(CellColumn to, int from, int until) {
      to.fill(from, until, extreme);
    }
  }

  /** Of texts, each of which is a word that says where it lies. */
  static final class Texts extends ExtremeFunction {
    private final TextMemory memory;
    private final TextOrder order;
    private long extreme;

    /**
     * Creates the function.
     *
     * @param order in which the least text comes first
     */
    Texts(int column, boolean least, TextMemory memory, TextOrder order) {
      super(column, least);
      this.memory = memory;
      this.order = order;
    }

    @Override
    void keep(Object value) {
      throw new IllegalStateException("texts are not among those of the task");
    }

    @Override
    void keep(Object values, int row) {
      extreme = ((long[]) values)[row];
    }

    @Override
    int compare(Object values, int row) {
      return order.compare(memory, ((long[]) values)[row], extreme);
    }

    @Override
    void fill(CellColumn to, int from, int until) {
      Arrays.fill((long[]) to.array(), from, until, extreme);
    }
  }
}

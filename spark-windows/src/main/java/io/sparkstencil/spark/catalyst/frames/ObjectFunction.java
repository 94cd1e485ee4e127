/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import java.util.Arrays;
import java.util.Comparator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;

/** A function that picks one of the values in the frame, which may be of any type. */
abstract class ObjectFunction extends FrameFunction {
  private final DataType type;
  private Object[] values = new Object[0];

  /**
   * Creates the function.
   *
   * @param type of the values
   * @param queue what may become the extreme; null if it finds none
   */
  ObjectFunction(DataType type, PositionQueue queue) {
    super(queue);
    this.type = type;
  }

  final Object value(int at) {
    return values[at];
  }

  @Override
  void resize(int length) {
    super.resize(length);
    values = Arrays.copyOf(values, length);
  }

  @Override
  void moveToFront(int from, int length) {
    super.moveToFront(from, length);
    System.arraycopy(values, from, values, 0, length);
    Arrays.fill(values, length, values.length, null);
  }

  /** Keeps a copy, as the memory of {@code cells} is used again. */
  @Override
  final void put(int at, UnsafeRow cells, int column) {
    values[at] = InternalRow.copyValue(cells.get(column, type));
  }

  @Override
  final void putNull(int at) {
    values[at] = null;
  }

  @Override
  final void take(int at) {
    values[at] = null;
  }

  @Override
  final void writeValue(int first, int end, SpecificInternalRow target, int ordinal) {
    Object value = first == end ? null : pick(first, end);
    if (value == null) {
      target.setNullAt(ordinal);
    } else {
      target.update(ordinal, value);
    }
  }

  /** Returns one of the values from {@code first} until {@code end}, which are some. */
  abstract Object pick(int first, int end);

  /** The first or the last value, nulls among them or not. */
  static final class End extends ObjectFunction {
    private final boolean last;
    private final boolean ignoreNulls;

    /**
     * Creates the function.
     *
     * @param last whether the last value is wanted, not the first
     */
    End(DataType type, boolean last, boolean ignoreNulls) {
      super(type, null);
      this.last = last;
      this.ignoreNulls = ignoreNulls;
    }

    @Override
    Object pick(int first, int end) {
      int step = last ? -1 : 1;
      int at = last ? end - 1 : first;
      while (ignoreNulls && value(at) == null) { // until one is not, which there is
        at += step;
      }
      return value(at);
    }
  }

  /** The least or greatest value, the first of those that are equal. */
  static final class Extreme extends ObjectFunction {
    private final Comparator<Object> order;

    /**
     * Creates the function.
     *
     * @param order what comes first in it is the extreme
     */
    Extreme(DataType type, Comparator<Object> order) {
      super(type, new PositionQueue());
      this.order = order;
    }

    @Override
    boolean surpasses(int one, int other) {
      return order.compare(value(one), value(other)) < 0;
    }

    @Override
    Object pick(int first, int end) {
      return value(extreme());
    }
  }
}

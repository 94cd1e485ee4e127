/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.catalyst.columns.TextMemory;
import io.sparkstencil.spark.catalyst.columns.TextOrder;
import io.sparkstencil.spark.exec.CellColumn;

/**
 * The least or the greatest value, null where there is none; the first of those that are equal. A
 * queue has the cells that are, or may become, the extreme: each is surpassed by none after it.
 */
abstract class MovingExtreme extends SlidingFunction {
  private final int column;
  private final PositionQueue queue = new PositionQueue();
  private CellColumn values;

  MovingExtreme(int column) {
    this.column = column;
  }

  @Override
  final void moved(int by) {
    super.moved(by);
    queue.moveToFront(by);
  }

  @Override
  final void read(CellColumn[] cells) {
    values = cells[column];
    read(values.array());
  }

  /** Takes note of where values lie. */
  abstract void read(Object array);

  @Override
  final void clear() {
    queue.clear();
  }

  @Override
  final void takeIn(int from, int until) {
    for (int i = from; i < until; i++) {
      if (!values.isNull(i)) {
        while (!queue.isEmpty() && surpasses(i, queue.last())) {
          queue.removeLast();
        }
        queue.add(i);
      }
    }
  }

  @Override
  final void takeOut(int from, int until) {
    queue.removeBefore(until);
  }

  /** Tells whether the value of one cell is beyond that of another. */
  abstract boolean surpasses(int one, int other);

  @Override
  final void write(int from, int until, CellColumn to, int at) {
    if (queue.isEmpty()) {
      to.setNull(at);
    } else {
      write(queue.first(), to, at);
    }
  }

  /** Writes the value of a cell. */
  abstract void write(int cell, CellColumn to, int at);

  /** Of floating-point numbers. Zeros of both signs are equal, NaN is the greatest. */
  static final class Doubles extends MovingExtreme {
    private final boolean least;
    private double[] numbers;

    Doubles(int column, boolean least) {
      super(column);
      this.least = least;
    }

    @Override
    void read(Object array) {
      numbers = (double[]) array;
    }

    @Override
    boolean surpasses(int one, int other) {
      double a = numbers[one];
      double b = numbers[other];
      if (a < b || a > b) {
        return least == a < b;
      }
      int order = Boolean.compare(Double.isNaN(a), Double.isNaN(b));
      return least ? order < 0 : order > 0;
    }

    @Override
    void write(int cell, CellColumn to, int at) {
      if (to.array() instanceof float[] floats) {
        floats[at] = (float) numbers[cell];
      } else {
        ((double[]) to.array())[at] = numbers[cell];
      }
    }
  }

  /** Of integers, or of what Spark keeps as such. */
  static final class Longs extends MovingExtreme {
    private final boolean least;
    private long[] numbers;

    Longs(int column, boolean least) {
      super(column);
      this.least = least;
    }

    @Override
    void read(Object array) {
      numbers = (long[]) array;
    }

    @Override
    boolean surpasses(int one, int other) {
      return least ? numbers[one] < numbers[other] : numbers[one] > numbers[other];
    }

    @Override
    void write(int cell, CellColumn to, int at) {
      if (to.array() instanceof int[] ints) {
        ints[at] = (int) numbers[cell];
      } else {
        ((long[]) to.array())[at] = numbers[cell];
      }
    }
  }

  /** Of texts, each of which is a word that says where it lies. */
  static final class Texts extends MovingExtreme {
    private final boolean least;
    private final TextMemory memory;
    private final TextOrder order;
    private long[] places;

    Texts(int column, boolean least, TextMemory memory, TextOrder order) {
      super(column);
      this.least = least;
      this.memory = memory;
      this.order = order;
    }

    @Override
    void read(Object array) {
      places = (long[]) array;
    }

    @Override
    boolean surpasses(int one, int other) {
      int compared = order.compare(memory, places[one], places[other]);
      return least ? compared < 0 : compared > 0;
    }

    @Override
    void write(int cell, CellColumn to, int at) {
      ((long[]) to.array())[at] = places[cell];
    }
  }
}

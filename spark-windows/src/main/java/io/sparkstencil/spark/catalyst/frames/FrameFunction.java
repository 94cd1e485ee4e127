/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** A function of the cells in a frame, which are kept in arrays. Nulls do not count. */
abstract class FrameFunction {
  private final PositionQueue queue; // of a function that finds an extreme, or null
  private boolean[] present = new boolean[0];
  private int count; // of cells in the frame that are not null

  /** Creates a function that finds no extreme. */
  FrameFunction() {
    this(null);
  }

  /**
   * Creates the function.
   *
   * @param queue what may become the extreme; null if it finds none
   */
  FrameFunction(PositionQueue queue) {
    this.queue = queue;
  }

  /** Takes a cell in. */
  final void add(int at, UnsafeRow cells, int column) {
    present[at] = !cells.isNullAt(column);
    if (present[at]) {
      count++;
      put(at, cells, column);
      enqueue(at);
    } else {
      putNull(at);
    }
  }

  private void enqueue(int at) {
    if (queue != null) {
      while (!queue.isEmpty() && surpasses(at, queue.last())) {
        queue.removeLast();
      }
      queue.add(at);
    }
  }

  /** Takes a cell out, the first of those that are in. */
  final void remove(int at) {
    if (present[at]) {
      count--;
      take(at);
      if (queue != null) {
        queue.remove(at);
      }
    }
  }

  /** Forgets all cells. */
  void clear() {
    count = 0;
    if (queue != null) {
      queue.clear();
    }
  }

  /** Gives the arrays another length. */
  void resize(int length) {
    present = Arrays.copyOf(present, length);
    if (queue != null) {
      queue.resize(length);
    }
  }

  /** Moves cells to the front of the arrays. */
  void moveToFront(int from, int length) {
    System.arraycopy(present, from, present, 0, length);
    if (queue != null) {
      queue.moveToFront(from);
    }
  }

  /** Tells whether the value of one cell is beyond that of another, for an extreme. */
  boolean surpasses(int one, int other) {
    return false;
  }

  /** Returns the cell that is the extreme. */
  final int extreme() {
    return queue.first();
  }

  final int count() {
    return count;
  }

  /** Tells whether a cell is not null. */
  final boolean isPresent(int at) {
    return present[at];
  }

  /** Writes the value of the cells from {@code first} until {@code end}. */
  final void write(int first, int end, SpecificInternalRow target, int ordinal) {
    if (count == 0 && isNullOfNone()) {
      target.setNullAt(ordinal);
    } else {
      writeValue(first, end, target, ordinal);
    }
  }

  /** Tells whether the value of no cells is null. */
  boolean isNullOfNone() {
    return true;
  }

  /** Keeps a value. */
  abstract void put(int at, UnsafeRow cells, int column);

  /** Keeps 0 in place of null. */
  abstract void putNull(int at);

  /** Lets a value go. */
  void take(int at) {}

  abstract void writeValue(int first, int end, SpecificInternalRow target, int ordinal);

  /** The number of cells. */
  static final class Count extends FrameFunction {
    @Override
    boolean isNullOfNone() {
      return false;
    }

    @Override
    void put(int at, UnsafeRow cells, int column) {}

    @Override
    void putNull(int at) {}

    @Override
    void writeValue(int first, int end, SpecificInternalRow target, int ordinal) {
      target.setLong(ordinal, count());
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.exec.CellColumn;

/** One of the values as it is, by its place in the frame. */
final class MovingPick extends SlidingFunction {
  private final int column;
  private final long wanted;
  private final PositionQueue present; // cells that are not null; null if all count
  private CellColumn values;

  /**
   * Creates the function.
   *
   * @param wanted the number of the value, of the first 1, or {@link PickFunction#LAST}
   * @param ignoreNulls whether nulls are passed over
   */
  MovingPick(int column, long wanted, boolean ignoreNulls) {
    this.column = column;
    this.wanted = wanted;
    this.present = ignoreNulls ? new PositionQueue() : null;
  }

  @Override
  void moved(int by) {
    super.moved(by);
    if (present != null) {
      present.moveToFront(by);
    }
  }

  @Override
  void read(CellColumn[] cells) {
    values = cells[column];
  }

  @Override
  void clear() {
    if (present != null) {
      present.clear();
    }
  }

  @Override
  void takeIn(int from, int until) {
    for (int i = from; present != null && i < until; i++) {
      if (!values.isNull(i)) {
        present.add(i);
      }
    }
  }

  @Override
  void takeOut(int from, int until) {
    if (present != null) {
      present.removeBefore(until);
    }
  }

  @Override
  void write(int from, int until, CellColumn to, int at) {
    int size = present == null ? until - from : present.size();
    long index = wanted == PickFunction.LAST ? size - 1L : wanted - 1;
    if (index < 0 || index >= size) {
      to.setNull(at);
    } else {
      to.set(at, values, present == null ? from + (int) index : present.get((int) index));
    }
  }
}

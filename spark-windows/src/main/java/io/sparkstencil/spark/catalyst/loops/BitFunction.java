/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.exec.CellColumn;

/** The bits of integers joined by AND, OR or XOR, null where there is none. */
final class BitFunction extends CumulativeFunction {
  /** How bits are joined. */
  enum Operation {
    AND,
    OR,
    XOR
  }

  private final int column;
  private final Operation operation;
  private long bits;
  private boolean found;

  BitFunction(int column, Operation operation) {
    this.column = column;
    this.operation = operation;
  }

  @Override
  void begin(long rows) {
    bits = operation == Operation.AND ? -1 : 0;
    found = false;
  }

  @Override
  void resume(Object[] buffer) {
    found = buffer[0] != null;
    bits = found ? ResumedValue.bits(buffer[0]) : bits;
  }

  @Override
  void add(SeriesSlice slice, int from, int until) {
    CellColumn cells = slice.columns()[column];
    long[] values = (long[]) cells.array();
    for (int i = from; i < until; i++) {
      if (!cells.isNull(i)) {
        found = true;
        bits =
            switch (operation) {
              case AND -> bits & values[i];
              case OR -> bits | values[i];
              case XOR -> bits ^ values[i];
            };
      }
    }
  }

  @Override
  boolean hasValue() {
    return found;
  }

  @Override
  void fill(CellColumn to, int from, int until) {
    to.fill(from, until, bits);
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.exec.CellColumn;
import java.util.Arrays;

/** One of the values as it is, by its place. */
final class PickFunction extends CumulativeFunction {
  /** In place of a number: the last value. */
  static final long LAST = Long.MAX_VALUE;

  private final int column;
  private final long wanted;
  private final boolean ignoreNulls;
  private long passed; // values so far
  private boolean found;
  private long bits;

  /**
   * Creates the function.
   *
   * @param column the column of its values
   * @param wanted the number of the value, of the first 1, or {@link #LAST}
   * @param ignoreNulls whether nulls are passed over
   */
  PickFunction(int column, long wanted, boolean ignoreNulls) {
    this.column = column;
    this.wanted = wanted;
    this.ignoreNulls = ignoreNulls;
  }

  @Override
  void begin(long rows) {
    passed = 0;
    found = false;
  }

  /** Goes on from a value, and whether there is one, or the number of the next. */
  @Override
  void resume(Object[] buffer) {
    passed = buffer[1] instanceof Long next ? next - 1 : (boolean) buffer[1] ? 1 : 0;
    found = buffer[0] != null;
    bits = found ? ResumedValue.bits(buffer[0]) : 0;
  }

  @Override
  void add(SeriesSlice slice, int from, int until) {
    CellColumn values = slice.columns()[column];
    for (int i = from; i < until && passed < wanted; i++) {
      boolean isNull = values.isNull(i);
      if (isNull && ignoreNulls) {
        continue;
      }
      passed++;
      if (wanted == LAST || passed == wanted) {
        found = !isNull;
        bits = values.bits(i);
      }
    }
  }

  @Override
  boolean hasValue() {
    return found;
  }

  @Override
  void fill(CellColumn to, int from, int until) {
    switch (to.type()) {
      case F32 -> Arrays.fill((float[]) to.array(), from, until, Float.intBitsToFloat((int) bits));
      case F64 -> Arrays.fill((double[]) to.array(), from, until, Double.longBitsToDouble(bits));
      case I32 -> Arrays.fill((int[]) to.array(), from, until, (int) bits);
      case I64 -> Arrays.fill((long[]) to.array(), from, until, bits);
    }
  }
}

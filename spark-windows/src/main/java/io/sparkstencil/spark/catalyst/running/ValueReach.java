/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.frames.RunningState;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * How many rows with a value a function needs that ignores nulls, however many without one lie
 * between.
 *
 * @param column the column of a unit's state that counts them
 * @param before rows before the current one
 * @param after rows after it
 */
record ValueReach(int column, long before, long after) {

  /** The values that functions still need on one side of a task's rows. */
  static final class Wanted {
    private final List<ValueReach> reaches;
    private final long[] left;

    Wanted(List<ValueReach> reaches, ToLongFunction<ValueReach> side) {
      this.reaches = reaches;
      this.left = reaches.stream().mapToLong(side).toArray();
    }

    /** Tells whether no more are needed. */
    boolean isNone() {
      for (long each : left) {
        if (each > 0) {
          return false;
        }
      }
      return true;
    }

    /** Takes the values of the next unit, and tells whether any was needed. */
    boolean take(RunningState unit) {
      boolean needed = false;
      for (int i = 0; i < left.length; i++) {
        long values = unit.buffers().getLong(reaches.get(i).column());
        needed |= left[i] > 0 && values > 0;
        left[i] -= values;
      }
      return needed;
    }
  }
}

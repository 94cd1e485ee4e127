/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import java.util.List;

/**
 * How far the frames of an operator reach.
 *
 * @param before rows before the current one
 * @param after rows after it
 * @param range how far frames reach by keys; null if none does
 * @param values what functions need that ignore nulls
 * @param open whether frames have no bound on one side
 */
record SeriesReach(
    long before, long after, RangeReach range, List<ValueReach> values, boolean open) {
  static final SeriesReach NONE = new SeriesReach(0, 0, null, List.of(), false);

  /** Tells whether all frames are of rows so near that their number says which are needed. */
  boolean isOfRows() {
    return range == null && values.isEmpty() && !open;
  }

  /** Tells whether no frame has a row of another range. */
  boolean isNone() {
    return isOfRows() && before == 0 && after == 0;
  }
}

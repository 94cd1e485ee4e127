/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.bounded;

/**
 * How far the frames of an operator reach.
 *
 * @param before rows before the current one
 * @param after rows after it
 * @param range how far frames reach by keys; null if none does
 */
record SeriesReach(long before, long after, RangeReach range) {
  static final SeriesReach NONE = new SeriesReach(0, 0, null);

  /** Tells whether no frame has a row of another range. */
  boolean isNone() {
    return before == 0 && after == 0 && range == null;
  }
}

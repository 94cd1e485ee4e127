/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import java.io.Serializable;
import java.util.Comparator;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * The keys of rows beside a task's own that it needs.
 *
 * @param low the first key that lies in a frame of its rows; null if all before do
 * @param high the last key that does; null if all after do
 * @param warms whether rows before its own are needed because Spark's operator looks at their
 *     frames, too
 * @param warm the first key of these; null if all before are
 */
record KeyInterval(InternalRow low, InternalRow high, boolean warms, InternalRow warm)
    implements Serializable {

  /** Tells whether keys that lie in frames come only after a key. */
  boolean isAfter(InternalRow key, Comparator<InternalRow> order) {
    return low != null && order.compare(key, low) < 0;
  }

  /** Tells whether keys that lie in frames come only before a key. */
  boolean isBefore(InternalRow key, Comparator<InternalRow> order) {
    return high != null && order.compare(high, key) < 0;
  }

  /** Tells whether the frame of a key before those of the task's rows is looked at. */
  boolean isWarm(InternalRow key, Comparator<InternalRow> order) {
    return warms && (warm == null || order.compare(warm, key) <= 0);
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.frames.RangeBound;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import java.util.Comparator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.MutableProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** Compares rows with the current row, or with its bound. Of one task. */
final class BoundOrder {
  private final long rows;
  private final Comparator<InternalRow> ties; // null if there is a bound
  private final UnsafeProjection key; // null if the bound is none of keys, like the next three
  private final UnsafeProjection currentKey;
  private final MutableProjection bound; // of the current key
  private final Comparator<InternalRow> keys;
  private long index;
  private UnsafeRow current;
  private InternalRow at; // the current row's bound, or null until it is compared with

  private BoundOrder(long rows, RangeBound bound, RowOrder order) {
    this.rows = rows;
    this.ties = order != null && bound == null ? order.comparator() : null;
    this.key = bound == null ? null : order.keyProjection();
    this.currentKey = bound == null ? null : order.keyProjection();
    // as Spark's: a bound may have more digits than its type, for which an UnsafeRow has no room
    this.bound =
        bound == null ? null : MutableProjection.create(ScalaInterop.seqOf(bound.expression()));
    this.keys = bound == null ? null : order.ofKeys();
  }

  /** Returns the order of rows and a bound that lies so many rows after the current one. */
  static BoundOrder ofRows(long rows) {
    return new BoundOrder(rows, null, null);
  }

  /** Returns the order of rows and a bound of keys. */
  static BoundOrder ofKeys(RangeBound bound, RowOrder order) {
    return new BoundOrder(0, bound, order);
  }

  /** Returns the order of rows, of which those that tie with the current one equal it. */
  static BoundOrder ofTies(RowOrder order) {
    return new BoundOrder(0, null, order);
  }

  /** Moves to a row. */
  void moveTo(long newIndex, UnsafeRow row) {
    index = newIndex;
    current = row;
    at = null;
  }

  /**
   * Compares a row with the current row or its bound. That is computed when it is compared with,
   * since it may leave its type.
   */
  int compare(UnsafeRow row, long rowIndex) {
    if (ties != null) {
      return ties.compare(row, current);
    }
    if (key == null) {
      return Long.compare(rowIndex, index + rows);
    }
    if (at == null) {
      at = bound.apply(currentKey.apply(current));
    }
    return keys.compare(key.apply(row), at);
  }
}

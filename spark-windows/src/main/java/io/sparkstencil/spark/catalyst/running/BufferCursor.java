/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.frames.Buffers;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;

/** Takes the buffer of one function after the other from rows that have them in this order. */
final class BufferCursor {
  private final DataType[] types;
  private int next;

  /** Begins with the first of all columns, which have these types. */
  BufferCursor(DataType[] types) {
    this.types = types;
  }

  /** Returns the next {@code count} values, as a row has them. */
  Object[] take(InternalRow row, int count) {
    Object[] values = Buffers.values(row, types, next, count);
    next += count;
    return values;
  }
}

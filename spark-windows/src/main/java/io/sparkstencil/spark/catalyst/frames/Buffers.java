/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.types.DataType;

/** Buffers of aggregates, as Spark's window operator has them. */
public final class Buffers {
  private Buffers() {}

  /** Returns a buffer with values. */
  public static SpecificInternalRow of(DataType[] types, Object[] values) {
    SpecificInternalRow buffer = new SpecificInternalRow(ScalaInterop.seq(List.of(types)));
    for (int i = 0; i < types.length; i++) {
      buffer.update(i, values[i]);
    }
    return buffer;
  }

  /** Returns {@code count} values of a row from {@code first} on. */
  public static Object[] values(InternalRow row, DataType[] types, int first, int count) {
    Object[] values = new Object[count];
    for (int i = 0; i < count; i++) {
      int at = first + i;
      values[i] = row.isNullAt(at) ? null : row.get(at, types[at]);
    }
    return values;
  }
}

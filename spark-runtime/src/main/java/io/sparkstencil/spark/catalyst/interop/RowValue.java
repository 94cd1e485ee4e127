/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.types.DataType;
import scala.Function2;

/** Reads values of a type from rows of any kind: those of batches know few types by themselves. */
public final class RowValue {
  private final Function2<SpecializedGetters, Object, Object> read;

  /** Creates the reader of a type. */
  public RowValue(DataType type) {
    this.read = InternalRow.getAccessor(type, true);
  }

  /** Returns a value, or null if there is none. */
  public Object of(InternalRow row, int ordinal) {
    return read.apply(row, ordinal);
  }
}

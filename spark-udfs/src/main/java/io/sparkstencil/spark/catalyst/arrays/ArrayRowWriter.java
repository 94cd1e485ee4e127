/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.spark.arrays.ArrayResults;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.bitset.BitSetMethods;

/** Puts results into a row's null array columns; the row that it returns is its own, reused. */
final class ArrayRowWriter {
  /**
   * A column of results.
   *
   * @param ordinal in the row
   * @param operation as planned
   * @param depth arrays around the innermost ones
   * @param elementBytes bytes of an innermost element
   */
  record Column(int ordinal, int operation, int depth, int elementBytes) implements Serializable {}

  private final List<Column> columns;
  private final UnsafeRow row;
  private final ArrayBytes bytes = new ArrayBytes();

  ArrayRowWriter(List<Column> columns, int fields) {
    this.columns = columns;
    this.row = new UnsafeRow(fields);
  }

  UnsafeRow write(UnsafeRow base, ArrayResults results) {
    bytes.clear();
    bytes.reserve(base.getSizeInBytes());
    base.writeToMemory(bytes.bytes(), Platform.BYTE_ARRAY_OFFSET);
    int bitset = UnsafeRow.calculateBitSetWidthInBytes(base.numFields());
    for (Column column : columns) {
      int at = bytes.size();
      results.begin(column.operation());
      if (bytes.append(results, column.depth(), column.elementBytes())) {
        BitSetMethods.unset(bytes.bytes(), Platform.BYTE_ARRAY_OFFSET, column.ordinal());
        Platform.putLong(
            bytes.bytes(),
            Platform.BYTE_ARRAY_OFFSET + bitset + 8L * column.ordinal(),
            ((long) at << 32) | (bytes.size() - at));
      }
    }
    row.pointTo(bytes.bytes(), bytes.size());
    return row;
  }
}

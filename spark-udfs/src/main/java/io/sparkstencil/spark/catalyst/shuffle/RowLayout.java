/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * How the rows of a plan lie in memory.
 *
 * @param fields the number of columns
 * @param words 64-bit words of every row, or 0 if rows differ in length
 */
public record RowLayout(int fields, int words) implements Serializable {

  /** Returns the layout of rows with these columns. */
  public static RowLayout of(List<Attribute> columns) {
    boolean fixed =
        !columns.isEmpty()
            && columns.stream().allMatch(column -> UnsafeRow.isFixedLength(column.dataType()));
    int fields = columns.size();
    return new RowLayout(
        fields, fixed ? UnsafeRow.calculateBitSetWidthInBytes(fields) / Long.BYTES + fields : 0);
  }
}

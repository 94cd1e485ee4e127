/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.columns.WordType;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Descending$;
import org.apache.spark.sql.catalyst.expressions.NullsFirst$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * The number of a row by the first column of an order all of whose columns have values of one word:
 * no row that comes later has a smaller one.
 *
 * @param field the column
 * @param fields how many columns rows have
 * @param type how its values lie in words
 * @param descending whether greater values come first
 * @param nullsFirst whether nulls come first
 * @param isWhole whether it is the only column of the order, so that rows of one number tie
 */
record OrderNumber(
    int field, int fields, WordType type, boolean descending, boolean nullsFirst, boolean isWhole)
    implements Serializable {

  /** Returns the number of rows in an order, or null if a column has not values of one word. */
  static OrderNumber of(RowOrder order) {
    for (SortOrder each : ScalaInterop.list(order.sortOrder())) {
      if (!(each.child() instanceof Attribute) || WordType.of(each.child().dataType()) == null) {
        return null;
      }
    }
    SortOrder first = order.sortOrder().apply(0);
    return new OrderNumber(
        ScalaInterop.ordinal(first.child(), order.attributes()),
        order.attributes().size(),
        WordType.of(first.child().dataType()),
        first.direction() == Descending$.MODULE$,
        first.nullOrdering() == NullsFirst$.MODULE$,
        order.sortOrder().size() == 1);
  }

  /** Returns the number of a row of a batch. */
  long of(OpenRows rows, int row) {
    return of(rows.word(field / Long.SIZE, row), rows.word(word(), row));
  }

  /** Returns the number of a row. */
  long of(UnsafeRow row) {
    Object base = row.getBaseObject();
    long at = row.getBaseOffset();
    return of(
        Platform.getLong(base, at + (long) field / Long.SIZE * Long.BYTES),
        Platform.getLong(base, at + (long) word() * Long.BYTES));
  }

  private int word() {
    return RowLayout.words(fields) - fields + field;
  }

  private long of(long nulls, long word) {
    if ((nulls >>> field & 1) != 0) {
      return nullsFirst ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    return ofWord(word);
  }

  /** Returns the number of the value of a row, which is not null. */
  long ofValue(UnsafeRow row) {
    return ofWord(
        Platform.getLong(row.getBaseObject(), row.getBaseOffset() + (long) word() * Long.BYTES));
  }

  /** Returns the number of a row by the word of its value, which is not null. */
  long ofWord(long word) {
    long number = type.number(word);
    return descending ? ~number : number;
  }

  boolean isNull(OpenRows rows, int row) {
    return (rows.word(field / Long.SIZE, row) >>> field & 1) != 0;
  }

  boolean isNull(InternalRow row) {
    return row.isNullAt(field);
  }
}

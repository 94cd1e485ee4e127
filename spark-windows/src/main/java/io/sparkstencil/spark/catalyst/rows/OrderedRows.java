/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import java.util.Comparator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * The rows of a partition of an input that was declared ordered, and the rows after it. The order
 * is checked as rows go by, also from partition to partition.
 */
public final class OrderedRows implements RowSource {
  private final ReadAhead<InternalRow> rows;
  private final RowOrder order;
  private final Comparator<InternalRow> comparator;
  private final Comparator<InternalRow> keys;
  private final UnsafeRow previous;
  private UnsafeRow row;
  private long index = -1;
  private boolean starts;

  /**
   * Creates the source.
   *
   * @param rows unsafe rows
   * @param order the order that was promised, the series' keys first
   * @param keys the order of the series' keys, or null if all rows are one series
   */
  public OrderedRows(ReadAhead<InternalRow> rows, RowOrder order, RowOrder keys) {
    this.rows = rows;
    this.order = order;
    this.comparator = order.comparator();
    this.keys = keys == null ? null : keys.comparator();
    this.previous = UnsafeRow.createFromByteArray(64, order.attributes().size());
  }

  @Override
  public boolean advance() {
    if (row != null) {
      previous.copyFrom(row); // asking for more rows overwrites it
    }
    row = (UnsafeRow) rows.next();
    if (row == null) {
      return false;
    }
    if (++index > 0) {
      if (comparator.compare(previous, row) > 0) {
        String here = order.describe(row);
        throw rows.outOfOrder(0, here, order.describe(previous));
      }
      starts = keys != null && keys.compare(previous, row) != 0;
    }
    return true;
  }

  @Override
  public UnsafeRow row() {
    return row;
  }

  @Override
  public boolean startsSeries() {
    return starts;
  }

  @Override
  public boolean isEmitted() {
    return index >= rows.firstEmitted() && index < rows.endOfEmitted();
  }

  @Override
  public long rowsReadAhead() {
    return rows.rowsReadAhead();
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.order;

import io.sparkstencil.spark.catalyst.interop.ReadAheadRdd;
import io.sparkstencil.spark.catalyst.rows.RowSource;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BaseOrdering;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import scala.collection.Iterator;

/**
 * The rows of a partition of an input that was declared ordered, and the rows after it.
 *
 * <p>No halo is exchanged. With a reach of R rows, the task of a partition returns results for the
 * rows from its own row R on (the first task from its first row on) up to row R - 1 of what
 * follows, so that all cells that it needs lie in its own partition and in the next R + right rows,
 * which it reads from the following partitions. The rows before are there for the cells alone. The
 * order is checked as rows go by, also from partition to partition.
 */
public final class OrderedRows implements RowSource {
  private final ReadAheadRdd.Partitions<InternalRow> partitions;
  private final RowOrder order;
  private final BaseOrdering ordering;
  private final BaseOrdering keys;
  private final int reach;
  private final int right;
  private Iterator<InternalRow> rows;
  private int partition;
  private long inPartition; // rows read of it
  private long index = -1;
  private long own = -1; // rows of the own partition, once they have been read
  private UnsafeRow row;
  private final UnsafeRow previous;
  private boolean starts;

  /**
   * Creates the source.
   *
   * @param partitions the partitions
   * @param order the order that was promised, the series' keys first
   * @param keys the order of the series' keys, or null if all rows are one series
   * @param reach rows by which results are shifted
   * @param right rows that the widest frame needs after a row
   */
  public OrderedRows(
      ReadAheadRdd.Partitions<InternalRow> partitions,
      RowOrder order,
      BaseOrdering keys,
      int reach,
      int right) {
    this.partitions = partitions;
    this.order = order;
    this.ordering = order.ofRows();
    this.keys = keys;
    this.reach = reach;
    this.right = right;
    this.partition = partitions.index();
    this.rows = partitions.read(partition);
    this.previous = UnsafeRow.createFromByteArray(64, order.attributes().size());
  }

  @Override
  public boolean advance() {
    if (own >= 0 && index + 1 >= own + reach + right) {
      return false;
    }
    if (index >= 0) {
      previous.copyFrom(row); // asking for more rows overwrites it
    }
    while (!rows.hasNext()) {
      if (own < 0) {
        own = index + 1;
        if (own == 0 && partition > 0) {
          return false; // nothing to return
        }
      }
      if (++partition == partitions.count()) {
        return false;
      }
      rows = partitions.read(partition);
      inPartition = 0;
    }
    row = (UnsafeRow) rows.next();
    index++;
    inPartition++;
    if (index > 0) {
      check();
    }
    return true;
  }

  private void check() {
    if (order.isIntegral()
        && !order.isIntegralNull(row)
        && (order.isIntegralNull(previous)
            || order.integralKey(previous) <= order.integralKey(row))) {
      return; // the one key is that of the order, so there are no series' keys
    }
    if (ordering.compare(previous, row) > 0) {
      String here = order.describe(row);
      throw RowPosition.outOfOrder(
          RowPosition.ofRows(partitions, partition, inPartition), here, order.describe(previous));
    }
    starts = keys != null && keys.compare(previous, row) != 0;
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
    return (partitions.index() == 0 || index >= reach) && (own < 0 || index < own + reach);
  }

  @Override
  public long rowsReadAhead() {
    return own < 0 ? 0 : index + 1 - own;
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.exec.PartitionEnds;
import java.io.Serializable;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** The number of the rows of an unsorted partition, the first of them and the last. */
public final class RowEnds implements RangeNotes.Note<RowEnds.Packed> {
  /**
   * The ends of rows as they are sent to the driver.
   *
   * @param rows how many rows
   * @param heads the first of them, a batch of narrow rows
   * @param tails the last of them, a batch of narrow rows
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Packed(long rows, byte[] heads, byte[] tails) implements Serializable {}

  private final RowOrder order;
  private final UnsafeProjection projection;
  private final EndsHeap heads;
  private final EndsHeap tails;
  private long rows;

  /** Counts rows of which {@code shape} says what is needed. */
  public RowEnds(RowOrder order, EndRows shape) {
    this(order, shape, shape.projection());
  }

  /**
   * Counts rows.
   *
   * @param order the order of whole rows
   * @param projection the projection of {@code shape}, of which the caller has many
   */
  RowEnds(RowOrder order, EndRows shape, UnsafeProjection projection) {
    this.order = order;
    this.projection = projection;
    this.heads = new EndsHeap(shape, true);
    this.tails = new EndsHeap(shape, false);
  }

  /** Considers a whole row. */
  public void add(UnsafeRow row) {
    rows++;
    if (order.isIntegral()) {
      long key = key(row);
      if (heads.dismisses(key) && tails.dismisses(key)) {
        return;
      }
    }
    UnsafeRow narrow = projection.apply(row);
    heads.offer(narrow);
    tails.offer(narrow);
  }

  /**
   * Considers the whole rows of a batch, of an integral order. Rows mostly come in order: each end
   * begins where its rows are likely to be, so that the first few dismiss the others.
   *
   * @param row pointed to the rows
   */
  @Override
  public void add(RowBatch batch, UnsafeRow row) {
    int count = batch.rows();
    rows += count;
    boolean ascending = key(batch, 0, row) <= key(batch, count - 1, row);
    for (int i = 0; i < count; i++) {
      offer(heads, batch, ascending ? i : count - 1 - i, row);
    }
    for (int i = 0; i < count; i++) {
      offer(tails, batch, ascending ? count - 1 - i : i, row);
    }
  }

  private void offer(EndsHeap heap, RowBatch batch, int index, UnsafeRow row) {
    if (!heap.dismisses(key(batch, index, row))) {
      heap.offer(projection.apply(row));
    }
  }

  private long key(RowBatch batch, int index, UnsafeRow row) {
    batch.point(row, index);
    return key(row);
  }

  private long key(UnsafeRow row) {
    return order.isIntegralNull(row) ? Long.MIN_VALUE : order.integralKey(row);
  }

  @Override
  public Packed packed() {
    return new Packed(rows, heads.packed(), tails.packed());
  }

  /** Returns what has been found. */
  public PartitionEnds ends() {
    return new PartitionEnds(rows, heads.columns(), tails.columns());
  }
}

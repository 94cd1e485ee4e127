/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

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

  private final EndRows shape;
  private final EndsHeap heads;
  private final EndsHeap tails;
  private UnsafeProjection projection; // of whole rows, once there is one
  private UnsafeRow narrow; // of batches, once there is one
  private long rows;

  /** Counts rows of which {@code shape} says what is needed. */
  public RowEnds(EndRows shape) {
    this.shape = shape;
    this.heads = new EndsHeap(shape, true);
    this.tails = new EndsHeap(shape, false);
  }

  /** Considers a whole row. */
  public void add(UnsafeRow row) {
    rows++;
    projection = projection == null ? shape.projection() : projection;
    UnsafeRow projected = projection.apply(row);
    long number = shape.number(projected);
    heads.offer(projected, number);
    tails.offer(projected, number);
  }

  /**
   * Considers the whole rows of a batch, of an order by words. Rows mostly come in order: each end
   * begins where its rows are likely to be, so that the first few dismiss the others.
   */
  @Override
  public void add(OpenRows batch, UnsafeRow row) {
    narrow = narrow == null ? shape.newRow() : narrow;
    int count = batch.rows();
    rows += count;
    boolean ascending = shape.number(batch, 0) <= shape.number(batch, count - 1);
    for (int i = 0; i < count; i++) {
      offer(heads, batch, ascending ? i : count - 1 - i);
    }
    for (int i = 0; i < count; i++) {
      offer(tails, batch, ascending ? count - 1 - i : i);
    }
  }

  private void offer(EndsHeap heap, OpenRows batch, int index) {
    long number = shape.number(batch, index);
    if (!heap.dismisses(number)) {
      shape.copy(batch, index, narrow);
      heap.offer(narrow, number);
    }
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

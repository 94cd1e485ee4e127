/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import io.sparkstencil.spark.catalyst.interop.ReadAheadRdd;
import io.sparkstencil.spark.catalyst.order.OrderedRows;
import io.sparkstencil.spark.catalyst.order.RowOrder;
import io.sparkstencil.spark.catalyst.order.RowPosition;
import io.sparkstencil.spark.catalyst.rows.RowChunks;
import io.sparkstencil.spark.exec.CellColumn;
import io.sparkstencil.spark.exec.ChunkBuilder;
import io.sparkstencil.spark.exec.SeriesChunk;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Cuts the batches of a partition of an input that was declared ordered, and of what follows, into
 * chunks. Does for columns what {@link OrderedRows} and {@link RowChunks} do for rows, and returns
 * the same rows.
 */
public final class OrderedBatches implements Iterator<SeriesChunk<OrderedBatches.Emitted>> {
  /**
   * The rows of a chunk that the result has.
   *
   * @param from the first of them
   * @param rows their number
   */
  public record Emitted(int from, int rows) {}

  private final ReadAheadRdd.Partitions<ColumnarBatch> partitions;
  private final RowOrder order;
  private final ColumnarLayout layout;
  private final ChunkBuilder builder;
  private final int keyPosition;
  private final int reach;
  private final int right;
  private scala.collection.Iterator<ColumnarBatch> batches;
  private ColumnarBatch batch;
  private int inBatch; // rows of it that have been read
  private int partition;
  private long inPartition; // rows of the partition before the batch
  private long read; // rows read in all
  private long cut; // rows cut off in all
  private long own = -1; // rows of the own partition, once they have been read
  private boolean ended;

  /**
   * Cuts the batches of a task.
   *
   * @param partitions the task's own partition and those that follow it
   * @param order the declared order, of one integral key
   * @param layout which columns are staged
   */
  public OrderedBatches(
      ReadAheadRdd.Partitions<ColumnarBatch> partitions, RowOrder order, ColumnarLayout layout) {
    this.partitions = partitions;
    this.order = order;
    this.layout = layout;
    this.builder = new ChunkBuilder(layout.plan(), false);
    this.keyPosition = layout.position(order.integralOrdinal());
    this.reach = layout.plan().reach();
    this.right = layout.plan().right();
    this.partition = partitions.index();
    this.batches = partitions.read(partition);
  }

  @Override
  public boolean hasNext() {
    return !ended;
  }

  @Override
  public SeriesChunk<Emitted> next() {
    if (ended) {
      throw new NoSuchElementException();
    }
    while (ensureBatch()) {
      long wanted = own < 0 ? Long.MAX_VALUE : own + reach + right - read;
      int count = (int) Math.min(wanted, Math.min(builder.room(), batch.numRows() - inBatch));
      layout.read(batch, inBatch, count, builder.columns());
      check(builder.columns()[keyPosition], count);
      inBatch += count;
      read += count;
      int at = builder.cutPoint(false);
      if (at > 0) {
        return builder.cut(at, emitted(at));
      }
    }
    ended = true;
    return builder.finish(emitted(builder.rows()));
  }

  /** Moves to a batch with rows that are wanted; false if there is none. */
  private boolean ensureBatch() {
    while (true) {
      if (own >= 0 && read >= own + reach + right) {
        return false;
      }
      if (batch != null && inBatch < batch.numRows()) {
        return true;
      }
      if (batch != null) {
        inPartition += batch.numRows();
        batch = null;
      }
      if (batches.hasNext()) {
        batch = batches.next();
        inBatch = 0;
      } else {
        if (own < 0) {
          own = read;
          if (own == 0 && partition > 0) {
            return false; // nothing to return
          }
        }
        if (++partition == partitions.count()) {
          return false;
        }
        batches = partitions.read(partition);
        inPartition = 0;
      }
    }
  }

  /** Returns which of the next {@code at} rows the result has. */
  private Emitted emitted(int at) {
    long first = partitions.index() == 0 ? 0 : reach;
    long until = own < 0 ? Long.MAX_VALUE : own + reach;
    int from = (int) Math.min(at, Math.max(0, first - cut));
    int to = (int) Math.max(from, Math.min(at, until - cut));
    cut += at;
    return new Emitted(from, to - from);
  }

  private void check(CellColumn keys, int count) {
    int end = keys.length();
    int begin = Math.max(1, end - count);
    boolean ascends = true;
    if (keys.validity() == null) {
      if (keys.array() instanceof long[] longs) {
        for (int i = begin; i < end; i++) {
          ascends &= longs[i - 1] <= longs[i];
        }
      } else {
        int[] ints = (int[]) keys.array();
        for (int i = begin; i < end; i++) {
          ascends &= ints[i - 1] <= ints[i];
        }
      }
      if (ascends) {
        return;
      }
    }
    for (int i = begin; i < end; i++) {
      boolean nullBefore = keys.isNull(i - 1);
      boolean bad = keys.isNull(i) ? !nullBefore : !nullBefore && keys.bits(i - 1) > keys.bits(i);
      if (bad) {
        long row = inPartition + inBatch + i - (end - count) + 1;
        throw RowPosition.outOfOrder(
            RowPosition.ofBatches(partitions, partition, row),
            order.describeKey(keys.isNull(i), keys.bits(i)),
            order.describeKey(nullBefore, keys.bits(i - 1)));
      }
    }
  }

  /** Returns the rows read so far that belong to other partitions. */
  public long rowsReadAhead() {
    return own < 0 ? 0 : read - own;
  }
}

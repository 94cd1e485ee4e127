/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import io.sparkstencil.spark.catalyst.rows.EmittedRows;
import io.sparkstencil.spark.catalyst.rows.OrderedRows;
import io.sparkstencil.spark.catalyst.rows.ReadAhead;
import io.sparkstencil.spark.catalyst.rows.RowChunks;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.exec.CellColumn;
import io.sparkstencil.spark.exec.ChunkBuilder;
import io.sparkstencil.spark.exec.SeriesChunk;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Cuts the batches of a partition of an input that was declared ordered, and of what follows, into
 * chunks. Does for columns what {@link OrderedRows} and {@link RowChunks} do for rows, and returns
 * the same rows.
 */
public final class OrderedBatches implements Iterator<SeriesChunk<EmittedRows>> {
  private final ReadAhead<ColumnarBatch> batches;
  private final RowOrder order;
  private final ColumnarLayout layout;
  private final ChunkBuilder builder;
  private ColumnarBatch batch;
  private int wanted; // rows of the batch
  private int inBatch; // rows of it that have been read
  private long cut; // rows cut off in all
  private boolean ended;

  /**
   * Cuts the batches of a task.
   *
   * @param order the declared order, of one integral key
   * @param layout which columns are staged
   */
  public OrderedBatches(ReadAhead<ColumnarBatch> batches, RowOrder order, ColumnarLayout layout) {
    this.batches = batches;
    this.order = order;
    this.layout = layout;
    this.builder = new ChunkBuilder(layout.plan(), false);
  }

  @Override
  public boolean hasNext() {
    return !ended;
  }

  @Override
  public SeriesChunk<EmittedRows> next() {
    if (ended) {
      throw new NoSuchElementException();
    }
    while (ensureBatch()) {
      int count = Math.min(builder.room(), wanted - inBatch);
      layout.read(batch, inBatch, count, builder.columns());
      inBatch += count;
      check(builder.columns()[layout.position(order.integralOrdinal())], count);
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
    while (inBatch == wanted) {
      batch = batches.next();
      if (batch == null) {
        return false;
      }
      wanted = batches.wanted(batch.numRows());
      inBatch = 0;
    }
    return true;
  }

  /** Returns which of the next {@code at} rows the result has. */
  private EmittedRows emitted(int at) {
    EmittedRows emitted =
        EmittedRows.of(at, batches.firstEmitted() - cut, batches.endOfEmitted() - cut);
    cut += at;
    return emitted;
  }

  private void check(CellColumn keys, int count) {
    int end = keys.length();
    int begin = Math.max(1, end - count);
    if (keys.validity() == null && ascends(keys.array(), begin, end)) {
      return;
    }
    for (int i = begin; i < end; i++) {
      boolean nullBefore = keys.isNull(i - 1);
      boolean bad = keys.isNull(i) ? !nullBefore : !nullBefore && keys.bits(i - 1) > keys.bits(i);
      if (bad) {
        int after = batch.numRows() - inBatch + end - i - 1;
        throw batches.outOfOrder(after, describe(keys, i), describe(keys, i - 1));
      }
    }
  }

  private static boolean ascends(Object keys, int begin, int end) {
    boolean ascends = true;
    if (keys instanceof long[] longs) {
      for (int i = begin; i < end; i++) {
        ascends &= longs[i - 1] <= longs[i];
      }
    } else {
      int[] ints = (int[]) keys;
      for (int i = begin; i < end; i++) {
        ascends &= ints[i - 1] <= ints[i];
      }
    }
    return ascends;
  }

  private String describe(CellColumn keys, int row) {
    ColumnVector[] columns = new ColumnVector[order.attributes().size()];
    int key = order.integralOrdinal();
    columns[key] =
        new ArrayColumnVector(
            order.attributes().apply(key).dataType(), keys.array(), keys.validity(), row, 1);
    return order.describe(new ColumnarBatch(columns, 1).getRow(0));
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.util.MutablePair;
import scala.Product2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * The batches of a map task, each with its partition. A batch travels as if it were a row, which is
 * all that Spark's shuffle needs to know of it.
 */
final class BatchWriter extends AbstractIterator<Product2<Object, InternalRow>> {
  /** Bytes of all open batches together: few enough to stay in the cache. */
  private static final int OPEN_BYTES = 2 << 20;

  private static final int MOST_BATCH_BYTES = 1 << 15;
  private static final int LEAST_BATCH_BYTES = 1 << 11;

  private final Iterator<? extends InternalRow> rows;
  private final RowRouter router;
  private final RowBatch[] batches;
  private final Integer[] boxed;
  private final boolean copied;
  private final MutablePair<Object, InternalRow> pair = new MutablePair<>();
  private final UnsafeRow written = new UnsafeRow(0);
  private byte[] bytes = new byte[2 * MOST_BATCH_BYTES];
  private boolean ready; // whether `pair` waits to be taken
  private boolean finished; // whether all rows have been read
  private int flushed; // partitions that have been emptied since

  /**
   * Creates the batches.
   *
   * @param copied whether each batch must have memory of its own
   */
  BatchWriter(
      Iterator<? extends InternalRow> rows,
      RowRouter router,
      RowLayout layout,
      int partitions,
      boolean copied) {
    this.rows = rows;
    this.router = router;
    this.copied = copied;
    int each = Math.max(LEAST_BATCH_BYTES, Math.min(MOST_BATCH_BYTES, OPEN_BYTES / partitions));
    this.batches = new RowBatch[partitions];
    this.boxed = new Integer[partitions];
    ColumnCodes codes = layout.codes();
    for (int i = 0; i < partitions; i++) {
      batches[i] = new RowBatch(layout, codes, each);
      boxed[i] = i;
    }
  }

  @Override
  public boolean hasNext() {
    while (!ready && !finished) {
      if (rows.hasNext()) {
        add((UnsafeRow) rows.next());
      } else {
        finished = true;
      }
    }
    while (!ready && finished && flushed < batches.length) {
      if (batches[flushed].rows() > 0) {
        write(flushed);
      }
      flushed++;
      if (flushed == batches.length) {
        router.finish();
      }
    }
    return ready;
  }

  private void add(UnsafeRow row) {
    int partition = router.target(row);
    RowBatch batch = batches[partition];
    if (batch.isFullFor(row.getSizeInBytes())) {
      write(partition);
    }
    batch.add(row);
  }

  private void write(int partition) {
    RowBatch batch = batches[partition];
    router.writes(partition, batch);
    int most = batch.mostBytes();
    if (copied || bytes.length < most) {
      bytes = new byte[most];
    }
    UnsafeRow target = copied ? new UnsafeRow(0) : written;
    target.pointTo(bytes, Platform.BYTE_ARRAY_OFFSET, batch.write(bytes));
    pair._1 = boxed[partition];
    pair._2 = target;
    ready = true;
  }

  @Override
  public Product2<Object, InternalRow> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    ready = false;
    return pair;
  }
}

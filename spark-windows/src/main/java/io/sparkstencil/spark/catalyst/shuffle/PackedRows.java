/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import java.util.Arrays;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/** Rows in batches that can be kept: with columns of differences where they have equal lengths. */
public final class PackedRows extends AbstractIterator<byte[]> {
  private static final int BATCH_BYTES = 1 << 18;

  private final Iterator<? extends InternalRow> rows;
  private final RowBatch batch;
  private UnsafeRow ahead; // a row that did not fit
  private byte[] bytes = new byte[0];

  /**
   * Packs rows.
   *
   * @param rows unsafe rows, each valid until the next is asked for
   */
  public PackedRows(Iterator<? extends InternalRow> rows, RowLayout layout) {
    this.rows = rows;
    this.batch = new RowBatch(layout, layout.codes(), BATCH_BYTES);
  }

  /** Returns the rows of a batch; each is there until the next is asked for. */
  public static Iterator<InternalRow> of(byte[] batch, RowLayout layout) {
    return BatchedRows.of(batch, layout);
  }

  @Override
  public boolean hasNext() {
    return ahead != null || rows.hasNext();
  }

  @Override
  public byte[] next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    if (ahead != null) {
      batch.add(ahead);
      ahead = null;
    }
    while (ahead == null && rows.hasNext()) {
      UnsafeRow row = (UnsafeRow) rows.next();
      if (batch.isFullFor(row.getSizeInBytes())) {
        ahead = row;
      } else {
        batch.add(row);
      }
    }
    if (bytes.length < batch.mostBytes()) {
      bytes = new byte[batch.mostBytes()];
    }
    return Arrays.copyOf(bytes, batch.write(bytes));
  }
}

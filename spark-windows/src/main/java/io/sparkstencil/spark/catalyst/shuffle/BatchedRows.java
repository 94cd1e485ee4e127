/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/** The rows of shuffled batches; each is there until the next is asked for. */
public final class BatchedRows extends AbstractIterator<InternalRow> {
  private final Iterator<InternalRow> batches;
  private final RowLayout layout;
  private final UnsafeRow row;
  private final PackedTexts.Rows texts; // null if rows have none, or are shuffled as they are
  private long[] words = new long[0];
  private Object base;
  private long at;
  private int left; // rows of the batch

  /** Reads batches that were written with this layout. */
  public BatchedRows(Iterator<InternalRow> batches, RowLayout layout) {
    this.batches = batches;
    this.layout = layout;
    this.row = new UnsafeRow(layout.fields());
    this.texts = layout.texts().isEmpty() ? null : new PackedTexts.Rows(layout);
  }

  /** Returns rows of a batch, from one of them on, as a batch of their own. */
  public static UnsafeRow from(int first, UnsafeRow batch, RowLayout layout) {
    if (first == 0) {
      return batch;
    }
    Iterator<InternalRow> only = ScalaInterop.<InternalRow>seqOf(batch).iterator();
    return batch(RowBatch.pack(new BatchedRows(only, layout).drop(first), layout));
  }

  private static UnsafeRow batch(byte[] packed) {
    UnsafeRow batch = new UnsafeRow(0);
    batch.pointTo(packed, Platform.BYTE_ARRAY_OFFSET, packed.length);
    return batch;
  }

  /** Returns the rows of one batch. */
  static BatchedRows of(byte[] batch, RowLayout layout) {
    return new BatchedRows(ScalaInterop.<InternalRow>seqOf(batch(batch)).iterator(), layout);
  }

  @Override
  public boolean hasNext() {
    while (left == 0) {
      if (!batches.hasNext()) {
        return false;
      }
      open((UnsafeRow) batches.next());
    }
    return true;
  }

  private void open(UnsafeRow batch) {
    left = PackedColumns.rows(batch);
    if (texts != null) {
      texts.open(batch);
    } else if (layout.words() == 0) {
      base = batch.getBaseObject();
      at = RowBatch.firstRow(batch);
    } else {
      words = RowBatch.read(batch, layout, words);
      base = words;
      at = Platform.LONG_ARRAY_OFFSET;
    }
  }

  @Override
  public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    left--;
    if (texts != null) {
      return texts.next();
    }
    int sizeBytes;
    if (layout.words() == 0) {
      sizeBytes = (int) Platform.getLong(base, at);
      at += Long.BYTES;
    } else {
      sizeBytes = layout.words() * Long.BYTES;
    }
    row.pointTo(base, at, sizeBytes);
    at += sizeBytes;
    return row;
  }
}

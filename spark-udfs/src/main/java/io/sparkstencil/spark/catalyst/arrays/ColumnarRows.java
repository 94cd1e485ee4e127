/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.sql.vectorized.ColumnarBatchRow;

/** The rows of columnar batches, one after the other, each valid until the next is asked for. */
final class ColumnarRows implements Iterator<InternalRow> {
  private final Iterator<ColumnarBatch> batches;
  private ColumnarBatch batch;
  private Iterator<InternalRow> rows = Collections.emptyIterator();

  ColumnarRows(Iterator<ColumnarBatch> batches) {
    this.batches = batches;
  }

  /** Returns a column of the batch that {@code row}, the last one returned, is in. */
  ColumnVector column(int ordinal) {
    return batch.column(ordinal);
  }

  /** Returns where in its batch a row is. */
  static int index(InternalRow row) {
    return ((ColumnarBatchRow) row).rowId;
  }

  @Override
  public boolean hasNext() {
    while (!rows.hasNext() && batches.hasNext()) {
      if (batch != null) {
        batch.closeIfFreeable();
      }
      batch = batches.next();
      rows = batch.rowIterator();
    }
    return rows.hasNext();
  }

  @Override
  public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return rows.next();
  }
}

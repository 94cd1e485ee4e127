/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.CellReader;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.rows.TieResolver;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * Puts batches of rows that are sorted by one integral key in the order that {@link TieResolver}
 * gives to rows. Batches without ties, which are nearly all, are handed on; the rows of others are
 * copied.
 */
public final class TieBatches extends AbstractIterator<ColumnarBatch> {
  private final Iterator<ColumnarBatch> sorted;
  private final RowOrder order;
  private final CellReader cells;
  private final StructType schema;
  private final BatchPacker packer;
  private ColumnarBatch ahead; // read, and not yet handed on
  private ColumnarBatch held; // copy of the last row before it, if that was not handed on
  private Iterator<InternalRow> resolved = ScalaInterop.noElements();

  /**
   * Resolves the ties of batches.
   *
   * @param sorted batches in order, each valid until the next is asked for
   * @param order the order that they are in, by one integral key
   * @param cells what reads the values by which ties are put in order
   */
  public TieBatches(
      Iterator<ColumnarBatch> sorted, RowOrder order, CellReader cells, StructType schema) {
    this.sorted = sorted;
    this.order = order;
    this.cells = cells;
    this.schema = schema;
    this.packer = new BatchPacker(schema);
  }

  @Override
  public boolean hasNext() {
    return resolved.hasNext() || held != null || fetch();
  }

  @Override
  public ColumnarBatch next() {
    while (!resolved.hasNext()) {
      boolean more = fetch();
      boolean begins = more && held != null && tie(held.getRow(0), ahead.getRow(0));
      if (held != null && !begins) {
        ColumnarBatch row = held;
        held = null;
        return row;
      } else if (!more) {
        throw new NoSuchElementException();
      } else if (begins || hasTies(ahead)) {
        resolved = new TieResolver(new Rows(), order, cells, schema);
      } else {
        ColumnarBatch batch = withoutLast(ahead);
        ahead = null;
        if (batch.numRows() > 0) {
          return batch;
        }
      }
    }
    return packer.pack(resolved, BatchPacker.MOST_ROWS);
  }

  private boolean tie(InternalRow a, InternalRow b) {
    return order.comparator().compare(a, b) == 0;
  }

  /** Reads a batch that has rows, unless it has been; false after the last. */
  private boolean fetch() {
    while (ahead == null && sorted.hasNext()) {
      ColumnarBatch batch = sorted.next();
      ahead = batch.numRows() == 0 ? null : batch;
    }
    return ahead != null;
  }

  /** Holds the last row back, as the next batch may begin with rows that tie with it. */
  private ColumnarBatch withoutLast(ColumnarBatch batch) {
    int last = batch.numRows() - 1;
    held = packer.pack(ScalaInterop.<InternalRow>seqOf(batch.getRow(last)).iterator(), 1);
    ColumnVector[] columns = new ColumnVector[batch.numCols()];
    for (int c = 0; c < columns.length; c++) {
      columns[c] = batch.column(c);
    }
    return new ColumnarBatch(columns, last);
  }

  private boolean hasTies(ColumnarBatch batch) {
    ColumnVector keys = batch.column(order.integralOrdinal());
    int rows = batch.numRows();
    int nulls = 0; // they come first
    while (ColumnValues.mayHaveNulls(keys) && nulls < rows && keys.isNullAt(nulls)) {
      nulls++;
    }
    boolean found = nulls > 1;
    for (int i = nulls + 1; i < rows; i++) {
      found |= order.integralKey(keys, i - 1) == order.integralKey(keys, i);
    }
    return found;
  }

  /** The held row, and whole batches for as long as they begin with the key of the row before. */
  private final class Rows extends AbstractIterator<InternalRow> {
    private final UnsafeProjection projection = UnsafeProjection.create(schema);
    private ColumnarBatch batch;
    private int at; // rows of it that have been read
    private InternalRow last; // copy of the last row of the batch before

    Rows() {
      batch = held == null ? ahead : held;
      ahead = held == null ? null : ahead;
      held = null;
    }

    @Override
    public boolean hasNext() {
      if (batch != null && at == batch.numRows()) {
        batch = null;
        if (fetch() && tie(last, ahead.getRow(0))) {
          batch = ahead;
          ahead = null;
          at = 0;
        }
      }
      return batch != null;
    }

    @Override
    public InternalRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      InternalRow row = projection.apply(batch.getRow(at++));
      if (at == batch.numRows()) {
        last = row.copy();
      }
      return row;
    }
  }
}

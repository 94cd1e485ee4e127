/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.NoSuchElementException;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.RowToColumnConverter;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/** Copies rows to batches of columns. */
public final class BatchPacker {
  /** Rows of a full batch. */
  static final int MOST_ROWS = 4096;

  /** Bytes of rows from which on those that follow have to wait, if rows say how many they have. */
  private static final long MOST_BYTES = 1L << 24;

  private final StructType schema;
  private final RowToColumnConverter converter;

  public BatchPacker(StructType schema) {
    this.schema = schema;
    this.converter = new RowToColumnConverter(schema);
  }

  /** Copies rows of some columns, followed by others. */
  public static BatchPacker of(StructType first, StructType others) {
    StructType all = first;
    for (StructField each : others.fields()) {
      all = all.add(each);
    }
    return new BatchPacker(all);
  }

  /** Returns rows of some columns, followed by others, as batches. */
  public static RDD<ColumnarBatch> of(StructType first, StructType others, RDD<InternalRow> rows) {
    return rows.mapPartitionsWithEvaluator(
        () -> (index, inputs) -> of(first, others).batches(inputs.apply(0)),
        ScalaInterop.tag(ColumnarBatch.class));
  }

  /** Returns a batch without its columns {@code [from, until)}. */
  public static ColumnarBatch without(ColumnarBatch batch, int from, int until) {
    ColumnVector[] columns = new ColumnVector[batch.numCols() - (until - from)];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = batch.column(i < from ? i : i + until - from);
    }
    return new ColumnarBatch(columns, batch.numRows());
  }

  /** Copies up to {@code most} rows to a batch. */
  ColumnarBatch pack(Iterator<InternalRow> rows, int most) {
    OnHeapColumnVector[] columns = OnHeapColumnVector.allocateColumns(most, schema);
    int count = 0;
    long bytes = 0;
    for (; count < most && bytes < MOST_BYTES && rows.hasNext(); count++) {
      InternalRow row = rows.next();
      bytes += row instanceof UnsafeRow unsafe ? unsafe.getSizeInBytes() : 0;
      converter.convert(row, columns);
    }
    return new ColumnarBatch(columns, count);
  }

  /**
   * Returns all rows in batches, each made when it is asked for. Those before a row that fails are
   * a batch of their own: they may be all that the consumer wants.
   */
  public Iterator<ColumnarBatch> batches(Iterator<InternalRow> rows) {
    UntilFailure checked = new UntilFailure(rows);
    return new AbstractIterator<>() {
      @Override
      public boolean hasNext() {
        if (!checked.hasNext() && checked.failure != null) {
          throw checked.failure;
        }
        return checked.hasNext();
      }

      @Override
      public ColumnarBatch next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        return pack(checked, MOST_ROWS);
      }
    };
  }

  /** Rows up to the first whose arithmetic fails. */
  private static final class UntilFailure extends AbstractIterator<InternalRow> {
    private final Iterator<InternalRow> rows;
    private InternalRow next; // null if it is not known
    private ArithmeticException failure; // null if there was none

    UntilFailure(Iterator<InternalRow> rows) {
      this.rows = rows;
    }

    @Override
    public boolean hasNext() {
      try {
        if (next == null && failure == null && rows.hasNext()) {
          next = rows.next();
        }
      } catch (ArithmeticException e) {
        failure = e;
      }
      return next != null;
    }

    @Override
    public InternalRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      InternalRow row = next;
      next = null;
      return row;
    }
  }
}

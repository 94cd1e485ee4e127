/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.Arrays;
import java.util.NoSuchElementException;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.RowToColumnConverter;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/** Copies rows to batches of columns. */
public final class BatchPacker {
  /** Rows of a full batch. */
  static final int MOST_ROWS = 4096;

  /** Bytes of rows from which on those that follow have to wait, if rows say how many they have. */
  private static final long MOST_BYTES = 1L << 24;

  private final StructType schema;
  private final StructType packed; // the same, with bytes in place of values that are no texts
  private final RowToColumnConverter converter;
  private UnsafeProjection projection; // makes rows binary, where they have such values

  /** Creates what packs rows of some columns. */
  public BatchPacker(StructType schema) {
    this.schema = schema;
    StructType columns = new StructType();
    for (StructField each : schema.fields()) {
      columns = columns.add(each.name(), packedAs(each.dataType()));
    }
    this.packed = columns;
    this.converter = new RowToColumnConverter(packed);
  }

  /** Returns a type that Spark's converter takes, as which binary rows have the same bytes. */
  private static DataType packedAs(DataType type) {
    if (isBinary(type)) {
      return DataTypes.BinaryType;
    }
    DataType stored = Texts.stored(type);
    boolean isOther = WordType.of(stored) == null && WordType.kept(stored) != null;
    return isOther ? DataTypes.LongType : stored;
  }

  /** Tells whether values are packed as bytes: Spark's converter takes no collations, either. */
  private static boolean isBinary(DataType type) {
    return Texts.liesApart(type) && !TextOrder.isByBytes(Texts.stored(type));
  }

  /** Copies rows of some columns, followed by others. */
  public static BatchPacker of(StructType first, StructType others) {
    return new BatchPacker(joined(first, others));
  }

  /** Returns some columns, followed by others. */
  public static StructType joined(StructType first, StructType others) {
    StructType all = first;
    for (StructField each : others.fields()) {
      all = all.add(each);
    }
    return all;
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
    OnHeapColumnVector[] columns = OnHeapColumnVector.allocateColumns(most, packed);
    boolean anyBinary = !packed.equals(schema);
    int count = 0;
    long bytes = 0;
    for (; count < most && bytes < MOST_BYTES && rows.hasNext(); count++) {
      InternalRow row = rows.next();
      bytes += row instanceof UnsafeRow unsafe ? unsafe.getSizeInBytes() : 0;
      converter.convert(anyBinary ? binary(row) : row, columns);
    }
    ColumnVector[] vectors = Arrays.copyOf(columns, columns.length, ColumnVector[].class);
    for (int c = 0; anyBinary && c < vectors.length; c++) {
      DataType type = schema.apply(c).dataType();
      vectors[c] = isBinary(type) ? PackedValues.of(type, columns[c], count) : columns[c];
    }
    return new ColumnarBatch(vectors, count);
  }

  private InternalRow binary(InternalRow row) {
    if (row instanceof UnsafeRow) {
      return row;
    }
    projection = projection == null ? UnsafeProjection.create(schema) : projection;
    return projection.apply(row);
  }

  /** Values in the bytes that binary rows have of them; the place of one is its row. */
  private record PackedValues(OnHeapColumnVector bytes) implements TextMemory {
    static ColumnVector of(DataType type, OnHeapColumnVector bytes, int rows) {
      long[] places = new long[rows];
      byte[] validity = new byte[rows];
      for (int i = 0; i < rows; i++) {
        places[i] = i;
        validity[i] = (byte) (bytes.isNullAt(i) ? 0 : 1);
      }
      return new TextVector(type, new PackedValues(bytes), places, validity, 0, rows);
    }

    @Override
    public UTF8String text(long place) {
      return bytes.getUTF8String((int) place);
    }

    @Override
    public int bytes(long place) {
      return bytes.getArrayLength((int) place);
    }

    @Override
    public void copy(long place, int count, Object to, long offset) {
      UTF8String text = text(place);
      Texts.copy(text.getBaseObject(), text.getBaseOffset(), count, to, offset);
    }
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

  /** Rows up to the first that fails. */
  static final class UntilFailure extends AbstractIterator<InternalRow> {
    private final Iterator<InternalRow> rows;
    private InternalRow next; // null if it is not known
    private RuntimeException failure; // null if there was none

    /** Returns the failure of the next row, which is none then; null if there is no such. */
    RuntimeException failure() {
      return failure;
    }

    UntilFailure(Iterator<InternalRow> rows) {
      this.rows = rows;
    }

    @Override
    public boolean hasNext() {
      try {
        if (next == null && failure == null && rows.hasNext()) {
          next = rows.next();
        }
      } catch (RuntimeException e) {
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

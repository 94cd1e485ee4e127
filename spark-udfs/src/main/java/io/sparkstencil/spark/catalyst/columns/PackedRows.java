/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.exec.CellColumn;
import java.util.NoSuchElementException;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/** Rows of fixed-width columns, copied into batches. */
public final class PackedRows extends AbstractIterator<ColumnarBatch> {
  private static final int MOST_ROWS = 4096;

  private final Iterator<? extends InternalRow> rows;
  private final DataType[] types;

  /** Packs rows, each of which is valid until the next is asked for. */
  public PackedRows(Iterator<? extends InternalRow> rows, StructType schema) {
    this.rows = rows;
    this.types = new DataType[schema.size()];
    for (int c = 0; c < types.length; c++) {
      types[c] = schema.apply(c).dataType();
    }
  }

  /** Returns the batches of all partitions. */
  public static RDD<ColumnarBatch> of(RDD<InternalRow> rows, StructType schema) {
    PartitionEvaluatorFactory<InternalRow, ColumnarBatch> factory =
        () -> (index, inputs) -> new PackedRows(inputs.apply(0), schema);
    return rows.mapPartitionsWithEvaluator(factory, ScalaInterop.tag(ColumnarBatch.class));
  }

  @Override
  public boolean hasNext() {
    return rows.hasNext();
  }

  @Override
  public ColumnarBatch next() {
    if (!rows.hasNext()) {
      throw new NoSuchElementException();
    }
    CellColumn[] columns = new CellColumn[types.length];
    for (int c = 0; c < types.length; c++) {
      columns[c] = new CellColumn(ColumnarLayout.elementType(types[c]), 0);
    }
    int count = 0;
    while (count < MOST_ROWS && rows.hasNext()) {
      InternalRow row = rows.next();
      for (int c = 0; c < types.length; c++) {
        append(row, c, types[c], columns[c]);
      }
      count++;
    }
    ColumnVector[] vectors = new ColumnVector[types.length];
    for (int c = 0; c < types.length; c++) {
      vectors[c] =
          new ArrayColumnVector(types[c], columns[c].array(), columns[c].validity(), 0, count);
    }
    return new ColumnarBatch(vectors, count);
  }

  private static void append(InternalRow row, int ordinal, DataType type, CellColumn to) {
    if (row.isNullAt(ordinal)) {
      to.addNull();
      return;
    }
    switch (to.type()) {
      case F64 -> to.add(row.getDouble(ordinal));
      case F32 -> to.add(row.getFloat(ordinal));
      case I64 -> to.add(row.getLong(ordinal));
      case I32 -> to.add(asInt(row, ordinal, type));
    }
  }

  private static int asInt(InternalRow row, int ordinal, DataType type) {
    if (type instanceof ShortType) {
      return row.getShort(ordinal);
    } else if (type instanceof ByteType) {
      return row.getByte(ordinal);
    } else if (type instanceof BooleanType) {
      return row.getBoolean(ordinal) ? 1 : 0;
    }
    return row.getInt(ordinal);
  }
}

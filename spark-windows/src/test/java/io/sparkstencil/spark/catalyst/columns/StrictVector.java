/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;

/** A column that answers no more than what the generated code of Spark asks. */
final class StrictVector extends ColumnVector {
  /** What it does not answer besides the value in place of a null. */
  enum Kind {
    /** Nothing else: reading many values works where none is null. */
    NULL_SLOTS,
    /** Nor has it a reading of many values, nor does it know how many nulls there are. */
    ALL_AT_ONCE
  }

  private final WritableColumnVector values;
  private final Kind kind;

  StrictVector(WritableColumnVector values, Kind kind) {
    super(values.dataType());
    this.values = values;
    this.kind = kind;
  }

  /** Returns the same rows in strict columns. */
  static ColumnarBatch strict(ColumnarBatch batch, Kind kind) {
    ColumnVector[] columns = new ColumnVector[batch.numCols()];
    for (int c = 0; c < columns.length; c++) {
      columns[c] = new StrictVector((OnHeapColumnVector) batch.column(c), kind);
    }
    return new ColumnarBatch(columns, batch.numRows());
  }

  private int there(int row) {
    if (values.isNullAt(row)) {
      throw new IllegalStateException("the value of row %d is null".formatted(row));
    }
    return row;
  }

  private void requireAtOnce() {
    if (kind == Kind.ALL_AT_ONCE) {
      throw new UnsupportedOperationException("many values at once");
    }
  }

  @Override
  public void close() {}

  @Override
  public boolean hasNull() {
    requireAtOnce();
    return values.hasNull();
  }

  @Override
  public int numNulls() {
    requireAtOnce();
    return values.numNulls();
  }

  @Override
  public boolean isNullAt(int row) {
    return values.isNullAt(row);
  }

  @Override
  public boolean getBoolean(int row) {
    return values.getBoolean(there(row));
  }

  @Override
  public byte getByte(int row) {
    return values.getByte(there(row));
  }

  @Override
  public short getShort(int row) {
    return values.getShort(there(row));
  }

  @Override
  public int getInt(int row) {
    return values.getInt(there(row));
  }

  @Override
  public long getLong(int row) {
    return values.getLong(there(row));
  }

  @Override
  public float getFloat(int row) {
    return values.getFloat(there(row));
  }

  @Override
  public double getDouble(int row) {
    return values.getDouble(there(row));
  }

  @Override
  public boolean[] getBooleans(int row, int count) {
    requireAtOnce();
    return super.getBooleans(row, count);
  }

  @Override
  public byte[] getBytes(int row, int count) {
    requireAtOnce();
    return super.getBytes(row, count);
  }

  @Override
  public short[] getShorts(int row, int count) {
    requireAtOnce();
    return super.getShorts(row, count);
  }

  @Override
  public int[] getInts(int row, int count) {
    requireAtOnce();
    return super.getInts(row, count);
  }

  @Override
  public long[] getLongs(int row, int count) {
    requireAtOnce();
    return super.getLongs(row, count);
  }

  @Override
  public float[] getFloats(int row, int count) {
    requireAtOnce();
    return super.getFloats(row, count);
  }

  @Override
  public double[] getDoubles(int row, int count) {
    requireAtOnce();
    return super.getDoubles(row, count);
  }

  @Override
  public ColumnarArray getArray(int row) {
    int from = values.getArrayOffset(there(row));
    ColumnVector elements = new StrictVector(values.getChild(0), kind);
    return new ColumnarArray(elements, from, values.getArrayLength(row));
  }

  @Override
  public ColumnarMap getMap(int row) {
    return values.getMap(there(row));
  }

  @Override
  public Decimal getDecimal(int row, int precision, int scale) {
    return values.getDecimal(there(row), precision, scale);
  }

  @Override
  public UTF8String getUTF8String(int row) {
    return values.getUTF8String(there(row));
  }

  @Override
  public byte[] getBinary(int row) {
    return values.getBinary(there(row));
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    return new StrictVector(values.getChild(ordinal), kind);
  }
}

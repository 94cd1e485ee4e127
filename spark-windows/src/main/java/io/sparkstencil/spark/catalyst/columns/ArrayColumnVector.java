/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import io.sparkstencil.spark.exec.CellColumn;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A column of fixed-width values in a part of a primitive array; narrow integers are ints, decimals
 * their unscaled values.
 */
public class ArrayColumnVector extends ColumnVector {
  private final int offset;
  private final int rows;
  private final byte[] validity;
  private int[] ints;
  private long[] longs;
  private float[] floats;
  private double[] doubles;

  /**
   * Creates a view of {@code rows} values from {@code offset} on.
   *
   * @param array {@code int[]}, {@code long[]}, {@code float[]} or {@code double[]}; borrowed
   * @param validity 1 for a value, 0 for null, or null if no value is null; borrowed
   */
  public ArrayColumnVector(DataType type, Object array, byte[] validity, int offset, int rows) {
    super(type);
    this.offset = offset;
    this.rows = rows;
    this.validity = validity;
    if (array instanceof int[] a) {
      ints = a;
    } else if (array instanceof long[] a) {
      longs = a;
    } else if (array instanceof float[] a) {
      floats = a;
    } else {
      doubles = (double[]) array;
    }
  }

  /**
   * Returns a view of {@code rows} cells from {@code from} on.
   *
   * @param cells the values as they are, or of texts where they lie; borrowed
   * @param texts the memory of texts; null if the type is another
   */
  public static ColumnVector of(
      DataType type, CellColumn cells, TextMemory texts, int from, int rows) {
    return Texts.liesApart(type)
        ? new TextVector(type, texts, (long[]) cells.array(), cells.validity(), from, rows)
        : new ArrayColumnVector(type, cells.array(), cells.validity(), from, rows);
  }

  /** Returns how many rows there are. */
  final int rows() {
    return rows;
  }

  @Override
  public void close() {
    // The garbage collector owns the array.
  }

  @Override
  public boolean hasNull() {
    return numNulls() > 0;
  }

  @Override
  public int numNulls() {
    int nulls = 0;
    for (int i = 0; validity != null && i < rows; i++) {
      nulls += 1 - validity[offset + i];
    }
    return nulls;
  }

  @Override
  public boolean isNullAt(int row) {
    return validity != null && validity[offset + row] == 0;
  }

  @Override
  public boolean getBoolean(int row) {
    return ints[offset + row] != 0;
  }

  @Override
  public byte getByte(int row) {
    return (byte) ints[offset + row];
  }

  @Override
  public short getShort(int row) {
    return (short) ints[offset + row];
  }

  @Override
  public int getInt(int row) {
    return ints[offset + row];
  }

  @Override
  public long getLong(int row) {
    return longs[offset + row];
  }

  @Override
  public float getFloat(int row) {
    return floats[offset + row];
  }

  @Override
  public double getDouble(int row) {
    return doubles[offset + row];
  }

  @Override
  public ColumnarArray getArray(int row) {
    throw notFixedWidth();
  }

  @Override
  public ColumnarMap getMap(int row) {
    throw notFixedWidth();
  }

  @Override
  public Decimal getDecimal(int row, int precision, int scale) {
    return Decimal.createUnsafe(longs[offset + row], precision, scale);
  }

  @Override
  public UTF8String getUTF8String(int row) {
    throw notFixedWidth();
  }

  @Override
  public byte[] getBinary(int row) {
    throw notFixedWidth();
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    throw notFixedWidth();
  }

  private UnsupportedOperationException notFixedWidth() {
    return new UnsupportedOperationException(
        "column of %s has no such values".formatted(type.simpleString()));
  }
}

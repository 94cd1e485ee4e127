/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import java.util.Arrays;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;

/** A column of fixed width whose values lie in words, as {@link WordType} says. */
final class WordVector extends ColumnVector {
  private final long[] words;
  private final boolean[] nulls; // null if there are none
  private final WordType as;

  /**
   * Creates a column.
   *
   * @param type a type of fixed width
   * @param words the values, 0 where they are null
   * @param nulls which are null, or null if none is
   */
  WordVector(DataType type, long[] words, boolean[] nulls) {
    super(type);
    this.words = words;
    this.nulls = nulls;
    this.as = WordType.kept(type);
  }

  /** Returns a copy of the first words. */
  long[] words(int count) {
    return Arrays.copyOf(words, count);
  }

  @Override
  public void close() {}

  @Override
  public boolean hasNull() {
    return nulls != null;
  }

  @Override
  public int numNulls() {
    int count = 0;
    for (int i = 0; nulls != null && i < nulls.length; i++) {
      count += nulls[i] ? 1 : 0;
    }
    return count;
  }

  @Override
  public boolean isNullAt(int row) {
    return nulls != null && nulls[row];
  }

  @Override
  public boolean getBoolean(int row) {
    return words[row] != 0;
  }

  @Override
  public byte getByte(int row) {
    return (byte) words[row];
  }

  @Override
  public short getShort(int row) {
    return (short) words[row];
  }

  @Override
  public int getInt(int row) {
    return (int) words[row];
  }

  @Override
  public long getLong(int row) {
    return as.value(words[row]);
  }

  @Override
  public float getFloat(int row) {
    return Float.intBitsToFloat((int) words[row]);
  }

  @Override
  public double getDouble(int row) {
    return Double.longBitsToDouble(words[row]);
  }

  @Override
  public Decimal getDecimal(int row, int precision, int scale) {
    return isNullAt(row) ? null : Decimal.createUnsafe(words[row], precision, scale);
  }

  @Override
  public ColumnarArray getArray(int row) {
    throw notThere();
  }

  @Override
  public ColumnarMap getMap(int row) {
    throw notThere();
  }

  @Override
  public UTF8String getUTF8String(int row) {
    throw notThere();
  }

  @Override
  public byte[] getBinary(int row) {
    throw notThere();
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    throw notThere();
  }

  private UnsupportedOperationException notThere() {
    return new UnsupportedOperationException("a column of type " + dataType().sql());
  }
}

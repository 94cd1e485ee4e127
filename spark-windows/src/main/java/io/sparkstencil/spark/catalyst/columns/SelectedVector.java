/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.CalendarInterval;
import org.apache.spark.unsafe.types.UTF8String;

/** Some rows of another column, which are read where they lie. The column owns the memory. */
final class SelectedVector extends ColumnVector {
  private final ColumnVector all;
  private final int[] rows;
  private final int count;

  /**
   * Creates the column.
   *
   * @param all the other column
   * @param rows which of its rows are selected, ascending
   * @param count how many they are
   */
  SelectedVector(ColumnVector all, int[] rows, int count) {
    super(all.dataType());
    this.all = all;
    this.rows = rows;
    this.count = count;
  }

  /** Returns all rows as words, in an array of its own that may be longer. */
  long[] words(DataType as) {
    if (!(all instanceof SelectedVector) && !ColumnValues.canBeReadAtOnce(all)) {
      return ColumnValues.readEach(this, as, 0, count, null);
    }
    long[] words = ColumnValues.words(all, as, count == 0 ? 0 : rows[count - 1] + 1, null);
    for (int i = 0; i < count; i++) {
      words[i] = words[rows[i]]; // which is not before it
    }
    return words;
  }

  /** Returns the other column. */
  ColumnVector all() {
    return all;
  }

  /** Returns the row of the other column that a row is. */
  int rowOf(int row) {
    return rows[row];
  }

  @Override
  public void close() {}

  @Override
  public boolean hasNull() {
    return ColumnValues.mayHaveNulls(all);
  }

  @Override
  public int numNulls() {
    int nulls = 0;
    for (int i = 0; i < count; i++) {
      nulls += isNullAt(i) ? 1 : 0;
    }
    return nulls;
  }

  @Override
  public boolean isNullAt(int row) {
    return all.isNullAt(rows[row]);
  }

  @Override
  public boolean getBoolean(int row) {
    return all.getBoolean(rows[row]);
  }

  @Override
  public byte getByte(int row) {
    return all.getByte(rows[row]);
  }

  @Override
  public short getShort(int row) {
    return all.getShort(rows[row]);
  }

  @Override
  public int getInt(int row) {
    return all.getInt(rows[row]);
  }

  @Override
  public long getLong(int row) {
    return all.getLong(rows[row]);
  }

  @Override
  public float getFloat(int row) {
    return all.getFloat(rows[row]);
  }

  @Override
  public double getDouble(int row) {
    return all.getDouble(rows[row]);
  }

  @Override
  public ColumnarArray getArray(int row) {
    return all.getArray(rows[row]);
  }

  @Override
  public ColumnarMap getMap(int row) {
    return all.getMap(rows[row]);
  }

  @Override
  public Decimal getDecimal(int row, int precision, int scale) {
    return all.getDecimal(rows[row], precision, scale);
  }

  @Override
  public UTF8String getUTF8String(int row) {
    return all.getUTF8String(rows[row]);
  }

  @Override
  public byte[] getBinary(int row) {
    return all.getBinary(rows[row]);
  }

  @Override
  public CalendarInterval getInterval(int row) {
    return all.getInterval(rows[row]);
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    return new SelectedVector(all.getChild(ordinal), rows, count);
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.CalendarInterval;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A read-only column of texts, which lie in memory of their own. Other values become objects one by
 * one, when they are asked for; who makes rows of them copies their bytes instead.
 */
final class TextVector extends ArrayColumnVector {
  private final TextMemory memory;
  private ValueVector values; // of another type than texts, once one was asked for

  /**
   * Creates a view of {@code rows} texts from {@code offset} on.
   *
   * @param places where they lie in {@code memory}; borrowed
   * @param validity 1 for a text, 0 for null, or null if none is null; borrowed
   */
  TextVector(
      DataType type, TextMemory memory, long[] places, byte[] validity, int offset, int rows) {
    super(Texts.stored(type), places, validity, offset, rows);
    this.memory = memory;
  }

  /** Returns a text that is not null, where it lies. */
  UTF8String text(int row) {
    return memory.text(getLong(row));
  }

  /** Returns the number of bytes of a text that is not null. */
  int bytes(int row) {
    return memory.bytes(getLong(row));
  }

  /** Copies the {@code bytes} of a text that is not null, and makes whole words of them. */
  void copy(int row, int bytes, Object to, long offset) {
    memory.copy(getLong(row), bytes, to, offset);
  }

  @Override
  public UTF8String getUTF8String(int row) {
    return isNullAt(row) ? null : text(row);
  }

  @Override
  public byte[] getBinary(int row) {
    return isNullAt(row) ? null : text(row).getBytes();
  }

  @Override
  public Decimal getDecimal(int row, int precision, int scale) {
    return values().getDecimal(row, precision, scale);
  }

  @Override
  public ColumnarArray getArray(int row) {
    return values().getArray(row);
  }

  @Override
  public ColumnarMap getMap(int row) {
    return values().getMap(row);
  }

  @Override
  public CalendarInterval getInterval(int row) {
    return values().getInterval(row);
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    return values().getChild(ordinal);
  }

  private ValueVector values() {
    if (values == null) {
      values = new ValueVector(type, rows(), row -> isNullAt(row) ? null : value(row));
    }
    return values;
  }

  /** Returns a value that is not null, in memory of its own. */
  private Object value(int row) {
    int count = bytes(row);
    byte[] bytes = new byte[Math.toIntExact(2 * Long.BYTES + Texts.padded(count))];
    copy(row, count, bytes, Platform.BYTE_ARRAY_OFFSET + 2L * Long.BYTES);
    UnsafeRow only = new UnsafeRow(1);
    only.pointTo(bytes, bytes.length);
    only.setLong(0, (long) (2 * Long.BYTES) << Integer.SIZE | count);
    return ValueVector.read(only, 0, type);
  }
}

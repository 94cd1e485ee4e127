/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.types.UTF8String;

/** A read-only column of texts, which lie in memory of their own. */
final class TextVector extends ArrayColumnVector {
  private final TextMemory memory;

  /**
   * Creates a view of {@code rows} texts from {@code offset} on.
   *
   * @param places where they lie in {@code memory}; borrowed
   * @param validity 1 for a text, 0 for null, or null if none is null; borrowed
   */
  TextVector(
      DataType type, TextMemory memory, long[] places, byte[] validity, int offset, int rows) {
    super(type, places, validity, offset, rows);
    this.memory = memory;
  }

  /** Returns the number of bytes of a text that is not null. */
  int bytes(int row) {
    return memory.bytes(getLong(row));
  }

  /** Copies the {@code bytes} of a text that is not null, and makes whole words of them. */
  void copy(int row, int bytes, byte[] to, long offset) {
    memory.copy(getLong(row), bytes, to, offset);
  }

  @Override
  public UTF8String getUTF8String(int row) {
    return isNullAt(row) ? null : memory.text(getLong(row));
  }

  @Override
  public byte[] getBinary(int row) {
    return isNullAt(row) ? null : memory.text(getLong(row)).getBytes();
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.columns.Texts;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.unsafe.types.UTF8String;

/** The texts of a column of a {@link WordBatch}, whose words are their numbers of bytes. */
final class TextColumn {
  private static final long SEED = 42;

  private UTF8String[] values = new UTF8String[0]; // of a scan, or of a key
  private Object base; // where those that were shuffled lie, one after the other; else null
  private long offset;
  private long bytes; // of all of these

  /** Reads the texts of a scan, where they lie, and returns their numbers of bytes. */
  long[] read(ColumnVector vector, DataType type, int rows) {
    if (values.length < rows) {
      values = new UTF8String[rows];
    }
    long[] lengths = new long[rows];
    boolean nulls = vector.hasNull();
    for (int i = 0; i < rows; i++) {
      UTF8String value =
          nulls && vector.isNullAt(i) ? UTF8String.EMPTY_UTF8 : Texts.of(vector, type, i);
      values[i] = value;
      lengths[i] = value.numBytes();
    }
    return lengths;
  }

  /** Reads texts that were shuffled, and returns where those of the next column lie. */
  long read(Object from, long at, long[] lengths, int rows) {
    base = from;
    offset = at;
    bytes = Arrays.stream(lengths, 0, rows).sum();
    return at + Texts.padded(bytes);
  }

  /**
   * Makes each text that was shuffled known by its row, as those of a scan are.
   *
   * @param lengths their numbers of bytes
   */
  void locate(long[] lengths, int rows) {
    if (base != null) {
      values = values.length < rows ? new UTF8String[rows] : values;
      long at = offset;
      for (int i = 0; i < rows; i++) {
        values[i] = UTF8String.fromAddress(base, at, (int) lengths[i]);
        at += lengths[i];
      }
    }
  }

  /** Returns hashes of the texts, each of which is known by its row. */
  long[] hashes(int rows) {
    long[] hashes = new long[rows];
    for (int i = 0; i < rows; i++) {
      UTF8String value = values[i];
      hashes[i] =
          XXH64.hashUnsafeBytes(
              value.getBaseObject(), value.getBaseOffset(), value.numBytes(), SEED);
    }
    return hashes;
  }

  /** Returns the text of a row that is known, or an empty one for a null. */
  UTF8String value(int row) {
    return values[row];
  }

  Object base() {
    return base;
  }

  long offset() {
    return offset;
  }

  long bytes() {
    return bytes;
  }
}

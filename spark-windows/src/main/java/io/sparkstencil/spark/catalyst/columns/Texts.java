/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/** Texts: strings and binary values, which have bytes of any number and are known by these. */
public final class Texts {
  private static final int FEW_BYTES = 64;

  private Texts() {}

  /** Tells whether values of a type are texts. */
  public static boolean isText(DataType type) {
    return type instanceof StringType || type instanceof BinaryType;
  }

  /** Returns a text that is not null, where its bytes lie in the column. */
  public static UTF8String of(ColumnVector vector, DataType type, int row) {
    if (vector instanceof SelectedVector selected) {
      return selected.text(type, row);
    }
    boolean isPlain =
        type instanceof StringType
            || ColumnValues.isOfSpark(vector)
            || vector instanceof TextVector;
    return isPlain ? vector.getUTF8String(row) : UTF8String.fromBytes(vector.getBinary(row));
  }

  /** Returns the bytes of whole words that so many bytes need. */
  public static long padded(long bytes) {
    return (bytes + Long.BYTES - 1) & -Long.BYTES;
  }

  /** Copies bytes, and makes the rest of the last word zeros. */
  public static void copy(Object from, long fromOffset, long bytes, Object to, long toOffset) {
    if (bytes % Long.BYTES != 0) {
      Platform.putLong(to, toOffset + (bytes & -Long.BYTES), 0);
    }
    copyBytes(from, fromOffset, bytes, to, toOffset);
  }

  /** Copies bytes to other memory in whole words, and so up to seven bytes behind them. */
  public static void copyWords(Object from, long fromOffset, long bytes, Object to, long toOffset) {
    if (bytes > FEW_BYTES) {
      Platform.copyMemory(from, fromOffset, to, toOffset, bytes);
      return;
    }
    for (long i = 0; i < bytes; i += Long.BYTES) {
      Platform.putLong(to, toOffset + i, Platform.getLong(from, fromOffset + i));
    }
  }

  /** Copies bytes to other memory; a few of them word by word, which is quickest. */
  public static void copyBytes(Object from, long fromOffset, long bytes, Object to, long toOffset) {
    if (bytes > FEW_BYTES) {
      Platform.copyMemory(from, fromOffset, to, toOffset, bytes);
      return;
    } else if (bytes < Long.BYTES) {
      copyLessThanWord(from, fromOffset, bytes, to, toOffset);
      return;
    }
    long last = bytes - Long.BYTES;
    for (long i = 0; i < last; i += Long.BYTES) {
      Platform.putLong(to, toOffset + i, Platform.getLong(from, fromOffset + i));
    }
    Platform.putLong(to, toOffset + last, Platform.getLong(from, fromOffset + last));
  }

  private static void copyLessThanWord(
      Object from, long fromOffset, long bytes, Object to, long toOffset) {
    long last = bytes - Integer.BYTES;
    if (last >= 0) {
      Platform.putInt(to, toOffset, Platform.getInt(from, fromOffset));
      Platform.putInt(to, toOffset + last, Platform.getInt(from, fromOffset + last));
      return;
    }
    for (long i = 0; i < bytes; i++) {
      Platform.putByte(to, toOffset + i, Platform.getByte(from, fromOffset + i));
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.CalendarIntervalType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.UserDefinedType;
import org.apache.spark.unsafe.Platform;

/**
 * Texts: strings and binary values, which have bytes of any number and are known by these. Values
 * of all other types without a fixed width are handled as texts, whose bytes are those that a
 * binary row of Spark's has of them: arrays, maps, structs, long decimals, intervals, variants.
 */
public final class Texts {
  private static final int FEW_BYTES = 64;

  private Texts() {}

  /** Tells whether values of a type are texts. */
  public static boolean isText(DataType type) {
    return type instanceof StringType || type instanceof BinaryType;
  }

  /** Tells whether the bytes of values lie apart from the words of rows: whether they are texts. */
  public static boolean liesApart(DataType type) {
    return isText(type) || WordType.kept(type) == null;
  }

  /** Returns the type as which Spark stores values: that of users' types is another one. */
  public static DataType stored(DataType type) {
    return type instanceof UserDefinedType<?> own ? own.sqlType() : type;
  }

  /** Returns how many bytes of a binary row a value has at least: Spark updates some in place. */
  public static int leastBytes(DataType type) {
    boolean isUpdated =
        type instanceof CalendarIntervalType
            || (type instanceof DecimalType && WordType.of(type) == null);
    return isUpdated ? 2 * Long.BYTES : 0;
  }

  /** Returns how many bytes the word of a null tells of. */
  public static int bytesOfNull(DataType type) {
    return type instanceof CalendarIntervalType ? leastBytes(type) : 0;
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

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.vectorized.ColumnVector;

/**
 * Copies of the values of Spark's columns of fixed width. What stands in place of nulls is open.
 */
public final class ColumnValues {
  private ColumnValues() {}

  /** Returns a copy of values in an array of the type of cells that holds them as they are. */
  static Object cells(ColumnVector vector, DataType type, int from, int count) {
    return switch (WordType.of(type).cells()) {
      case F64 -> vector.getDoubles(from, count);
      case F32 -> vector.getFloats(from, count);
      case I64 -> longs(vector, type, from, count);
      case I32 -> ints(vector, type, from, count);
    };
  }

  /**
   * Returns the first values as words, in an array that may be longer.
   *
   * @param room an array for them, which is used if it is simple to; or null
   */
  public static long[] words(ColumnVector vector, DataType type, int count, long[] room) {
    if (vector instanceof SelectedVector selected) {
      return selected.words(type);
    } else if (vector instanceof WordVector made) {
      return made.words(count);
    }
    WordType word = WordType.of(type);
    if (room != null && !vector.hasNull() && !(type instanceof DecimalType)) {
      // Null values of columns with dictionaries cannot be read one by one.
      return read(vector, word, count, room) ? room : words(vector, type, count, null);
    }
    if (word == WordType.LONG) {
      return longs(vector, type, 0, count);
    }
    long[] words = new long[count];
    switch (word) {
      case DOUBLE -> {
        double[] doubles = vector.getDoubles(0, count);
        for (int i = 0; i < count; i++) {
          words[i] = Double.doubleToRawLongBits(doubles[i]);
        }
      }
      case FLOAT -> {
        float[] floats = vector.getFloats(0, count);
        for (int i = 0; i < count; i++) {
          words[i] = Float.floatToRawIntBits(floats[i]) & word.mask();
        }
      }
      default -> {
        int[] ints = ints(vector, type, 0, count);
        long mask = word.mask();
        for (int i = 0; i < count; i++) {
          words[i] = ints[i] & mask;
        }
      }
    }
    return words;
  }

  /** Reads values that are not null one by one; false, and none is read, if they are narrow. */
  private static boolean read(ColumnVector vector, WordType word, int count, long[] words) {
    switch (word) {
      case LONG -> {
        for (int i = 0; i < count; i++) {
          words[i] = vector.getLong(i);
        }
      }
      case DOUBLE -> {
        for (int i = 0; i < count; i++) {
          words[i] = Double.doubleToRawLongBits(vector.getDouble(i));
        }
      }
      case INT -> {
        for (int i = 0; i < count; i++) {
          words[i] = vector.getInt(i) & 0xFFFFFFFFL;
        }
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  static long[] longs(ColumnVector vector, DataType type, int from, int count) {
    if (!(type instanceof DecimalType decimal)) {
      return vector.getLongs(from, count);
    }
    boolean isPlain = vector instanceof WritableColumnVector; // which has Spark's own layout
    if (isPlain && decimal.precision() > Decimal.MAX_INT_DIGITS()) {
      return vector.getLongs(from, count);
    }
    long[] longs = new long[count];
    if (isPlain) {
      int[] ints = vector.getInts(from, count);
      for (int i = 0; i < count; i++) {
        longs[i] = ints[i];
      }
      return longs;
    }
    for (int i = 0; i < count; i++) {
      if (!vector.isNullAt(from + i)) {
        longs[i] =
            vector.getDecimal(from + i, decimal.precision(), decimal.scale()).toUnscaledLong();
      }
    }
    return longs;
  }

  static int[] ints(ColumnVector vector, DataType type, int from, int count) {
    boolean isShort = type instanceof ShortType;
    boolean isByte = type instanceof ByteType;
    if (!isShort && !isByte && !(type instanceof BooleanType)) {
      return vector.getInts(from, count);
    }
    int[] ints = new int[count];
    boolean nulls = vector.hasNull(); // in whose places a vector may have anything
    for (int i = 0; i < count; i++) {
      if (nulls && vector.isNullAt(from + i)) {
        continue;
      }
      if (isShort) {
        ints[i] = vector.getShort(from + i);
      } else if (isByte) {
        ints[i] = vector.getByte(from + i);
      } else {
        ints[i] = vector.getBoolean(from + i) ? 1 : 0;
      }
    }
    return ints;
  }
}

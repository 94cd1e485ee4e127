/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import org.apache.spark.sql.execution.vectorized.OffHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.vectorized.ColumnVector;

/**
 * Copies of the values of columns of fixed width. What stands in place of nulls is open.
 *
 * <p>A column need not have anything in place of a null, and generated code does not look there.
 * Columns of tables of others may fail there, or have no method that reads many values. Their
 * values are read one by one, and only those that are not null.
 */
public final class ColumnValues {
  private ColumnValues() {}

  /** Tells whether a column lies in memory as Spark's own readers fill it. */
  public static boolean isOfSpark(ColumnVector vector) {
    Class<?> type = vector.getClass(); // columns that are derived from these may differ
    return type == OnHeapColumnVector.class || type == OffHeapColumnVector.class;
  }

  /** Tells whether a column is ours, which has some value in place of each null. */
  static boolean isOurs(ColumnVector vector) {
    return vector instanceof ArrayColumnVector || vector instanceof WordVector;
  }

  /** Tells whether many values of a column may be read at once, nulls among them. */
  public static boolean canBeReadAtOnce(ColumnVector vector) {
    return isOfSpark(vector) || isOurs(vector);
  }

  /**
   * Tells whether values of a column have to be asked whether they are null. What columns of others
   * say of all their values does not count, as Spark never asks for it.
   */
  public static boolean mayHaveNulls(ColumnVector vector) {
    boolean says = vector instanceof SelectedVector || canBeReadAtOnce(vector);
    return !says || vector.hasNull();
  }

  /** Returns a copy of values in an array of the type of cells that holds them as they are. */
  static Object cells(ColumnVector vector, DataType type, int from, int count) {
    if (!canBeReadAtOnce(vector)) {
      return cells(readEach(vector, type, from, count, null), WordType.kept(type), count);
    }
    return switch (WordType.kept(type).cells()) {
      case F64 -> vector.getDoubles(from, count);
      case F32 -> vector.getFloats(from, count);
      case I64 -> longs(vector, type, from, count);
      case I32 -> ints(vector, type, from, count);
    };
  }

  private static Object cells(long[] words, WordType word, int count) {
    Object cells = word.cells().newArray(count);
    for (int i = 0; i < count; i++) {
      switch (word.cells()) {
        case F64 -> ((double[]) cells)[i] = Double.longBitsToDouble(words[i]);
        case F32 -> ((float[]) cells)[i] = Float.intBitsToFloat((int) words[i]);
        case I64 -> ((long[]) cells)[i] = words[i];
        case I32 -> ((int[]) cells)[i] = (int) word.value(words[i]);
      }
    }
    return cells;
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
    } else if (!canBeReadAtOnce(vector)) {
      return readEach(vector, type, 0, count, room);
    }
    WordType word = WordType.kept(type);
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

  /**
   * Reads values that are not null as words, one by one; 0 in place of the others.
   *
   * @param room an array for them, if it is long enough; or null
   */
  static long[] readEach(ColumnVector vector, DataType type, int from, int count, long[] room) {
    long[] words = room == null || room.length < count ? new long[count] : room;
    WordType word = WordType.kept(type);
    for (int i = 0; i < count; i++) {
      int row = from + i;
      words[i] = vector.isNullAt(row) ? 0 : word.word(bits(vector, type, word, row));
    }
    return words;
  }

  private static long bits(ColumnVector vector, DataType type, WordType word, int row) {
    return switch (word) {
      case BOOLEAN -> vector.getBoolean(row) ? 1 : 0;
      case BYTE -> vector.getByte(row);
      case SHORT -> vector.getShort(row);
      case INT -> vector.getInt(row);
      case LONG ->
          type instanceof DecimalType decimal
              ? vector.getDecimal(row, decimal.precision(), decimal.scale()).toUnscaledLong()
              : vector.getLong(row);
      case FLOAT -> Float.floatToRawIntBits(vector.getFloat(row));
      case DOUBLE -> Double.doubleToRawLongBits(vector.getDouble(row));
    };
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

  /** Returns values of a column that {@link #canBeReadAtOnce}. */
  static long[] longs(ColumnVector vector, DataType type, int from, int count) {
    if (!(type instanceof DecimalType decimal)) {
      return vector.getLongs(from, count);
    }
    boolean isPlain = isOfSpark(vector);
    if (isPlain && decimal.precision() > Decimal.MAX_INT_DIGITS()) {
      return vector.getLongs(from, count);
    }
    if (!isPlain) {
      return readEach(vector, type, from, count, null);
    }
    long[] longs = new long[count];
    int[] ints = vector.getInts(from, count);
    for (int i = 0; i < count; i++) {
      longs[i] = ints[i];
    }
    return longs;
  }

  /** Returns values of a column that {@link #canBeReadAtOnce}. */
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

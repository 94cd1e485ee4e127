/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import io.sparkstencil.model.ElementType;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.YearMonthIntervalType;

/**
 * How values of fixed width lie in the words of Spark's binary rows: in the low bits of a word
 * whose other bits are 0. The word of a null is 0.
 */
public enum WordType {
  BOOLEAN(1, ElementType.I32),
  BYTE(Byte.SIZE, ElementType.I32),
  SHORT(Short.SIZE, ElementType.I32),
  INT(Integer.SIZE, ElementType.I32),
  LONG(Long.SIZE, ElementType.I64),
  FLOAT(Float.SIZE, ElementType.F32),
  DOUBLE(Double.SIZE, ElementType.F64);

  private final int bits;
  private final ElementType cells;

  WordType(int bits, ElementType cells) {
    this.bits = bits;
    this.cells = cells;
  }

  /** Returns how values of a type lie in words, or null if the type has no fixed width. */
  public static WordType of(DataType type) {
    if (type instanceof BooleanType) {
      return BOOLEAN;
    } else if (type instanceof ByteType) {
      return BYTE;
    } else if (type instanceof ShortType) {
      return SHORT;
    } else if (type instanceof IntegerType
        || type instanceof DateType
        || type instanceof YearMonthIntervalType) {
      return INT;
    } else if (type instanceof FloatType) {
      return FLOAT;
    } else if (type instanceof DoubleType) {
      return DOUBLE;
    }
    boolean isLong =
        type instanceof LongType
            || type instanceof TimestampType
            || type instanceof TimestampNTZType
            || type instanceof DayTimeIntervalType
            || (type instanceof DecimalType decimal
                && decimal.precision() <= Decimal.MAX_LONG_DIGITS());
    return isLong ? LONG : null;
  }

  /**
   * Returns how values of a type lie in words, whether or not anything is computed of them, or null
   * if they do not: there is nothing of a type that has nulls alone.
   */
  public static WordType kept(DataType type) {
    DataType stored = Texts.stored(type);
    WordType known = of(stored);
    boolean isOther =
        known == null
            && !Texts.isText(stored)
            && !(stored instanceof NullType)
            && UnsafeRow.isFixedLength(stored);
    return isOther ? LONG : known;
  }

  /** Returns the type of cells that holds the values as they are. */
  public ElementType cells() {
    return cells;
  }

  public boolean isFloating() {
    return this == FLOAT || this == DOUBLE;
  }

  /** Returns the integer in a word, or the bits of its floating-point number. */
  public long value(long word) {
    return switch (this) {
      case BYTE -> (byte) word;
      case SHORT -> (short) word;
      case INT, FLOAT -> (int) word;
      case BOOLEAN, LONG, DOUBLE -> word;
    };
  }

  /**
   * Returns one word for all values that are equal: zeros of both signs are, and so are all NaNs.
   */
  public long normalized(long word) {
    return switch (this) {
      case DOUBLE -> {
        double value = Double.longBitsToDouble(word);
        yield Double.doubleToLongBits(value == 0 ? 0.0 : value);
      }
      case FLOAT -> {
        float value = Float.intBitsToFloat((int) word);
        yield Float.floatToIntBits(value == 0 ? 0.0f : value) & mask();
      }
      default -> word;
    };
  }

  /** Returns the word of an integer. */
  public long word(long value) {
    return value & mask();
  }

  /** Returns the bits of a word that an integer may set. */
  long mask() {
    return -1L >>> (Long.SIZE - bits);
  }

  /** Returns a number for the word of a value, ordered as Spark orders the values. */
  public long number(long word) {
    return switch (this) {
      case DOUBLE -> ofDouble(Double.longBitsToDouble(word));
      case FLOAT -> ofDouble(Float.intBitsToFloat((int) word));
      default -> value(word);
    };
  }

  /**
   * Returns a number for a floating-point number: zeros of both signs are equal, and so are all
   * NaNs, which are greatest.
   */
  public static long ofDouble(double value) {
    long bits = Double.doubleToLongBits(value == 0 ? 0.0 : value);
    return bits ^ ((bits >> (Long.SIZE - 1)) & Long.MAX_VALUE);
  }
}

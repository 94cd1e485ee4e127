/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.ElementType;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each row of a column of fixed width is compared: a fault may be in a single one. */
final class FixedWidthVectorsTest {
  private static final int ROWS = 2100;
  private static final int BEFORE = 5; // cells of an array before those of the column

  private static DataType type(WordType as) {
    return switch (as) {
      case BOOLEAN -> DataTypes.BooleanType;
      case BYTE -> DataTypes.ByteType;
      case SHORT -> DataTypes.ShortType;
      case INT -> DataTypes.IntegerType;
      case LONG -> DataTypes.LongType;
      case FLOAT -> DataTypes.FloatType;
      case DOUBLE -> DataTypes.DoubleType;
    };
  }

  /** Returns the value of a row, negative for half of them. */
  private static Object value(WordType as, int row) {
    int number = row % 2 == 0 ? row : -row;
    return switch (as) {
      case BOOLEAN -> row % 5 < 2;
      case BYTE -> (byte) number;
      case SHORT -> (short) (7 * number);
      case INT -> 77777 * number;
      case LONG -> (long) number << 40 | row;
      case FLOAT -> number + 0.5f;
      case DOUBLE -> number + 0.1;
    };
  }

  private static Object read(ColumnVector column, WordType as, int row) {
    return switch (as) {
      case BOOLEAN -> column.getBoolean(row);
      case BYTE -> column.getByte(row);
      case SHORT -> column.getShort(row);
      case INT -> column.getInt(row);
      case LONG -> column.getLong(row);
      case FLOAT -> column.getFloat(row);
      case DOUBLE -> column.getDouble(row);
    };
  }

  /** Returns the number that a value is in a word: that of its bits for floating-point numbers. */
  private static long number(Object value) {
    if (value instanceof Boolean is) {
      return is ? 1 : 0;
    } else if (value instanceof Float number) {
      return Float.floatToRawIntBits(number);
    }
    return value instanceof Double number
        ? Double.doubleToRawLongBits(number)
        : ((Number) value).longValue();
  }

  /** Tells whether a row is null: of each third row, from {@code first} on. */
  private static boolean isNull(int row, int first) {
    return row % 3 == first;
  }

  /** Returns a column of a part of an array, with cells of others before and behind. */
  private static ColumnVector ofArray(WordType as, int first) {
    ElementType cells = as.cells();
    int length = BEFORE + ROWS + 1;
    Object array = cells.newArray(length);
    byte[] validity = new byte[length];
    for (int i = 0; i < length; i++) {
      Object value = value(as, Math.abs(i - BEFORE));
      Object cell = cells == ElementType.I32 ? (Object) (int) number(value) : value;
      Array.set(array, i, cell);
      validity[i] = (byte) (isNull(Math.abs(i - BEFORE), first) ? 0 : 1);
    }
    return new ArrayColumnVector(type(as), array, validity, BEFORE, ROWS);
  }

  private static ColumnVector ofWords(WordType as, int first) {
    long[] words = new long[ROWS];
    boolean[] nulls = new boolean[ROWS];
    for (int i = 0; i < ROWS; i++) {
      nulls[i] = isNull(i, first);
      words[i] = nulls[i] ? 0 : as.word(number(value(as, i)));
    }
    return new WordVector(type(as), words, nulls);
  }

  /** Compares each row: row {@code i} of the column is {@code rows[i]} of the values. */
  private static void require(ColumnVector column, WordType as, int first, int[] rows) {
    for (int i = 0; i < rows.length; i++) {
      boolean isNull = isNull(rows[i], first);
      if (column.isNullAt(i) != isNull
          || !isNull && !read(column, as, i).equals(value(as, rows[i]))) {
        assertThat(column.isNullAt(i)).as("row %s is null", i).isEqualTo(isNull);
        assertThat(read(column, as, i)).as("row %s", i).isEqualTo(value(as, rows[i]));
      }
    }
    long nulls = Arrays.stream(rows).filter(row -> isNull(row, first)).count();
    assertThat(column.numNulls()).isEqualTo((int) nulls);
    assertThat(column.hasNull()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void eachRowIsNullOrHasItsValue(WordType as) {
    int[] all = IntStream.range(0, ROWS).toArray();
    int[] some = IntStream.range(0, ROWS).filter(i -> i % 7 != 2).toArray();
    for (int first = 0; first < 3; first++) {
      for (ColumnVector column : new ColumnVector[] {ofArray(as, first), ofWords(as, first)}) {
        require(column, as, first, all);
        ColumnVector selected = new SelectedVector(column, some, some.length);
        require(selected, as, first, some);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void wordsAreThoseOfTheValues(WordType as) {
    int[] some = IntStream.range(0, ROWS).filter(i -> i % 7 != 2).toArray();
    for (int first = 0; first < 3; first++) {
      for (ColumnVector column : new ColumnVector[] {ofArray(as, first), ofWords(as, first)}) {
        long[] words =
            ColumnValues.words(
                new SelectedVector(column, some, some.length), type(as), some.length, null);
        for (int i = 0; i < some.length; i++) {
          if (!isNull(some[i], first)) {
            assertThat(words[i]).as("row %s", i).isEqualTo(as.word(number(value(as, some[i]))));
          }
        }
      }
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.CalendarInterval;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

/** Rows of words and texts. */
final class TextRowTest {
  private static final int NULL_OF_TEXT = 0b010;

  private static final List<DataType> TYPES =
      List.of(DataTypes.LongType, DataTypes.StringType, DataTypes.StringType);

  private final TextRow row = new TextRow(RowLayout.ofTypes(TYPES));

  private void add(int field, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    row.add(field - 1, bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length);
  }

  @Test
  void wordsOfTextsDoNotCount() {
    long place = 7L << Integer.SIZE | 123_456; // where a text lies, elsewhere
    row.begin(new long[] {NULL_OF_TEXT, 42, place, place}, 0);
    assertThat(row.isNull(1)).isTrue();
    add(2, "of two words");

    UnsafeRow spark = new UnsafeRow(3);
    byte[] memory = row.row().getBytes();
    spark.pointTo(memory, memory.length);
    assertThat(spark.getLong(0)).isEqualTo(42);
    assertThat(spark.isNullAt(1)).isTrue();
    assertThat(spark.getLong(1)).as("the word of a null").isZero();
    assertThat(spark.getUTF8String(2)).hasToString("of two words");
  }

  @Test
  void aRowIsOverwrittenByTheNext() {
    row.begin(new long[] {0, 0, 1, -1, -1}, 1);
    add(1, "first");
    add(2, "x".repeat(1000));
    row.begin(new long[] {0, 2, -1, -1}, 0);
    assertThat(row.row().getUTF8String(1)).hasToString("");
    add(2, "next");
    assertThat(row.row().getLong(0)).isEqualTo(2);
    assertThat(row.row().getUTF8String(2)).hasToString("next");
  }

  @Test
  void rowsOfAnyTypesAreThoseOfSpark() {
    List<DataType> types =
        List.of(
            DataTypes.createDecimalType(38, 2),
            DataTypes.LongType,
            DataTypes.CalendarIntervalType,
            DataTypes.StringType,
            DataTypes.createArrayType(DataTypes.IntegerType));
    UnsafeProjection projection = UnsafeProjection.create(types.toArray(DataType[]::new));
    Decimal decimal = Decimal.apply(new BigDecimal("-12345678901234567890.25"), 38, 2);
    ArrayData array = UnsafeArrayData.fromPrimitiveArray(new int[] {3, 1, 4});
    UTF8String text = UTF8String.fromString("three words of it");
    Object[][] values = {
      {decimal, 7L, new CalendarInterval(1, 2, 3), text, array},
      {null, 8L, null, text, null},
      {decimal, null, null, null, array},
    };
    RowLayout layout = RowLayout.ofTypes(types);
    TextRow made = new TextRow(layout);
    for (Object[] each : values) {
      UnsafeRow spark = projection.apply(new GenericInternalRow(each)).copy();
      long[] words = new long[layout.words()];
      for (int word = 0; word < words.length; word++) {
        words[word] = Platform.getLong(spark.getBaseObject(), spark.getBaseOffset() + 8L * word);
      }
      made.begin(words, 0);
      for (int t = 0; t < layout.texts().size(); t++) {
        int field = layout.texts().get(t);
        if (made.isNull(field)) {
          made.addNull(t);
        } else {
          byte[] bytes = spark.getBinary(field);
          made.add(t, bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length);
        }
      }
      assertThat(made.row().getSizeInBytes()).isEqualTo(spark.getSizeInBytes());
      if (each[2] != null || each == values[0]) { // Spark leaves anything in a null interval
        assertThat(made.row().getBytes()).isEqualTo(spark.getBytes());
      }
      assertThat(made.row().getDecimal(0, 38, 2)).isEqualTo(spark.getDecimal(0, 38, 2));
      assertThat(made.row().getInterval(2)).isEqualTo(spark.getInterval(2));
      assertThat(made.row().getUTF8String(3)).isEqualTo(spark.getUTF8String(3));
      assertThat(made.row().getArray(4)).isEqualTo(spark.getArray(4));
    }
  }
}

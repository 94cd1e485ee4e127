/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowJoiner;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows of fixed-width columns behind one another. */
final class RowJoinerTest {
  private final Random random = new Random(17);

  private static StructType columns(int fields, DataType type) {
    StructType columns = new StructType();
    for (int field = 0; field < fields; field++) {
      columns = columns.add("c" + field, type);
    }
    return columns;
  }

  private UnsafeRow row(int fields) {
    UnsafeRow row = UnsafeRow.createFromByteArray(8 * ((fields + 63) / 64 + fields), fields);
    for (int field = 0; field < fields; field++) {
      if (random.nextInt(3) == 0) {
        row.setNullAt(field);
      } else {
        row.setLong(field, random.nextLong());
      }
    }
    return row;
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1", "3, 2", "0, 1", "1, 0", "63, 1", "63, 2", "64, 1", "1, 64", "64, 64", "60, 70",
    "127, 65", "130, 3"
  })
  void valuesAndNulls(int left, int right) {
    UnsafeRowJoiner joiner =
        RowJoiner.of(columns(left, DataTypes.LongType), columns(right, DataTypes.DoubleType));
    assertThat(joiner).isInstanceOf(RowJoiner.class);
    for (int turn = 0; turn < 20; turn++) {
      UnsafeRow a = row(left);
      UnsafeRow b = row(right);
      UnsafeRow joined = joiner.join(a, b);
      assertThat(joined.numFields()).isEqualTo(left + right);
      UnsafeRow expected = row(left + right);
      for (int field = 0; field < left + right; field++) {
        UnsafeRow from = field < left ? a : b;
        int at = field < left ? field : field - left;
        expected.setLong(field, from.getLong(at));
        if (from.isNullAt(at)) {
          expected.setNullAt(field);
        }
      }
      assertThat(joined.getBytes()).isEqualTo(expected.getBytes());
    }
  }

  @Test
  void textsAreLeftToSpark() {
    StructType texts = columns(2, DataTypes.StringType);
    StructType longs = columns(2, DataTypes.LongType);
    assertThat(RowJoiner.of(texts, longs)).isNotInstanceOf(RowJoiner.class);
    assertThat(RowJoiner.of(longs, texts)).isNotInstanceOf(RowJoiner.class);
  }
}

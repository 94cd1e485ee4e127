/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;

/** Rows of words and texts. */
final class TextRowTest {
  private static final int NULL_OF_TEXT = 0b010;

  private final TextRow row = new TextRow(new RowLayout(3, 4, List.of(1, 2), List.of()));

  private void add(int field, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    row.add(field, bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length);
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
}

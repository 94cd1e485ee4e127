/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.engine.RowSort;
import io.sparkstencil.spark.catalyst.columns.WordType;
import java.io.Serializable;
import org.apache.spark.sql.types.DataType;

/**
 * A column by which rows are ordered.
 *
 * @param field the column
 * @param type how its values lie in words, those of texts as places
 * @param texts the type of its values where they are texts, else null
 * @param descending whether greater values come first
 * @param nullsFirst whether nulls come first
 */
public record OrderKey(
    int field, WordType type, DataType texts, boolean descending, boolean nullsFirst)
    implements Serializable {
  /** Creates a column whose words have its values. */
  OrderKey(int field, WordType type, boolean descending, boolean nullsFirst) {
    this(field, type, null, descending, nullsFirst);
  }

  /** Tells whether values are texts, which words do not tell apart. */
  boolean isOfTexts() {
    return texts != null;
  }

  /** Tells whether a word is itself the number that {@link #read} writes for it. */
  boolean isNumber() {
    return type == WordType.LONG && !descending && !isOfTexts();
  }

  /** Returns how words hold numbers, for sorts. */
  RowSort.Form form() {
    return switch (type) {
      case BYTE -> RowSort.Form.BYTE;
      case SHORT -> RowSort.Form.SHORT;
      case INT -> RowSort.Form.INT;
      case BOOLEAN, LONG -> RowSort.Form.LONG;
      case FLOAT -> RowSort.Form.FLOAT;
      case DOUBLE -> RowSort.Form.DOUBLE;
    };
  }

  /** Tells whether numbers are ordered as the words from {@code least} to {@code most} are. */
  boolean isOrderOf(long least, long most) {
    return !type.isFloating() && type.value(least) <= type.value(most);
  }

  /** Writes a number for each word that is not null, ordered as Spark orders the values. */
  public void read(long[] words, int rows, long[] numbers) {
    switch (type) {
      case DOUBLE -> {
        for (int i = 0; i < rows; i++) {
          numbers[i] = WordType.ofDouble(Double.longBitsToDouble(words[i]));
        }
      }
      case FLOAT -> {
        for (int i = 0; i < rows; i++) {
          numbers[i] = WordType.ofDouble(Float.intBitsToFloat((int) words[i]));
        }
      }
      case LONG -> System.arraycopy(words, 0, numbers, 0, rows);
      default -> {
        for (int i = 0; i < rows; i++) {
          numbers[i] = type.value(words[i]);
        }
      }
    }
    for (int i = 0; descending && i < rows; i++) {
      numbers[i] = ~numbers[i];
    }
  }
}

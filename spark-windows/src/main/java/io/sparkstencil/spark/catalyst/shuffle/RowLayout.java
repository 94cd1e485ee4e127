/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.columns.Texts;
import java.io.Serializable;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;

/**
 * How the rows of a plan lie in memory, and are shuffled.
 *
 * @param fields the number of columns
 * @param words 64-bit words of every row, before its texts, or 0 if rows are shuffled as they are
 * @param texts the columns whose bytes are shuffled apart from the words, ascending
 * @param doubles the columns that are doubles
 * @param types of the texts
 */
public record RowLayout(
    int fields, int words, List<Integer> texts, List<Integer> doubles, List<DataType> types)
    implements Serializable {

  /** Creates the layout of rows that are shuffled as they are. */
  static RowLayout asTheyAre(int fields) {
    return new RowLayout(fields, 0, List.of(), List.of(), List.of());
  }

  /** Returns the layout of rows with these columns: as they are, if they differ in length. */
  public static RowLayout of(List<Attribute> columns) {
    RowLayout layout = ofColumns(columns);
    return layout.texts.isEmpty() ? layout : asTheyAre(layout.fields);
  }

  /**
   * Returns the layout of rows with these columns, which are shuffled as columns if there are any.
   */
  public static RowLayout ofColumns(List<Attribute> columns) {
    return ofTypes(columns.stream().map(Attribute::dataType).toList());
  }

  /** Returns the layout of rows with columns of these types. */
  public static RowLayout ofTypes(List<DataType> columns) {
    int fields = columns.size();
    List<Integer> texts = those(columns, Texts::liesApart);
    List<Integer> doubles = those(columns, DoubleType.class::isInstance);
    List<DataType> types = texts.stream().map(field -> Texts.stored(columns.get(field))).toList();
    return fields > 0
        ? new RowLayout(fields, words(fields), texts, doubles, types)
        : asTheyAre(fields);
  }

  /** Returns the words of a row of so many columns. */
  static int words(int fields) {
    return UnsafeRow.calculateBitSetWidthInBytes(fields) / Long.BYTES + fields;
  }

  private static List<Integer> those(List<DataType> columns, Predicate<DataType> asked) {
    return IntStream.range(0, columns.size())
        .filter(field -> asked.test(columns.get(field)))
        .boxed()
        .toList();
  }

  /** Returns how one writer of batches has the columns of its rows. */
  public ColumnCodes codes() {
    BitSet doubleWords = new BitSet();
    doubles.forEach(field -> doubleWords.set(word(field)));
    return new ColumnCodes(words, doubleWords, texts.size());
  }

  /** Tells whether the bytes of a column are shuffled apart from its words. */
  boolean isText(int field) {
    return Collections.binarySearch(texts, field) >= 0;
  }

  /** Tells whether all rows have one length. */
  boolean isFixed() {
    return words > 0 && texts.isEmpty();
  }

  /** Returns the word of a column in a row. */
  int word(int field) {
    return words - fields + field;
  }
}

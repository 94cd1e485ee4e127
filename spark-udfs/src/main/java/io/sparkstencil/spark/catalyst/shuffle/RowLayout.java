/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.columns.Texts;
import java.io.Serializable;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * How the rows of a plan lie in memory, and are shuffled.
 *
 * @param fields the number of columns
 * @param words 64-bit words of every row, before its texts, or 0 if rows are shuffled as they are
 * @param texts the columns whose bytes are shuffled apart from the words, ascending
 */
public record RowLayout(int fields, int words, List<Integer> texts) implements Serializable {

  /** Creates the layout of rows of one length, or of any if {@code words} is 0. */
  public RowLayout(int fields, int words) {
    this(fields, words, List.of());
  }

  /** Returns the layout of rows with these columns: as they are, if they differ in length. */
  public static RowLayout of(List<Attribute> columns) {
    RowLayout layout = ofColumns(columns);
    return layout.texts.isEmpty() ? layout : new RowLayout(layout.fields, 0);
  }

  /** Returns the layout of rows with these columns, which are shuffled as columns if they can. */
  public static RowLayout ofColumns(List<Attribute> columns) {
    int fields = columns.size();
    List<Integer> texts =
        IntStream.range(0, fields)
            .filter(field -> Texts.isText(columns.get(field).dataType()))
            .boxed()
            .toList();
    boolean fixed =
        IntStream.range(0, fields)
            .filter(field -> !texts.contains(field))
            .allMatch(field -> UnsafeRow.isFixedLength(columns.get(field).dataType()));
    return fixed && fields > 0
        ? new RowLayout(
            fields, UnsafeRow.calculateBitSetWidthInBytes(fields) / Long.BYTES + fields, texts)
        : new RowLayout(fields, 0);
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

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.error.Cancellation;
import io.sparkstencil.spark.catalyst.columns.TextMemory;
import io.sparkstencil.spark.catalyst.columns.Texts;
import io.sparkstencil.spark.catalyst.rows.TieOrder;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.spark.unsafe.Platform;

/**
 * Compares rows of a series that tie: by values that are read, by the bits of these, and at last by
 * those of the whole rows, as {@link TieOrder} has it of rows. Columns are loaded when they are
 * first asked for.
 */
final class SeriesTies {
  /** Runs up to this length are sorted by insertion. */
  private static final int FEW_ROWS = 12;

  /** Rows that tie in all of their values are compared in all of their words. */
  private static final int COMPARED_PER_QUESTION = 1 << 14;

  /** Loads words of all rows of the series. */
  interface Loader {
    /**
     * Returns them.
     *
     * @param column the column of the store, or the word of null bits
     */
    long[] load(int column, boolean nulls);
  }

  private final SeriesLayout layout;
  private final TextMemory texts;
  private final Loader loader;
  private final int[] others;
  private final int[] columnOf;
  private final long[][] columns;
  private final long[][] nulls;
  private int compared; // pairs of rows since the last question
  private long[] left = new long[0]; // a text
  private long[] right = new long[0];

  /**
   * Creates a comparison of the rows of one series.
   *
   * @param columnOf for each field, which column of the store it is
   * @param hasNulls whether there are words of null bits
   */
  SeriesTies(
      SeriesLayout layout, TextMemory texts, int[] columnOf, boolean hasNulls, Loader loader) {
    this.layout = layout;
    this.texts = texts;
    this.loader = loader;
    this.others = layout.others();
    this.columnOf = columnOf;
    this.columns = new long[others.length][];
    this.nulls = new long[hasNulls ? layout.nullWords() : 0][];
  }

  /** Puts some rows that tie in order. */
  void sort(int[] places, int from, int until) {
    if (until - from <= FEW_ROWS) {
      for (int i = from + 1; i < until; i++) {
        int row = places[i];
        int at = i;
        for (; at > from && compare(places[at - 1], row) > 0; at--) {
          places[at] = places[at - 1];
        }
        places[at] = row;
      }
      return;
    }
    Integer[] boxed = IntStream.range(from, until).mapToObj(i -> places[i]).toArray(Integer[]::new);
    Arrays.sort(boxed, this::compare);
    for (int i = from; i < until; i++) {
      places[i] = boxed[i - from];
    }
  }

  private int compare(int a, int b) {
    if (++compared == COMPARED_PER_QUESTION) {
      compared = 0;
      Cancellation.ask();
    }
    for (OrderKey key : layout.ties()) {
      int order = compare(key, a, b);
      if (order != 0) {
        return order;
      }
    }
    for (int word = 0; word < nulls.length; word++) {
      long[] bits = nulls(word);
      if (bits[a] != bits[b]) {
        return Long.compare(bits[a], bits[b]);
      }
    }
    for (int column = 0; column < others.length; column++) {
      long[] words = column(column);
      long wordA = words[a];
      long wordB = words[b];
      if (layout.isText(others[column])) {
        wordA = texts.bytes(wordA);
        wordB = texts.bytes(wordB);
      }
      if (wordA != wordB) {
        return Long.compare(wordA, wordB);
      }
    }
    for (int column = 0; layout.hasTexts() && column < others.length; column++) {
      int order = layout.isText(others[column]) ? compareTexts(column(column), a, b) : 0;
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private int compare(OrderKey key, int a, int b) {
    boolean nullA = isNull(key.field(), a);
    boolean nullB = isNull(key.field(), b);
    if (nullA || nullB) {
      return Boolean.compare(nullB, nullA);
    }
    long[] words = column(columnOf[key.field()]);
    if (layout.isText(key.field())) {
      return texts.text(words[a]).compareTo(texts.text(words[b]));
    }
    return words[a] == words[b]
        ? 0
        : Long.compare(key.type().number(words[a]), key.type().number(words[b]));
  }

  private boolean isNull(int field, int row) {
    return nulls.length > 0 && (nulls(field / Long.SIZE)[row] >>> field & 1) != 0;
  }

  /** Compares texts that have as many bytes, word by word. */
  private int compareTexts(long[] places, int a, int b) {
    int bytes = texts.bytes(places[a]);
    int words = (int) (Texts.padded(bytes) / Long.BYTES);
    if (left.length < words) {
      left = new long[words];
      right = new long[words];
    }
    texts.copy(places[a], bytes, left, Platform.LONG_ARRAY_OFFSET);
    texts.copy(places[b], bytes, right, Platform.LONG_ARRAY_OFFSET);
    return Arrays.compare(left, 0, words, right, 0, words);
  }

  private long[] column(int column) {
    if (columns[column] == null) {
      columns[column] = loader.load(column, false);
    }
    return columns[column];
  }

  private long[] nulls(int word) {
    if (nulls[word] == null) {
      nulls[word] = loader.load(word, true);
    }
    return nulls[word];
  }
}

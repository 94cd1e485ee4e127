/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.order.PrefixSort;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.unsafe.Platform;

/**
 * Puts the rows of a series in order, in their memory. One column of the order after the other is
 * sorted, from the last to the first, so that rows which tie stay as they came.
 */
final class SeriesSort {
  /** Bytes that sorting takes for each row of the longest series. */
  static final long ROW_BYTES = 5 * Long.BYTES + 2 * Integer.BYTES;

  private final SeriesStore store;
  private final List<OrderKey> order;
  private final int[] columns; // in the store, of the columns of the order
  private final int all; // columns in the store
  private final int nullWords;
  private final boolean breaksTies;
  private final PrefixSort sort;
  private final long[] words;
  private int[] places; // of the rows in their order
  private int[] others;

  /**
   * Creates a sorter of series of up to {@code capacity} rows.
   *
   * @param columns where the columns of the order are in the store
   * @param all how many columns the store has
   */
  SeriesSort(SeriesStore store, SeriesLayout layout, int[] columns, int all, int capacity) {
    this.store = store;
    this.order = layout.order();
    this.columns = columns;
    this.all = all;
    this.nullWords = layout.nullWords();
    this.breaksTies = layout.breaksTies();
    this.sort = new PrefixSort(capacity);
    this.words = new long[capacity];
    this.places = new int[capacity];
    this.others = new int[capacity];
  }

  void sort(int series) {
    int rows = (int) store.rows(series);
    boolean nulls = store.hasNulls(store.first(series));
    if (!breaksTies || !sortByFirst(series, rows, nulls)) {
      unsort(rows);
      for (int i = order.size() - 1; i >= 0; i--) {
        sortBy(order.get(i), columns[i], series, rows, nulls);
      }
    }
    for (int column = 0; column < all; column++) {
      load(series, column);
      put(series, column, false);
    }
    for (int word = 0; nulls && word < nullWords; word++) {
      loadNulls(series, word);
      put(series, word, true);
    }
  }

  private void unsort(int rows) {
    for (int i = 0; i < rows; i++) {
      places[i] = i;
    }
  }

  /** Sorts by the first column alone; false if that does not tell all rows apart. */
  private boolean sortByFirst(int series, int rows, boolean nulls) {
    unsort(rows);
    sortBy(order.get(0), columns[0], series, rows, nulls);
    for (int i = 1; i < rows; i++) {
      if (words[places[i - 1]] >= words[places[i]]) {
        return false; // or one of them is null
      }
    }
    return true;
  }

  private void sortBy(OrderKey key, int column, int series, int rows, boolean nulls) {
    sort.clear();
    int none = 0; // rows whose key is null
    if (nulls) {
      loadNulls(series, key.field() / Long.SIZE);
      for (int i = 0; i < rows; i++) {
        if ((words[places[i]] >>> key.field() & 1) != 0) {
          others[none++] = places[i];
        }
      }
    }
    boolean[] isNull = none == 0 ? null : marked(rows, none);
    load(series, column);
    key.read(words, rows, words);
    for (int i = 0; i < rows; i++) {
      if (isNull == null || !isNull[places[i]]) {
        sort.add(words[places[i]], places[i]);
      }
    }
    sort.sort(null); // stable
    int from = key.nullsFirst() ? none : 0;
    if (!key.nullsFirst()) {
      System.arraycopy(others, 0, others, rows - none, none);
    }
    for (int i = 0; i < rows - none; i++) {
      others[from + i] = (int) sort.value(i);
    }
    int[] sorted = others;
    others = places;
    places = sorted;
  }

  /** Marks the first places of {@code others}. */
  private boolean[] marked(int rows, int count) {
    boolean[] marks = new boolean[rows];
    Arrays.stream(others, 0, count).forEach(place -> marks[place] = true);
    return marks;
  }

  private void load(int series, int column) {
    long to = Platform.LONG_ARRAY_OFFSET;
    for (int chunk = store.first(series); chunk >= 0; chunk = store.next(chunk)) {
      long bytes = (long) store.chunkRows(chunk) * Long.BYTES;
      Platform.copyMemory(store.base(chunk), store.offset(chunk, column), words, to, bytes);
      to += bytes;
    }
  }

  private void loadNulls(int series, int word) {
    long to = Platform.LONG_ARRAY_OFFSET;
    for (int chunk = store.first(series); chunk >= 0; chunk = store.next(chunk)) {
      long bytes = (long) store.chunkRows(chunk) * Long.BYTES;
      Platform.copyMemory(store.nullBase(chunk), store.nullOffset(chunk, word), words, to, bytes);
      to += bytes;
    }
  }

  /** Puts the words of a column where their rows belong. */
  private void put(int series, int column, boolean nulls) {
    int next = 0;
    for (int chunk = store.first(series); chunk >= 0; chunk = store.next(chunk)) {
      Object base = nulls ? store.nullBase(chunk) : store.base(chunk);
      long at = nulls ? store.nullOffset(chunk, column) : store.offset(chunk, column);
      for (int i = store.chunkRows(chunk); i > 0; i--) {
        Platform.putLong(base, at, words[places[next++]]);
        at += Long.BYTES;
      }
    }
  }
}

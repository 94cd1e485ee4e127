/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.error.Cancellation;
import io.sparkstencil.spark.catalyst.columns.TextMemory;
import io.sparkstencil.spark.catalyst.columns.TextOrder;
import io.sparkstencil.spark.catalyst.rows.PrefixSort;
import io.sparkstencil.spark.catalyst.rows.RowSplit;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongBinaryOperator;
import org.apache.spark.unsafe.Platform;

/**
 * Puts the rows of a series in order, in their memory. One column of the order after the other is
 * sorted, from the last to the first, so that rows which tie stay as they came. The rows of a long
 * series are split beforehand by the highest bits of the first column, so that the cache holds what
 * is sorted and moved at a time.
 */
final class SeriesSort {
  /** The most bytes that sorting takes for each row of the longest series, without ties. */
  private static final long ROW_BYTES = 6 * Long.BYTES + 3 * Integer.BYTES;

  /** What sorting takes besides for each row that ties: its number, places of it, and some more. */
  private static final long TIE_BYTES = 28;

  private static final int NONE = -1;

  /** Fewer rows are soon done. */
  private static final int ROWS_PER_QUESTION = 1 << 13;

  private final SeriesStore store;
  private final SeriesLayout layout;
  private final TextMemory texts;
  private final List<OrderKey> order;
  private final TextOrder[] textOrders; // for each of these, or null
  private final int[] columnOf;
  private final int all; // columns in the store
  private final int nullWords;
  private final RowSplit split;
  private PrefixSort sort = new PrefixSort(0); // of a part
  private long[] words; // of a column, as the rows have been split
  private int loaded; // the column whose words these are, unchanged, or none
  private long[] others;
  private final int[] places; // of the rows in their order
  private int[] nulls = new int[0]; // places of rows of a part that have no key
  private int[] ends; // of the parts into which the rows have been split

  /**
   * Creates a sorter of series of up to {@code capacity} rows.
   *
   * @param texts of the store
   * @param columnOf for each field, which column of the store it is
   * @param all how many columns the store has
   */
  SeriesSort(
      SeriesStore store,
      SeriesLayout layout,
      TextMemory texts,
      int[] columnOf,
      int all,
      int capacity) {
    this.store = store;
    this.layout = layout;
    this.texts = texts;
    this.order = layout.order();
    this.textOrders =
        order.stream()
            .map(key -> key.isOfTexts() ? new TextOrder(key.texts()) : null)
            .toArray(TextOrder[]::new);
    this.columnOf = columnOf;
    this.all = all;
    this.nullWords = layout.nullWords();
    this.split = new RowSplit(capacity);
    this.words = new long[capacity];
    this.others = new long[split.isPossible(capacity) ? capacity : 0];
    this.places = new int[capacity];
  }

  /** Returns the most bytes that sorting takes for each row of the longest series. */
  static long rowBytes(SeriesLayout layout) {
    boolean ofTexts = layout.order().stream().anyMatch(OrderKey::isOfTexts);
    long bytes = ofTexts ? ROW_BYTES + Long.BYTES : ROW_BYTES; // their places beside numbers
    if (!layout.breaksTies()) {
      return bytes;
    }
    int loaded = layout.others().length + layout.nullWords();
    return bytes + TIE_BYTES + (long) loaded * Long.BYTES;
  }

  void sort(int series) {
    int rows = (int) store.rows(series);
    boolean hasNulls = store.hasNulls(store.first(series));
    loaded = NONE;
    split(series, rows, hasNulls);
    unsort(rows);
    for (int i = order.size() - 1; i >= 0; i--) {
      sortBy(i, series, rows, hasNulls);
    }
    if (layout.breaksTies()) {
      breakTies(series, rows, hasNulls);
    }
    int first = loaded; // before others take its place
    if (first != NONE) {
      put(series, first, false);
    }
    for (int column = 0; column < all; column++) {
      if (column != first) {
        load(series, column, rows, false);
        put(series, column, false);
      }
    }
    for (int word = 0; hasNulls && word < nullWords; word++) {
      load(series, word, rows, true);
      put(series, word, true);
    }
  }

  private void split(int series, int rows, boolean hasNulls) {
    split.none();
    ends = new int[] {rows};
    if (split.isPossible(rows)) {
      OrderKey first = order.get(0);
      boolean[] isNull = hasNulls ? nullsOf(first, series, rows) : null;
      load(series, columnOf[first.field()], rows, false);
      toNumbers(0, rows);
      if (split.find(words, isNull, first.nullsFirst(), rows)) {
        ends = split.ends();
        if (loaded != NONE) {
          move(rows);
        }
      }
    }
  }

  private void unsort(int rows) {
    for (int i = 0; i < rows; i++) {
      places[i] = i;
    }
  }

  /** Puts rows that are equal in all columns of the order in the order of ties. */
  private void breakTies(int series, int rows, boolean hasNulls) {
    BitSet starts = new BitSet(rows); // rows that do not tie with the one before
    for (int i = 0; i < order.size() && starts.cardinality() < rows - 1; i++) {
      OrderKey key = order.get(i);
      boolean[] isNull = hasNulls ? nullsOf(key, series, rows) : null;
      load(series, columnOf[key.field()], rows, false);
      LongBinaryOperator ofTexts = toNumbers(i, rows);
      for (int at = 1; at < rows; at++) {
        int last = places[at - 1];
        int row = places[at];
        boolean anyNull = isNull != null && (isNull[last] || isNull[row]);
        boolean same = anyNull ? isNull[last] && isNull[row] : words[last] == words[row];
        if (!same || (ofTexts != null && !anyNull && ofTexts.applyAsLong(last, row) != 0)) {
          starts.set(at);
        }
      }
    }
    SeriesTies ties =
        new SeriesTies(
            layout,
            texts,
            columnOf,
            hasNulls,
            (column, nulls) -> {
              load(series, column, rows, nulls);
              return Arrays.copyOf(words, rows);
            });
    for (int from = starts.nextClearBit(1); from < rows; ) {
      int next = starts.nextSetBit(from);
      int until = next < 0 ? rows : next;
      ties.sort(places, from - 1, until);
      from = starts.nextClearBit(until);
    }
  }

  private void sortBy(int index, int series, int rows, boolean hasNulls) {
    OrderKey key = order.get(index);
    boolean[] isNull = hasNulls ? nullsOf(key, series, rows) : null;
    load(series, columnOf[key.field()], rows, false);
    LongBinaryOperator ofTexts = toNumbers(index, rows);
    int from = 0;
    for (int until : ends) {
      if (until - from > ROWS_PER_QUESTION) {
        Cancellation.ask();
      }
      if (isNull == null && index == order.size() - 1) {
        sortFirst(from, until, ofTexts);
      } else {
        sortPart(from, until, isNull, key.nullsFirst(), ofTexts);
      }
      from = until;
    }
  }

  /** Sorts a part that is as it came, in which no key is null; else as {@link #sortPart}. */
  private void sortFirst(int from, int until, LongBinaryOperator ofTexts) {
    makeRoom(until - from);
    sort.clear();
    sort.addAll(words, from, until);
    sort.sort(ofTexts); // stable
    sort.copyValues(places, from);
  }

  /** Sorts a part, and rows of equal numbers by the texts at their places, if there are any. */
  private void sortPart(
      int from, int until, boolean[] isNull, boolean nullsFirst, LongBinaryOperator ofTexts) {
    makeRoom(until - from);
    sort.clear();
    int none = 0; // rows whose key is null
    for (int i = from; i < until; i++) {
      int place = places[i];
      if (isNull != null && isNull[place]) {
        nulls[none++] = place;
      } else {
        sort.add(words[place], place);
      }
    }
    sort.sort(ofTexts); // stable
    int at = nullsFirst ? from + none : from;
    int count = until - from - none;
    for (int i = 0; i < count; i++) {
      places[at + i] = (int) sort.value(i);
    }
    System.arraycopy(nulls, 0, places, nullsFirst ? from : from + count, none);
  }

  /** Makes room for a part: those of a long series that is split are short. */
  private void makeRoom(int rows) {
    if (rows > nulls.length) {
      int room = (int) Math.max(rows, Math.min(places.length, 2L * nulls.length));
      sort = new PrefixSort(room);
      nulls = new int[room];
    }
  }

  private boolean[] nullsOf(OrderKey key, int series, int rows) {
    load(series, key.field() / Long.SIZE, rows, true);
    boolean[] isNull = new boolean[rows];
    for (int i = 0; i < rows; i++) {
      isNull[i] = (words[i] >>> key.field() & 1) != 0;
    }
    return isNull;
  }

  /** Loads the words of a column, or words of null bits, as the rows have been split. */
  private void load(int series, int column, int rows, boolean nulls) {
    if (rows > ROWS_PER_QUESTION) {
      Cancellation.ask();
    }
    if (!nulls && column == loaded) {
      return;
    }
    copy(store, series, column, nulls, words);
    if (split.isFound()) {
      move(rows);
    }
    loaded = nulls ? NONE : column;
  }

  /**
   * Copies the words of a column, or words of null bits, of all rows of a series.
   *
   * @param column the column, or the word of null bits
   */
  static void copy(SeriesStore store, int number, int column, boolean nulls, long[] to) {
    long at = Platform.LONG_ARRAY_OFFSET;
    for (int chunk = store.first(number); chunk >= 0; chunk = store.next(chunk)) {
      Object base = nulls ? store.nullBase(chunk) : store.base(chunk);
      long from = nulls ? store.nullOffset(chunk, column) : store.offset(chunk, column);
      long bytes = (long) store.chunkRows(chunk) * Long.BYTES;
      Platform.copyMemory(base, from, to, at, bytes);
      at += bytes;
    }
  }

  private void move(int rows) {
    split.move(words, others, rows);
    long[] moved = others;
    others = words;
    words = moved;
  }

  /**
   * Makes the words that are loaded the numbers of a key.
   *
   * @return what compares rows by their texts where numbers are equal; null if there are none
   */
  private LongBinaryOperator toNumbers(int index, int rows) {
    OrderKey key = order.get(index);
    if (key.isOfTexts()) {
      loaded = NONE;
      return toPrefixes(key, textOrders[index], rows);
    }
    if (!key.isNumber()) {
      key.read(words, rows, words);
      loaded = NONE;
    }
    return null;
  }

  private LongBinaryOperator toPrefixes(OrderKey key, TextOrder by, int rows) {
    long[] ofTexts = Arrays.copyOf(words, rows);
    boolean descending = key.descending();
    for (int i = 0; i < rows; i++) {
      long prefix = by.prefix(texts.text(ofTexts[i]));
      words[i] = descending ? ~prefix : prefix;
    }
    return (a, b) -> {
      int compared = by.compare(texts, ofTexts[(int) a], ofTexts[(int) b]);
      return descending ? -compared : compared;
    };
  }

  /** Puts the words of a column, or words of null bits, where their rows belong. */
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

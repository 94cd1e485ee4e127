/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.engine.RowSort;
import io.sparkstencil.spark.catalyst.columns.WordType;
import io.sparkstencil.spark.plugin.RowSorts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * All rows of a task in the order that its device puts them in: by their keys, and then by as many
 * columns of the order as a word has room for, each relative to its least number.
 *
 * <pre>
 *   columns     | those that are no keys | words of null bits | numbers to sort by |
 *   sort word   | numbers of the keys | numbers of the order |
 * </pre>
 */
final class DeviceOrder implements AutoCloseable {
  private static final int WORDS_AT_A_TIME = 1 << 16;

  /** Bytes that a series takes here. */
  private static final int SERIES_BYTES = 2 * (Long.BYTES + Integer.BYTES);

  private final SeriesLayout layout;
  private final int[] others;
  private final int[] nullColumns; // for each word of null bits, its column, or -1 if all are 0
  private final List<OrderKey> by = new ArrayList<>(); // the keys, then the order
  private final int keys; // of these
  private final int[] columnOf; // for each of these, where its numbers are
  private final int returned;
  private final long[][] columns; // of a batch
  private final int rows;
  private final long[] least;
  private final long[] most;
  private final long[][] numbers; // for each of these that needs them, of a batch
  private final List<RowSort.Key> packed = new ArrayList<>(); // what a sort word has
  private int orderBits; // of the order's numbers in it
  private RowSort sort;

  // Series in their order: a sort word, the row behind the last, and whether rows are still to be
  // ordered by later columns.
  private long[] words = new long[16];
  private int[] ends = new int[16];
  private final BitSet tied = new BitSet();
  private int series;

  /**
   * Creates an order that has no rows yet.
   *
   * @param nulls for each word of null bits, whether a row has one
   */
  DeviceOrder(SeriesLayout layout, boolean[] nulls, int rows) {
    this.layout = layout;
    this.rows = rows;
    this.others = layout.others();
    this.nullColumns = new int[layout.nullWords()];
    int column = others.length;
    for (int word = 0; word < nullColumns.length; word++) {
      nullColumns[word] = nulls[word] ? column++ : -1;
    }
    this.returned = column;
    for (int field : layout.keys()) {
      by.add(new OrderKey(field, layout.word(field), false, true));
    }
    this.keys = by.size();
    by.addAll(layout.order());
    this.columnOf = new int[by.size()];
    for (int i = 0; i < columnOf.length; i++) {
      int asOther = Arrays.binarySearch(others, by.get(i).field());
      columnOf[i] = by.get(i).isNumber() && asOther >= 0 ? asOther : column++;
    }
    this.columns = new long[column][];
    this.numbers = new long[by.size()][0];
    this.least = new long[by.size()];
    this.most = new long[by.size()];
    Arrays.fill(least, Long.MAX_VALUE);
    Arrays.fill(most, Long.MIN_VALUE);
  }

  /** Tells whether a device can order rows of a layout, if their values allow it. */
  static boolean isPossible(SeriesLayout layout) {
    return !layout.hasTexts()
        && layout.others().length > 0
        && IntStream.of(layout.keys()).noneMatch(key -> layout.word(key).isFloating());
  }

  /** Tells whether a device is estimated to have the rows in order before the host. */
  boolean isFaster(RowSorts device) {
    return device.isFaster(rows, columns.length, returned);
  }

  /** Returns the bytes that the rows take when they are back. */
  long bytes() {
    return (long) rows * Long.BYTES * (others.length + (hasNulls() ? nullColumns.length : 0));
  }

  private boolean hasNulls() {
    return returned > others.length;
  }

  /**
   * Has the rows ordered; false if the device is not there for them, if a key or a column of the
   * order is null, or if keys are too far apart.
   *
   * @throws io.sparkstencil.error.StencilException if the device fails
   */
  boolean isMade(KeptBatches kept, RowSorts device) {
    sort = device.open(rows, columns.length).orElse(null);
    if (sort == null) {
      return false;
    }
    WordBatch batch = new WordBatch(layout);
    for (UnsafeRow each : kept) {
      batch.read(each);
      if (!add(batch)) {
        return false;
      }
    }
    pack();
    if (packed.size() < keys) {
      return false;
    }
    sort.sort(packed, returned);
    findSeries();
    return true;
  }

  /** Adds the rows of a batch; false if one cannot be ordered here. */
  private boolean add(WordBatch batch) {
    int count = batch.rows();
    for (int i = 0; i < by.size(); i++) {
      long[] of = numbers(i, batch);
      if (of == null) {
        return false;
      }
      long low = least[i];
      long high = most[i];
      for (int row = 0; row < count; row++) {
        low = Math.min(low, of[row]);
        high = Math.max(high, of[row]);
      }
      least[i] = low;
      most[i] = high;
      columns[columnOf[i]] = of;
    }
    for (int c = 0; c < others.length; c++) {
      columns[c] = batch.values(others[c]);
    }
    for (int word = 0; word < nullColumns.length; word++) {
      if (nullColumns[word] >= 0) {
        columns[nullColumns[word]] = batch.nulls(word);
      }
    }
    sort.add(columns, count);
    return true;
  }

  /** Returns the numbers of a batch that rows are ordered by, or null if one is null. */
  private long[] numbers(int of, WordBatch batch) {
    OrderKey key = by.get(of);
    int count = batch.rows();
    long[] nulls = batch.nulls(key.field() / Long.SIZE);
    for (int row = 0; nulls != null && row < count; row++) {
      if ((nulls[row] >>> key.field() & 1) != 0) {
        return null;
      }
    }
    long[] values = batch.values(key.field());
    if (key.isNumber()) {
      return values;
    }
    if (numbers[of].length < count) {
      numbers[of] = new long[count];
    }
    key.read(values, count, numbers[of]);
    return numbers[of];
  }

  /** Chooses what a sort word has: as many numbers as there is room for. */
  private void pack() {
    int all = 0;
    for (int i = 0; i < by.size(); i++) {
      int bits = Long.SIZE - Long.numberOfLeadingZeros(most[i] - least[i]);
      all += bits;
      if (all > Long.SIZE) {
        return;
      }
      packed.add(new RowSort.Key(columnOf[i], least[i], bits));
      orderBits += i < keys ? 0 : bits;
    }
  }

  private void findSeries() {
    boolean ties = packed.size() < by.size();
    long[] read = new long[Math.min(rows, WORDS_AT_A_TIME)];
    long last = 0;
    for (int from = 0; from < rows; from += read.length) {
      int count = Math.min(read.length, rows - from);
      sort.read(columns.length, from, count, read, 0);
      for (int i = 0; i < count; i++) {
        long word = read[i];
        if (from + i == 0 || isOther(last, word)) {
          begin(word, from + i);
        } else if (ties && word == last) {
          tied.set(series - 1);
        }
        last = word;
      }
    }
    ends[series - 1] = rows;
  }

  /** Tells whether two sort words are of different series. */
  private boolean isOther(long word, long next) {
    return orderBits < Long.SIZE && (word ^ next) >>> orderBits != 0;
  }

  /** Ends the last series, if there is one, and begins another. */
  private void begin(long word, int row) {
    if (series == words.length) {
      words = Arrays.copyOf(words, 2 * series);
      ends = Arrays.copyOf(ends, 2 * series);
    }
    if (series > 0) {
      ends[series - 1] = row;
    }
    words[series++] = word;
  }

  /** Returns how many rows there are. */
  int rows() {
    return rows;
  }

  /**
   * Moves the rows to memory of the host; false, and none is moved, if there is too little.
   *
   * @throws io.sparkstencil.error.StencilException if the device fails; none is moved then
   */
  boolean moveTo(SeriesStore store, SeriesNumbers to) {
    boolean nulls = hasNulls();
    long at =
        store.reserve(SeriesNumbers.bytes(layout, series) + (long) series * SERIES_BYTES)
            ? store.takeOrdered(series, rows, nulls)
            : -1;
    if (at < 0) {
      return false;
    }
    long stride = (long) rows * Long.BYTES;
    long nullsAt = at + stride * others.length;
    Object base = store.pageBase(store.lastPage());
    for (int c = 0; c < others.length; c++) {
      read(c, base, at + c * stride);
    }
    for (int word = 0; nulls && word < nullColumns.length; word++) {
      if (nullColumns[word] < 0) {
        Platform.setMemory(base, nullsAt + word * stride, stride, (byte) 0);
      } else {
        read(nullColumns[word], base, nullsAt + word * stride);
      }
    }
    long[] ofSeries = new long[keys];
    for (int i = 0; i < series; i++) {
      readKeys(words[i], ofSeries);
      to.add(ofSeries);
      int from = i == 0 ? 0 : ends[i - 1];
      long skipped = (long) from * Long.BYTES;
      store.adopt(
          at + skipped, stride, nulls ? nullsAt + skipped : -1, ends[i] - from, tied.get(i));
    }
    return true;
  }

  /** Reads a column into memory of Spark's, which is an array of words if it is on the heap. */
  private void read(int column, Object base, long at) {
    if (base instanceof long[] array) {
      sort.read(column, 0, rows, array, (int) ((at - Platform.LONG_ARRAY_OFFSET) / Long.BYTES));
      return;
    }
    long[] read = new long[Math.min(rows, WORDS_AT_A_TIME)];
    for (int from = 0; from < rows; from += read.length) {
      int count = Math.min(read.length, rows - from);
      sort.read(column, from, count, read, 0);
      long to = at + (long) from * Long.BYTES;
      Platform.copyMemory(read, Platform.LONG_ARRAY_OFFSET, base, to, (long) count * Long.BYTES);
    }
  }

  /** Reads the words of the keys out of a sort word. */
  private void readKeys(long word, long[] to) {
    long left = orderBits < Long.SIZE ? word >>> orderBits : 0;
    for (int k = keys - 1; k >= 0; k--) {
      RowSort.Key key = packed.get(k);
      long mask = key.bits() == 0 ? 0 : -1L >>> (Long.SIZE - key.bits());
      WordType type = by.get(k).type();
      to[k] = type.word(key.least() + (left & mask));
      left = key.bits() < Long.SIZE ? left >>> key.bits() : 0;
    }
  }

  @Override
  public void close() {
    if (sort != null) {
      sort.close();
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.engine.RowSort;
import io.sparkstencil.spark.catalyst.columns.WordType;
import io.sparkstencil.spark.catalyst.shuffle.PackedColumns;
import io.sparkstencil.spark.plugin.RowSorts;
import io.sparkstencil.spark.plugin.TaskSorts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * All rows of a task in the order that a sort puts them in: by their keys, and then by as many
 * columns of the order as a word has room for, each relative to its least number.
 *
 * <pre>
 *   columns     | those that are no keys | words of null bits | keys |
 *   sort word   | numbers of the keys | numbers of the order |
 * </pre>
 */
final class TaskOrder implements AutoCloseable {
  private static final int WORDS_AT_A_TIME = 1 << 16;

  /** Rows after which it is asked whether the series is still the same. */
  private static final int LEAP_ROWS = 32;

  /** Bytes that a series takes here. */
  private static final int SERIES_BYTES = 2 * (Long.BYTES + Integer.BYTES);

  private final SeriesLayout layout;
  private final int[] others;
  private final long[] nulls;
  private final int[] nullColumns; // for each word of null bits, its column, or -1 if all are 0
  private final List<OrderKey> by; // the keys, then the order
  private final int keys; // of these
  private final int[] columnOf; // for each of these, where it is
  private final int[] wordOf; // for each column, which word of a row it has
  private final int returned;
  private final int rows;
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
   * @param nulls for each word of null bits, those that a row has
   */
  TaskOrder(SeriesLayout layout, long[] nulls, int rows) {
    this.layout = layout;
    this.nulls = nulls;
    this.rows = rows;
    this.others = layout.others();
    this.nullColumns = new int[layout.nullWords()];
    int column = others.length;
    for (int word = 0; word < nullColumns.length; word++) {
      nullColumns[word] = nulls[word] == 0 ? -1 : column++;
    }
    this.returned = column;
    this.by = NumberRanges.by(layout);
    this.keys = layout.keys().length;
    this.columnOf = new int[by.size()];
    for (int i = 0; i < columnOf.length; i++) {
      int asOther = Arrays.binarySearch(others, by.get(i).field());
      columnOf[i] = asOther >= 0 ? asOther : column++; // a key
    }
    this.wordOf = new int[column];
    for (int c = 0; c < others.length; c++) {
      wordOf[c] = nulls.length + others[c];
    }
    for (int word = 0; word < nullColumns.length; word++) {
      if (nullColumns[word] >= 0) {
        wordOf[nullColumns[word]] = word;
      }
    }
    for (int i = 0; i < keys; i++) {
      wordOf[columnOf[i]] = nulls.length + by.get(i).field();
    }
  }

  /** Tells whether rows of a layout can be sorted, if their values allow it. */
  static boolean isPossible(SeriesLayout layout) {
    return layout.others().length > 0
        && layout.order().stream().noneMatch(OrderKey::isOfTexts)
        && IntStream.of(layout.keys())
            .noneMatch(key -> layout.isText(key) || layout.word(key).isFloating());
  }

  /** Tells whether a device is estimated to have the rows in order before the host. */
  boolean isFaster(TaskSorts device) {
    return device.isFaster(rows, wordOf.length, returned);
  }

  /** Returns the bytes of the host that sorting takes. */
  long hostBytes(RowSorts sorts) {
    return sorts.hostBytes(rows, wordOf.length);
  }

  /** Returns the bytes that the rows take when they are back. */
  long bytes() {
    return (long) rows * Long.BYTES * (others.length + (hasNulls() ? nullColumns.length : 0));
  }

  private boolean hasNulls() {
    return returned > others.length;
  }

  /**
   * Chooses what a sort word has: as many numbers as there is room for. False if rows cannot be
   * ordered here: a key or a column of the order is null, keys are too far apart, or a batch is too
   * large.
   */
  boolean isPacked(KeptBatches kept) {
    for (OrderKey key : by) {
      if ((nulls[key.field() / Long.SIZE] >>> key.field() & 1) != 0) {
        return false;
      }
    }
    for (KeptBatches.Batch batch : kept) {
      if (batch.words() > RowSort.MOST_WORDS) {
        return false;
      }
    }
    NumberRanges ranges = kept.ranges();
    int all = 0;
    for (int i = 0; i < by.size(); i++) {
      int bits = ranges.bits(i);
      all += bits;
      if (all > Long.SIZE) {
        break;
      }
      OrderKey key = by.get(i);
      packed.add(new RowSort.Key(columnOf[i], key.form(), key.descending(), ranges.least(i), bits));
      orderBits += i < keys ? 0 : bits;
    }
    return packed.size() >= keys;
  }

  /**
   * Has the rows ordered; false if the device is not there for them.
   *
   * @throws io.sparkstencil.error.StencilException if the device fails
   */
  boolean isMade(KeptBatches kept, RowSorts sorts) {
    sort = sorts.open(rows, wordOf.length).orElse(null);
    if (sort == null) {
      return false;
    }
    kept.forEach(this::add);
    sort.sort(packed, returned);
    findSeries();
    return true;
  }

  private void add(KeptBatches.Batch batch) {
    UnsafeRow shuffled = batch.shuffled();
    int count = PackedColumns.rows(shuffled);
    List<RowSort.Packed> added = new ArrayList<>(wordOf.length);
    int places = 0; // words, of texts so far
    for (int column = 0; column < wordOf.length; column++) {
      if (column < others.length && layout.isText(others[column])) {
        added.add(new RowSort.Packed(Long.SIZE, 0, places, 0));
        places += count;
      } else {
        long at = batch.column(wordOf[column]);
        added.add(PackedColumns.packed(shuffled, at, batch.placeWords()));
      }
    }
    int words = (int) batch.words();
    if (shuffled.getBaseObject() instanceof long[] memory) {
      int from = (int) ((batch.begin() - Platform.LONG_ARRAY_OFFSET) / Long.BYTES);
      sort.add(memory, from, words, added, count);
      return;
    }
    long[] copy = new long[words];
    Platform.copyMemory(
        shuffled.getBaseObject(),
        batch.begin(),
        copy,
        Platform.LONG_ARRAY_OFFSET,
        (long) words * Long.BYTES);
    sort.add(copy, 0, words, added, count);
  }

  private void findSeries() {
    boolean ties = packed.size() < by.size() || layout.breaksTies();
    long[] read = new long[Math.min(rows, WORDS_AT_A_TIME)];
    long last = 0;
    for (int from = 0; from < rows; from += read.length) {
      int count = Math.min(read.length, rows - from);
      sort.read(wordOf.length, from, count, read, 0);
      for (int i = 0; i < count; i++) {
        long word = read[i];
        if (from + i == 0 || isOther(last, word)) {
          begin(word, from + i);
        } else if (ties && word == last) {
          tied.set(series - 1);
        }
        int ahead = i + LEAP_ROWS;
        if (!ties && ahead < count && !isOther(word, read[ahead])) {
          i = ahead; // all rows up to there are of this series
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

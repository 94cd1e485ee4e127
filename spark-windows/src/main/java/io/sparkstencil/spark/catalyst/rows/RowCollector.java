/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.memory.MemoryBlock;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * Collects unordered rows in memory, those of a series together, and returns them series by series
 * in order. A series whose rows came in order is not sorted at all.
 *
 * <p>The rows of a series lie in a chain of chunks, each row behind its size and the prefix of its
 * order. Memory is accounted; where it is refused, or where there are more bytes than asked for,
 * the caller takes the rows back.
 */
final class RowCollector implements RowSource, RowSource.Holder, UnitOrder.Collected {
  private static final int HEADER_BYTES = 16; // size of the row, padding; prefix
  private static final int LINK_BYTES = 16; // LINK, page; offset in the page
  private static final int LINK = -1;
  private static final long MOST_CHUNK_BYTES = 1L << 16;
  private static final int SORT_BYTES = 32; // of PrefixSort, for a row
  private static final int COPY_BY_WORDS = 128;

  // What is known of a series lies together: here are the places.
  private static final int AT = 0; // where the next row goes
  private static final int END = 1; // of the chunk, but for the link
  private static final int PAGE = 2;
  private static final int FIRST_PAGE = 3;
  private static final int FIRST_AT = 4;
  private static final int ROWS = 5;
  private static final int LAST_PREFIX = 6;
  private static final int UNSORTED = 7;
  private static final int FIELDS = 8;

  private final RowPages pages;
  private final long mostBytes;
  private final SeriesKeys keys; // null if all rows are one series
  private final OrderPrefix prefix;
  private final RowOrder order;
  private final Comparator<InternalRow> tieBreaker; // or null
  private final boolean resolveAllTies;
  private final List<MemoryBlock> blocks = new ArrayList<>();
  private Object[] bases = new Object[16];
  private long[] series = new long[0];
  private int count; // of series
  private long used; // of the last page
  private long reserved;
  private int holders = 1; // the source itself

  private int[] inOrder; // series, once all rows are there
  private PrefixSort sort;
  private int next; // series in inOrder
  private int current; // series
  private boolean sorted; // whether the current series was sorted
  private long sortNanos;
  private Comparator<InternalRow> comparator; // made when the first rows tie
  private boolean starts;
  private boolean returned; // whether a series has been started
  private final Cursor cursor;
  private final UnsafeRow left;
  private final UnsafeRow right;

  /**
   * Creates a collector.
   *
   * @param mostBytes bytes that all rows of the task may take together
   * @param keys the order of the series' keys, or null if all rows are one series
   * @param order the order within a series
   * @param ties order of rows that the order makes equal, or null
   */
  RowCollector(
      RowPages pages, long mostBytes, RowOrder keys, RowOrder order, Comparator<InternalRow> ties) {
    this.pages = pages;
    this.mostBytes = mostBytes;
    this.keys = keys == null ? null : new SeriesKeys(keys);
    this.prefix = new OrderPrefix(order);
    this.resolveAllTies = ties != null || !prefix.decides();
    this.order = order;
    this.tieBreaker = ties;
    int fields = order.attributes().size();
    this.cursor = new Cursor();
    this.left = new UnsafeRow(fields);
    this.right = new UnsafeRow(fields);
  }

  /** Adds a copy of a row; false if there is no memory for it. */
  boolean add(UnsafeRow added) {
    int number = keys == null ? 0 : keys.of(added);
    if (number >= count && !open(number)) {
      return false;
    }
    int state = number * FIELDS;
    int sizeBytes = added.getSizeInBytes();
    long wanted = (long) HEADER_BYTES + sizeBytes;
    if (series[state + AT] + wanted > series[state + END] && !extend(state, wanted)) {
      return false;
    }
    long value = prefix.of(added);
    Object base = bases[(int) series[state + PAGE]];
    long to = series[state + AT];
    Platform.putInt(base, to, sizeBytes);
    Platform.putLong(base, to + Long.BYTES, value);
    copy(added, base, to + HEADER_BYTES, sizeBytes);
    series[state + AT] = to + wanted;
    if (series[state + ROWS]++ > 0
        && (value < series[state + LAST_PREFIX]
            || (value == series[state + LAST_PREFIX] && (resolveAllTies || !prefix.decides())))) {
      series[state + UNSORTED] = 1;
    }
    series[state + LAST_PREFIX] = value;
    return true;
  }

  private static void copy(UnsafeRow from, Object to, long toOffset, int sizeBytes) {
    Object base = from.getBaseObject();
    long offset = from.getBaseOffset();
    if (sizeBytes > COPY_BY_WORDS) {
      Platform.copyMemory(base, offset, to, toOffset, sizeBytes);
      return;
    }
    for (int i = 0; i < sizeBytes; i += Long.BYTES) {
      Platform.putLong(to, toOffset + i, Platform.getLong(base, offset + i));
    }
  }

  private boolean open(int number) {
    if ((number + 1) * FIELDS > series.length) {
      int capacity = Math.max(16 * FIELDS, 2 * series.length);
      long more =
          (long) (capacity - series.length) * Long.BYTES + (keys == null ? 0 : keys.bytes());
      if (pages.bytesInUse() + more > mostBytes || !pages.tryReserve(more)) {
        return false;
      }
      reserved += more;
      series = Arrays.copyOf(series, capacity);
    }
    count = number + 1;
    return true;
  }

  /** Gives a series another chunk, as large as all before it together. */
  private boolean extend(int state, long wanted) {
    long filled = (wanted + 1) * series[state + ROWS];
    long most = Math.max(wanted, Math.min(MOST_CHUNK_BYTES, Math.max(2 * wanted, filled)));
    long bytes = (most & -Long.BYTES) + LINK_BYTES;
    MemoryBlock last = blocks.isEmpty() ? null : blocks.get(blocks.size() - 1);
    if (last == null || used + bytes > last.size()) {
      if (pages.bytesInUse() + bytes > mostBytes) {
        return false;
      }
      last = pages.tryTake(bytes);
      if (last == null) {
        return false;
      }
      if (blocks.size() == bases.length) {
        bases = Arrays.copyOf(bases, 2 * bases.length);
      }
      bases[blocks.size()] = last.getBaseObject();
      blocks.add(last);
      used = 0;
    }
    int number = blocks.size() - 1;
    long from = last.getBaseOffset() + used;
    used += bytes;
    if (series[state + ROWS] == 0) {
      series[state + FIRST_PAGE] = number;
      series[state + FIRST_AT] = from;
    } else {
      Object base = bases[(int) series[state + PAGE]];
      Platform.putInt(base, series[state + AT], LINK);
      Platform.putInt(base, series[state + AT] + 4, number);
      Platform.putLong(base, series[state + AT] + 8, from);
    }
    series[state + PAGE] = number;
    series[state + AT] = from;
    series[state + END] = from + bytes - LINK_BYTES;
    return true;
  }

  /** Says that all rows are there; false if there is no memory to sort them. */
  boolean finish() {
    long most = 0;
    for (int number = 0; number < count; number++) {
      if (series[number * FIELDS + UNSORTED] != 0) {
        most = Math.max(most, series[number * FIELDS + ROWS]);
      }
    }
    if (most > 0) {
      long bytes = most * SORT_BYTES;
      if (most > Integer.MAX_VALUE - 8 || !pages.tryReserve(bytes)) {
        return false;
      }
      reserved += bytes;
      sort = new PrefixSort((int) most);
    }
    inOrder = keys == null ? new int[count] : keys.sorted();
    return true;
  }

  @Override
  public void forEach(Consumer<UnsafeRow> consumer) {
    for (int number = 0; number < count; number++) {
      cursor.enter(number);
      while (cursor.hasNext()) {
        cursor.step();
        consumer.accept(cursor.row);
      }
    }
  }

  /** A place in a series. */
  private final class Cursor extends AbstractIterator<UnsafeRow> {
    private final UnsafeRow row = new UnsafeRow(order.attributes().size());
    private long remaining; // rows of the series
    private int page; // of the next row in the chain
    private long at;
    private int index; // of the next row, where the series was sorted

    void enter(int number) {
      int state = number * FIELDS;
      remaining = series[state + ROWS];
      page = (int) series[state + FIRST_PAGE];
      at = series[state + FIRST_AT];
      index = 0;
    }

    @Override
    public boolean hasNext() {
      return remaining > 0;
    }

    @Override
    public UnsafeRow next() {
      if (sorted) {
        remaining--;
        point(row, sort.value(index++));
      } else {
        step();
      }
      return row;
    }

    /** Makes {@link #row} the next in the chain. */
    void step() {
      remaining--;
      int sizeBytes = Platform.getInt(bases[page], at);
      if (sizeBytes == LINK) {
        int nextPage = Platform.getInt(bases[page], at + 4);
        at = Platform.getLong(bases[page], at + 8);
        page = nextPage;
        sizeBytes = Platform.getInt(bases[page], at);
      }
      row.pointTo(bases[page], at + HEADER_BYTES, sizeBytes);
      at += HEADER_BYTES + sizeBytes;
    }
  }

  @Override
  public boolean advance() {
    starts = false;
    while (!cursor.hasNext()) {
      if (next == inOrder.length) {
        return false;
      }
      current = inOrder[next++];
      cursor.enter(current);
      if (cursor.hasNext()) {
        starts = returned;
        returned = true;
        sorted = series[current * FIELDS + UNSORTED] != 0;
        if (sorted) {
          sortSeries();
        }
      }
    }
    cursor.next();
    return true;
  }

  private void sortSeries() {
    long start = System.nanoTime();
    gather();
    sort.sort(resolveAllTies || !prefix.decides() ? this::compare : null);
    cursor.enter(current);
    sortNanos += System.nanoTime() - start;
  }

  /** Compares the rows at two places whose prefixes are equal. */
  private long compare(long a, long b) {
    if (comparator == null) {
      Comparator<InternalRow> byOrder = order.comparator();
      comparator = tieBreaker == null ? byOrder : byOrder.thenComparing(tieBreaker);
    }
    point(left, a);
    point(right, b);
    return comparator.compare(left, right);
  }

  /** Gives the prefixes and places of the current series' rows to the sort. */
  private void gather() {
    sort.clear();
    while (cursor.hasNext()) {
      cursor.step();
      int page = cursor.page;
      long start = cursor.row.getBaseOffset() - HEADER_BYTES;
      long address = (long) page << Integer.SIZE | start - blocks.get(page).getBaseOffset();
      sort.add(Platform.getLong(bases[page], start + 8), address);
    }
  }

  /** Returns the nanoseconds that sorting has taken so far. */
  long sortNanos() {
    return sortNanos;
  }

  private void point(UnsafeRow target, long address) {
    int number = (int) (address >>> Integer.SIZE);
    long from = blocks.get(number).getBaseOffset() + (address & 0xFFFFFFFFL);
    target.pointTo(bases[number], from + HEADER_BYTES, Platform.getInt(bases[number], from));
  }

  @Override
  public UnsafeRow row() {
    return cursor.row;
  }

  @Override
  public WholeSeries series() {
    long size = series[current * FIELDS + ROWS];
    return new WholeSeries() {
      @Override
      public long size() {
        return size;
      }

      @Override
      public Iterator<UnsafeRow> rows() {
        Cursor another = new Cursor();
        another.enter(current);
        return another;
      }
    };
  }

  @Override
  public Holder holder() {
    return this;
  }

  @Override
  public boolean startsSeries() {
    return starts;
  }

  @Override
  public void retain() {
    holders++;
  }

  @Override
  public void release() {
    if (--holders == 0) {
      blocks.forEach(pages::giveBack);
      blocks.clear();
      pages.unreserve(reserved);
      reserved = 0;
      sort = null;
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * Rows of a task without those that have too many rows of their series before them in this task
 * alone. Series come in the order in which they turned up, each with its rows in order, and rows
 * that tie as they came.
 *
 * <p>Nothing is sorted but the rows that may be wanted. Where there is no memory for these, they
 * are handed out, and the count begins anew: more rows than need be then pass, and never fewer.
 */
public final class LimitedRows extends AbstractIterator<InternalRow> {
  private static final int MOST_PAGES = 4; // of Spark's, as where rows are put in order
  private static final long STEP_BYTES = 1L << 20;
  private static final int ROW_BYTES = 96; // objects and references for one row
  private static final int SERIES_BYTES = 128;

  private final Iterator<InternalRow> rows;
  private final RankLimit limit;
  private final RowOrder keys; // null if all rows are one series
  private final RowOrder order;
  private final RowPages pages;
  private final long mostBytes;
  private final OrderPrefix prefix;
  private final FirstRows.Order byOrder;
  private final ArrayDeque<FirstRows.Kept> free = new ArrayDeque<>();
  private final List<FirstRows> series = new ArrayList<>();
  private SeriesKeys numbers;
  private long bytes; // taken, about
  private long reserved;
  private int current; // series that is handed out
  private int next; // row of it

  /**
   * Creates the rows.
   *
   * @param rows unsafe rows
   * @param keys the order of the series' keys, which bytes tell apart; null if all rows are one
   *     series
   * @param order the order within a series
   * @param pages the memory of the task
   */
  public LimitedRows(
      Iterator<InternalRow> rows, RankLimit limit, RowOrder keys, RowOrder order, RowPages pages) {
    this.rows = rows;
    this.limit = limit;
    this.keys = keys;
    this.order = order;
    this.pages = pages;
    this.mostBytes = MOST_PAGES * SparkEnv.get().memoryManager().pageSizeBytes();
    this.prefix = new OrderPrefix(order);
    Comparator<InternalRow> comparator = order.comparator();
    this.byOrder = (row, kept) -> prefix.decides() ? 0 : comparator.compare(row, kept);
  }

  @Override
  public boolean hasNext() {
    while (current < series.size() && next == series.get(current).count()) {
      enter(current + 1);
    }
    if (current < series.size()) {
      return true;
    }
    clear();
    if (!rows.hasNext()) {
      return false;
    }
    collect();
    enter(0);
    return true; // no series is empty
  }

  @Override
  public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return series.get(current).row(next++);
  }

  private void enter(int number) {
    current = number;
    next = 0;
    if (number < series.size()) {
      series.get(number).trim(free::push);
    }
  }

  private void clear() {
    series.clear();
    free.clear();
    numbers = keys == null ? null : new SeriesKeys(keys);
    pages.unreserve(reserved);
    bytes = 0;
    reserved = 0;
  }

  /** Reads rows to the last, or as long as there is memory. */
  private void collect() {
    boolean room = true;
    while (room && rows.hasNext()) {
      UnsafeRow row = (UnsafeRow) rows.next();
      FirstRows first = seriesOf(row);
      long rank = prefix.of(row);
      if (first.mayWant(row, rank)) {
        if (first.isFull()) {
          first.trim(free::push);
        }
        first.add(copy(row, rank));
        room = bytes + (numbers == null ? 0 : numbers.bytes()) <= reserved || reserve();
      }
    }
  }

  private FirstRows seriesOf(UnsafeRow row) {
    int number = numbers == null ? 0 : numbers.of(row);
    if (number == series.size()) {
      series.add(new FirstRows(limit, byOrder));
      bytes += SERIES_BYTES;
    }
    return series.get(number);
  }

  private FirstRows.Kept copy(UnsafeRow row, long rank) {
    FirstRows.Kept kept = free.poll();
    if (kept == null) {
      kept = new FirstRows.Kept(order.attributes().size());
      bytes += ROW_BYTES;
    }
    bytes += kept.set(row, rank);
    return kept;
  }

  /** Accounts for more bytes; false if the rows kept so far are to be handed out first. */
  private boolean reserve() {
    long wanted = bytes + (numbers == null ? 0 : numbers.bytes()) - reserved;
    long more = Math.max(wanted, STEP_BYTES);
    if (reserved + more > mostBytes || !pages.tryReserve(more)) {
      return false;
    }
    reserved += more;
    return true;
  }
}

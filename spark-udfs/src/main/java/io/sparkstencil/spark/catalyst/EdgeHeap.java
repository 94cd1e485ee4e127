/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst;

import io.sparkstencil.spark.exec.CellColumn;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BaseOrdering;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * The first or the last rows of an unsorted partition: keys and cells of as many rows as the frame
 * needs, in a bounded heap. Nearly all rows are dismissed by one comparison with the worst.
 */
final class EdgeHeap {
  private final RowOrder order;
  private final CellReader cells;
  private final int limit;
  private final boolean first;
  private final UnsafeProjection keyProjection;
  private final BaseOrdering keyOrdering;
  private final Comparator<Entry> comparator;
  private final PriorityQueue<Entry> heap; // the worst on top
  private Entry candidate;

  /** A row as far as the exchange needs it. */
  private static final class Entry {
    private boolean nullKey;
    private long key;
    private UnsafeRow row;
    private final long[] bits;
    private final boolean[] nulls;

    Entry(int columns) {
      bits = new long[columns];
      nulls = new boolean[columns];
    }
  }

  /** Creates a heap of the {@code limit} first, or else last, rows. */
  EdgeHeap(RowOrder order, CellReader cells, int limit, boolean first) {
    this.order = order;
    this.cells = cells;
    this.limit = limit;
    this.first = first;
    this.keyProjection = order.isIntegral() ? null : order.keyProjection();
    this.keyOrdering = order.isIntegral() ? null : order.ofKeys();
    this.comparator = this::compare;
    this.heap = new PriorityQueue<>(first ? comparator.reversed() : comparator);
    this.candidate = new Entry(cells.columns());
  }

  /** Considers a row. */
  void offer(InternalRow row) {
    boolean full = heap.size() == limit;
    if (order.isIntegral()) {
      candidate.nullKey = order.isIntegralNull(row);
      candidate.key = candidate.nullKey ? 0 : order.integralKey(row);
    } else {
      candidate.row = keyProjection.apply(row);
    }
    if (full && isWorse(compareKeys(candidate, heap.peek()))) {
      return;
    }
    for (int c = 0; c < cells.columns(); c++) {
      candidate.nulls[c] = cells.isNull(row, c);
      candidate.bits[c] = candidate.nulls[c] ? 0 : cells.bits(row, c);
    }
    if (full && isWorse(compare(candidate, heap.peek()))) {
      return;
    }
    Entry dismissed = full ? heap.remove() : new Entry(cells.columns());
    if (!order.isIntegral()) {
      candidate.row = candidate.row.copy();
    }
    heap.add(candidate);
    candidate = dismissed;
  }

  private boolean isWorse(int comparison) {
    return first ? comparison > 0 : comparison < 0;
  }

  private int compareKeys(Entry a, Entry b) {
    if (!order.isIntegral()) {
      return keyOrdering.compare(a.row, b.row);
    }
    return a.nullKey || b.nullKey
        ? Boolean.compare(b.nullKey, a.nullKey)
        : Long.compare(a.key, b.key);
  }

  private int compare(Entry a, Entry b) {
    int result = compareKeys(a, b);
    for (int c = 0; c < a.bits.length && result == 0; c++) {
      result =
          a.nulls[c] || b.nulls[c]
              ? Boolean.compare(b.nulls[c], a.nulls[c])
              : Long.compare(a.bits[c], b.bits[c]);
    }
    return result;
  }

  /** Returns the cells of the rows, in the order of the series, for each staged column. */
  List<CellColumn> columns() {
    List<Entry> entries = new ArrayList<>(heap);
    entries.sort(comparator);
    List<CellColumn> columns = new ArrayList<>();
    for (int c = 0; c < cells.columns(); c++) {
      CellColumn column = new CellColumn(cells.type(c), entries.size());
      columns.add(column);
      for (Entry entry : entries) {
        if (entry.nulls[c]) {
          column.addNull();
        } else {
          column.addBits(entry.bits[c]);
        }
      }
    }
    return columns;
  }
}

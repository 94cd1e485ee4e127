/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.catalyst.order.RowOrder;
import io.sparkstencil.spark.catalyst.rows.CellReader;
import io.sparkstencil.spark.exec.CellColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BaseOrdering;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * The first or the last rows of an unsorted partition: keys and values of as many rows as the frame
 * needs, in a bounded heap. Nearly all rows are dismissed by one comparison with the worst.
 */
public final class EndsHeap {
  private final RowOrder order;
  private final CellReader cells;
  private final int limit;
  private final boolean first;
  private final UnsafeProjection keyProjection;
  private final BaseOrdering keyOrdering;
  private final Comparator<Entry> comparator;
  private final PriorityQueue<Entry> heap; // the worst on top
  private Entry candidate;
  private long worst; // key of the worst of a full heap, the least number for none

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
  public EndsHeap(RowOrder order, CellReader cells, int limit, boolean first) {
    this.order = order;
    this.cells = cells;
    this.limit = limit;
    this.first = first;
    this.keyProjection = order.isIntegral() ? null : order.keyProjection();
    this.keyOrdering = order.isIntegral() ? null : order.ofKeys();
    this.comparator = this::compare;
    this.heap = new PriorityQueue<>(first ? comparator.reversed() : comparator);
    this.candidate = new Entry(cells.values());
  }

  /**
   * Tells, quickly, whether {@link #offer} would do nothing with a row of this integral key, the
   * least number for none.
   */
  boolean dismisses(long key) {
    return heap.size() == limit && (first ? key > worst : key < worst);
  }

  /** Considers a row. */
  public void offer(InternalRow row) {
    if (order.isIntegral()) {
      candidate.nullKey = order.isIntegralNull(row);
      candidate.key = candidate.nullKey ? 0 : order.integralKey(row);
    } else {
      candidate.row = keyProjection.apply(row);
    }
    if (heap.size() == limit && isWorse(compareKeys(candidate, heap.peek()))) {
      return;
    }
    for (int v = 0; v < cells.values(); v++) {
      candidate.nulls[v] = cells.isNull(row, v);
      candidate.bits[v] = candidate.nulls[v] ? 0 : cells.bits(row, v);
    }
    offerCandidate();
  }

  /** Considers rows that {@link #rows} of another heap returned. */
  public void offer(MapEnds.Rows rows) {
    for (int i = 0; i < rows.keys().length(); i++) {
      candidate.nullKey = i < rows.nullKeys();
      candidate.key = rows.keys().bits(i);
      for (int v = 0; v < cells.values(); v++) {
        CellColumn column = rows.values().get(v);
        candidate.nulls[v] = column.isNull(i);
        candidate.bits[v] = column.bits(i);
      }
      offerCandidate();
    }
  }

  private void offerCandidate() {
    boolean full = heap.size() == limit;
    if (full && isWorse(compare(candidate, heap.peek()))) {
      return;
    }
    Entry dismissed = full ? heap.remove() : new Entry(cells.values());
    if (!order.isIntegral()) {
      candidate.row = candidate.row.copy();
    }
    heap.add(candidate);
    candidate = dismissed;
    Entry top = heap.peek();
    worst = top.nullKey ? Long.MIN_VALUE : top.key;
  }

  int size() {
    return heap.size();
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
    for (int v = 0; v < a.bits.length && result == 0; v++) {
      result =
          a.nulls[v] || b.nulls[v]
              ? Boolean.compare(b.nulls[v], a.nulls[v])
              : cells.compareValues(v, a.bits[v], b.bits[v]);
    }
    return result != 0 ? result : Arrays.compare(a.bits, b.bits);
  }

  private List<Entry> sorted() {
    List<Entry> entries = new ArrayList<>(heap);
    entries.sort(comparator);
    return entries;
  }

  /** Returns the rows in order, where the key is integral. */
  MapEnds.Rows rows() {
    List<Entry> entries = sorted();
    int nullKeys = (int) entries.stream().filter(entry -> entry.nullKey).count();
    CellColumn keys = new CellColumn(ElementType.I64, entries.size());
    entries.forEach(entry -> keys.add(entry.key));
    List<CellColumn> values = new ArrayList<>();
    for (int v = 0; v < cells.values(); v++) {
      CellColumn column = new CellColumn(cells.valueType(v), entries.size());
      values.add(column);
      for (Entry entry : entries) {
        if (entry.nulls[v]) {
          column.addNull();
        } else {
          column.addBits(entry.bits[v]);
        }
      }
    }
    return new MapEnds.Rows(nullKeys, keys, values);
  }

  /** Returns the cells of the rows, in the order of the series, for each staged column. */
  public List<CellColumn> columns() {
    List<Entry> entries = sorted();
    List<CellColumn> columns = new ArrayList<>();
    for (int c = 0; c < cells.columns(); c++) {
      CellColumn column = new CellColumn(cells.type(c), entries.size());
      columns.add(column);
      for (Entry entry : entries) {
        if (entry.nulls[cells.input(c)]) {
          column.addNull();
        } else {
          cells.addCell(c, entry.bits[cells.input(c)], column);
        }
      }
    }
    return columns;
  }
}

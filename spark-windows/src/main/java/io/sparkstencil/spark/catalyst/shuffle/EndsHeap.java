/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.exec.CellColumn;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The first or the last rows of an unsorted partition, as many as the frame needs, in a bounded
 * heap. Nearly all rows are dismissed by one comparison with the worst.
 */
final class EndsHeap {
  private final EndRows shape;
  private final boolean first;
  private final Comparator<InternalRow> comparator;
  private final PriorityQueue<Entry> heap; // the worst on top
  private long worst; // number of the worst of a full heap

  /** A row with its number, which mostly decides. */
  private static final class Entry {
    private long key;
    private UnsafeRow row;
  }

  /** Creates a heap of the first, or else last, rows. */
  EndsHeap(EndRows shape, boolean first) {
    this.shape = shape;
    this.first = first;
    Comparator<InternalRow> byKey = shape.order().comparator();
    this.comparator = byKey.thenComparing(shape.cells()::compareTies);
    this.heap = new PriorityQueue<>(first ? (a, b) -> compare(b, a) : this::compare);
  }

  private int compare(Entry a, Entry b) {
    return a.key == b.key ? comparator.compare(a.row, b.row) : Long.compare(a.key, b.key);
  }

  /** Tells, quickly, whether {@link #offer} would do nothing with a row of this number. */
  boolean dismisses(long key) {
    return isFull() && (first ? key > worst : key < worst);
  }

  boolean isFull() {
    return heap.size() == shape.reach();
  }

  /**
   * Considers a narrow row, and copies it if it is among the rows so far.
   *
   * @param number its number, as {@link EndRows} has it
   */
  void offer(UnsafeRow row, long number) {
    if (dismisses(number)) {
      return;
    }
    Entry kept;
    if (isFull()) {
      int order = comparator.compare(row, heap.peek().row);
      if (first ? order >= 0 : order <= 0) {
        return;
      }
      kept = heap.remove();
      kept.row.copyFrom(row);
    } else {
      kept = new Entry();
      kept.row = row.copy();
    }
    kept.key = number;
    heap.add(kept);
    worst = heap.peek().key;
  }

  /** Returns the rows, in no order, as a batch of rows is shuffled. */
  byte[] packed() {
    return RowBatch.pack(CollectionConverters.asScala(rows().iterator()), shape.layout());
  }

  /** Returns the cells of the rows, in the order of the series, for each staged column. */
  List<CellColumn> columns() {
    CellColumn[] columns =
        IntStream.range(0, shape.cells().columns())
            .mapToObj(c -> new CellColumn(shape.cells().type(c), heap.size()))
            .toArray(CellColumn[]::new);
    rows().stream().sorted(comparator).forEach(row -> shape.cells().read(row, columns));
    return new ArrayList<>(List.of(columns));
  }

  private List<UnsafeRow> rows() {
    return heap.stream().map(entry -> entry.row).toList();
  }
}

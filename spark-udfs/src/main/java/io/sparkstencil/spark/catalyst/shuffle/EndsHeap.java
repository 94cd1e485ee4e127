/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.order.RowOrder;
import io.sparkstencil.spark.exec.CellColumn;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * The first or the last rows of an unsorted partition, as many as the frame needs, in a bounded
 * heap. Nearly all rows are dismissed by one comparison with the worst.
 */
final class EndsHeap {
  private final EndRows shape;
  private final boolean first;
  private final Comparator<InternalRow> comparator;
  private final PriorityQueue<UnsafeRow> heap; // the worst on top
  private long worst; // integral key of the worst of a full heap, the least number for none

  /** Creates a heap of the first, or else last, rows. */
  EndsHeap(EndRows shape, boolean first) {
    this.shape = shape;
    this.first = first;
    Comparator<InternalRow> byKey = shape.order().comparator();
    this.comparator = byKey.thenComparing(shape.cells()::compareTies);
    this.heap = new PriorityQueue<>(first ? comparator.reversed() : comparator);
  }

  /**
   * Tells, quickly, whether {@link #offer} would do nothing with a row of this integral key, the
   * least number for none.
   */
  boolean dismisses(long key) {
    return isFull() && (first ? key > worst : key < worst);
  }

  boolean isFull() {
    return heap.size() == shape.reach();
  }

  /** Considers a narrow row, and copies it if it is among the rows so far. */
  void offer(UnsafeRow row) {
    UnsafeRow kept;
    if (isFull()) {
      int order = comparator.compare(row, heap.peek());
      if (first ? order >= 0 : order <= 0) {
        return;
      }
      kept = heap.remove();
      kept.copyFrom(row);
    } else {
      kept = row.copy();
    }
    heap.add(kept);
    RowOrder order = shape.order();
    if (order.isIntegral()) {
      worst = order.isIntegralNull(heap.peek()) ? Long.MIN_VALUE : order.integralKey(heap.peek());
    }
  }

  /** Returns the rows, in no order, as a batch of rows is shuffled. */
  byte[] packed() {
    return RowBatch.pack(heap, shape.layout());
  }

  /** Returns the cells of the rows, in the order of the series, for each staged column. */
  List<CellColumn> columns() {
    CellColumn[] columns =
        IntStream.range(0, shape.cells().columns())
            .mapToObj(c -> new CellColumn(shape.cells().type(c), heap.size()))
            .toArray(CellColumn[]::new);
    heap.stream().sorted(comparator).forEach(row -> shape.cells().read(row, columns));
    return new ArrayList<>(List.of(columns));
  }
}

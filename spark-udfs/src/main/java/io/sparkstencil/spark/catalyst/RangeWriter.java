/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.util.CollectionAccumulator;
import org.apache.spark.util.MutablePair;
import scala.Product2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * The rows of a map task, each with its range. Keeps the edges of every range on the way, where
 * they are wanted, and gives them away after the last row: a task that fails before gives nothing.
 */
final class RangeWriter extends AbstractIterator<Product2<Object, InternalRow>> {
  private final Iterator<InternalRow> rows;
  private final RowOrder order;
  private final KeyRanges ranges;
  private final Integer[] boxed;
  private final MutablePair<Object, InternalRow> pair = new MutablePair<>();
  private final Edges edges; // or null

  RangeWriter(Iterator<InternalRow> rows, RowOrder order, KeyRanges ranges, Edges edges) {
    this.rows = rows;
    this.order = order;
    this.ranges = ranges;
    this.edges = edges;
    this.boxed = new Integer[ranges.count()];
    for (int i = 0; i < boxed.length; i++) {
      boxed[i] = i;
    }
  }

  @Override
  public boolean hasNext() {
    if (rows.hasNext()) {
      return true;
    }
    if (edges != null) {
      edges.finish();
    }
    return false;
  }

  @Override
  public Product2<Object, InternalRow> next() {
    InternalRow row = rows.next();
    boolean nullKey = order.isIntegralNull(row);
    long key = nullKey ? Long.MIN_VALUE : order.integralKey(row);
    int range = nullKey ? 0 : ranges.indexOf(key);
    if (edges != null) {
      edges.add(range, key, row);
    }
    pair._1 = boxed[range];
    pair._2 = row;
    return pair;
  }

  /** The edges of all ranges. */
  static final class Edges {
    private final int map;
    private final RowOrder order;
    private final CellReader cells;
    private final int reach;
    private final CollectionAccumulator<MapEdges> target;
    private final long[] rows;
    private final EdgeHeap[] heads;
    private final EdgeHeap[] tails;
    private boolean finished;

    Edges(
        int map,
        RowOrder order,
        CellReader cells,
        int reach,
        int ranges,
        CollectionAccumulator<MapEdges> target) {
      this.map = map;
      this.order = order;
      this.cells = cells;
      this.reach = reach;
      this.target = target;
      this.rows = new long[ranges];
      this.heads = new EdgeHeap[ranges];
      this.tails = new EdgeHeap[ranges];
    }

    /** Considers a row; {@code key} is the least number where the row has none. */
    void add(int range, long key, InternalRow row) {
      if (rows[range]++ == 0) {
        heads[range] = new EdgeHeap(order, cells, reach, true);
        tails[range] = new EdgeHeap(order, cells, reach, false);
      }
      if (!heads[range].dismisses(key)) {
        heads[range].offer(row);
      }
      if (!tails[range].dismisses(key)) {
        tails[range].offer(row);
      }
    }

    private void finish() {
      if (finished) {
        return;
      }
      finished = true;
      List<MapEdges.Range> found = new ArrayList<>();
      for (int i = 0; i < rows.length; i++) {
        found.add(
            rows[i] == 0 ? null : new MapEdges.Range(rows[i], heads[i].rows(), tails[i].rows()));
      }
      target.add(new MapEdges(map, found));
    }
  }
}

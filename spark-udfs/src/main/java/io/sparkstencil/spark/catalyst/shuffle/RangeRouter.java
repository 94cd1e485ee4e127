/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.order.RowOrder;
import io.sparkstencil.spark.catalyst.rows.CellReader;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.util.CollectionAccumulator;

/**
 * Sends rows to ranges of an integral key. Keeps the edges of every range on the way, where they
 * are wanted, and gives them away after the last row: a task that fails before gives nothing.
 */
final class RangeRouter implements RowRouter {
  private final RowOrder order;
  private final KeyRanges ranges;
  private final Edges edges; // or null

  RangeRouter(RowOrder order, KeyRanges ranges, Edges edges) {
    this.order = order;
    this.ranges = ranges;
    this.edges = edges;
  }

  @Override
  public int target(UnsafeRow row) {
    boolean nullKey = order.isIntegralNull(row);
    long key = nullKey ? Long.MIN_VALUE : order.integralKey(row);
    int range = nullKey ? 0 : ranges.indexOf(key);
    if (edges != null) {
      edges.add(range, key, row);
    }
    return range;
  }

  @Override
  public void finish() {
    if (edges != null) {
      edges.finish();
    }
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
      List<MapEdges.Range> found = new ArrayList<>();
      for (int i = 0; i < rows.length; i++) {
        found.add(
            rows[i] == 0 ? null : new MapEdges.Range(rows[i], heads[i].rows(), tails[i].rows()));
      }
      target.add(new MapEdges(map, found));
    }
  }
}

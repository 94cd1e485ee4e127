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
 * Sends rows to ranges of an integral key. Keeps the ends of every range on the way, where they are
 * wanted, and gives them away after the last row: a task that fails before gives nothing.
 */
final class RangeRouter implements RowRouter {
  private final RowOrder order;
  private final KeyRanges ranges;
  private final Ends ends; // or null

  RangeRouter(RowOrder order, KeyRanges ranges, Ends ends) {
    this.order = order;
    this.ranges = ranges;
    this.ends = ends;
  }

  @Override
  public int target(UnsafeRow row) {
    boolean nullKey = order.isIntegralNull(row);
    long key = nullKey ? Long.MIN_VALUE : order.integralKey(row);
    int range = nullKey ? 0 : ranges.indexOf(key);
    if (ends != null) {
      ends.add(range, key, row);
    }
    return range;
  }

  @Override
  public void finish() {
    if (ends != null) {
      ends.finish();
    }
  }

  /** The ends of all ranges. */
  static final class Ends {
    private final int map;
    private final RowOrder order;
    private final CellReader cells;
    private final int reach;
    private final CollectionAccumulator<MapEnds> target;
    private final long[] rows;
    private final EndsHeap[] heads;
    private final EndsHeap[] tails;

    Ends(
        int map,
        RowOrder order,
        CellReader cells,
        int reach,
        int ranges,
        CollectionAccumulator<MapEnds> target) {
      this.map = map;
      this.order = order;
      this.cells = cells;
      this.reach = reach;
      this.target = target;
      this.rows = new long[ranges];
      this.heads = new EndsHeap[ranges];
      this.tails = new EndsHeap[ranges];
    }

    /** Considers a row; {@code key} is the least number where the row has none. */
    void add(int range, long key, InternalRow row) {
      if (rows[range]++ == 0) {
        heads[range] = new EndsHeap(order, cells, reach, true);
        tails[range] = new EndsHeap(order, cells, reach, false);
      }
      if (!heads[range].dismisses(key)) {
        heads[range].offer(row);
      }
      if (!tails[range].dismisses(key)) {
        tails[range].offer(row);
      }
    }

    private void finish() {
      List<MapEnds.Range> found = new ArrayList<>();
      for (int i = 0; i < rows.length; i++) {
        found.add(
            rows[i] == 0 ? null : new MapEnds.Range(rows[i], heads[i].rows(), tails[i].rows()));
      }
      target.add(new MapEnds(map, found));
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.order.RowOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.util.CollectionAccumulator;

/**
 * Sends rows to ranges of an integral key. Keeps the ends of every range on the way, where they are
 * wanted, and gives them away after the last row: a task that fails before gives nothing.
 */
final class RangeRouter implements RowRouter {
  private final int map;
  private final RowOrder order;
  private final KeyRanges ranges;
  private final EndRows shape;
  private final CollectionAccumulator<MapEnds> target;
  private final UnsafeProjection projection;
  private final RowEnds[] ends;

  /**
   * Creates the router of a task.
   *
   * @param map the partition that the task reads
   * @param shape what is needed of the ends
   * @param target where the ends go, or null if none are wanted
   */
  RangeRouter(
      int map,
      RowOrder order,
      KeyRanges ranges,
      EndRows shape,
      CollectionAccumulator<MapEnds> target) {
    this.map = map;
    this.order = order;
    this.ranges = ranges;
    this.shape = shape;
    this.target = target;
    this.projection = target == null ? null : shape.projection();
    this.ends = new RowEnds[ranges.count()];
  }

  @Override
  public int target(UnsafeRow row) {
    int range = order.isIntegralNull(row) ? 0 : ranges.indexOf(order.integralKey(row));
    if (target != null) {
      if (ends[range] == null) {
        ends[range] = new RowEnds(order, shape, projection);
      }
      ends[range].add(row);
    }
    return range;
  }

  @Override
  public void finish() {
    if (target != null) {
      List<MapEnds.Range> found = new ArrayList<>();
      for (RowEnds each : ends) {
        found.add(each == null ? null : each.packed());
      }
      target.add(new MapEnds(map, found));
    }
  }
}

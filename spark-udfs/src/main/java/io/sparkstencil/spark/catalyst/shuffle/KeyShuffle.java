/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.order.RowOrder;
import io.sparkstencil.spark.catalyst.rows.CellReader;
import io.sparkstencil.spark.exec.StagePlan;
import io.sparkstencil.spark.halo.PartitionEnds;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.util.CollectionAccumulator;
import scala.Option;

/**
 * A shuffle by ranges of one integral key, whose map tasks find the ends of the ranges.
 *
 * <p>The ends come back as each map task finishes. An attempt that fails brings none; where two
 * attempts of the same task bring theirs, they are equal, and one is taken.
 */
public final class KeyShuffle {
  /** Cells that all map tasks together may bring to the driver. */
  private static final long MOST_END_CELLS = 1L << 22;

  private final ShuffleDependency<Object, InternalRow, InternalRow> dependency;
  private final CollectionAccumulator<MapEnds> found; // null if nothing is found
  private final StagePlan plan;
  private final CellReader cells;
  private final RowOrder order;
  private Map<Integer, MapEnds> byMap; // read by operators in several threads

  private KeyShuffle(
      ShuffleDependency<Object, InternalRow, InternalRow> dependency,
      CollectionAccumulator<MapEnds> found,
      StagePlan plan,
      CellReader cells,
      RowOrder order) {
    this.dependency = dependency;
    this.found = found;
    this.plan = plan;
    this.cells = cells;
    this.order = order;
  }

  /**
   * Prepares the shuffle.
   *
   * @param ranges which keys go together
   * @param plan what is staged of the rows
   * @param reader reads the cells of the rows
   */
  public static KeyShuffle of(
      RDD<InternalRow> rows, KeyRanges ranges, StagePlan plan, CellReader reader, RowOrder order) {
    SparkContext context = rows.sparkContext();
    int maps = rows.getNumPartitions();
    int reach = plan.reach();
    long cells = 2L * maps * ranges.count() * reach * (reader.values() + 1L);
    boolean wants = (plan.left() > 0 || plan.right() > 0) && cells <= MOST_END_CELLS;
    CollectionAccumulator<MapEnds> target = wants ? new CollectionAccumulator<>() : null;
    if (wants) {
      target.register(context, Option.empty(), false);
    }
    RowRouter.Factory routers =
        map ->
            new RangeRouter(
                order,
                ranges,
                target == null
                    ? null
                    : new RangeRouter.Ends(map, order, reader, reach, ranges.count(), target));
    return new KeyShuffle(
        BatchedShuffle.of(
            rows, routers, RowLayout.of(ScalaInterop.list(order.attributes())), ranges.count()),
        target,
        plan,
        reader,
        order);
  }

  public ShuffleDependency<Object, InternalRow, InternalRow> dependency() {
    return dependency;
  }

  /** Tells whether the map tasks find what {@link #ends} needs for a plan and its reader. */
  public boolean findsEndsFor(StagePlan other, CellReader reader) {
    return found != null && plan.reach() == other.reach() && cells.readsValuesOf(reader);
  }

  /**
   * Returns the ends of the ranges {@code [from, until)} as those of one partition, once the map
   * tasks have run.
   *
   * @param reader makes cells of the values
   */
  public PartitionEnds ends(int from, int until, CellReader reader) {
    int reach = plan.reach();
    EndsHeap heads = new EndsHeap(order, reader, reach, true);
    EndsHeap tails = new EndsHeap(order, reader, reach, false);
    long rows = 0;
    for (int range = from; range < until; range++) {
      offer(heads, range, true);
      int mirrored = until - 1 - (range - from);
      offer(tails, mirrored, false);
      for (MapEnds map : byMap()) {
        MapEnds.Range ends = map.ranges().get(range);
        rows += ends == null ? 0 : ends.rows();
      }
    }
    return new PartitionEnds(rows, heads.columns(), tails.columns());
  }

  /** Returns what the map tasks found, that of one attempt each. */
  private synchronized Collection<MapEnds> byMap() {
    if (byMap == null) {
      Map<Integer, MapEnds> first = new LinkedHashMap<>();
      found.value().forEach(each -> first.putIfAbsent(each.map(), each));
      byMap = first;
    }
    return byMap.values();
  }

  /** Offers the rows of a range, unless those of the ranges before it suffice. */
  private void offer(EndsHeap heap, int range, boolean first) {
    if (heap.size() == plan.reach()) {
      return;
    }
    for (MapEnds map : byMap()) {
      MapEnds.Range ends = map.ranges().get(range);
      if (ends != null) {
        heap.offer(first ? ends.heads() : ends.tails());
      }
    }
  }
}

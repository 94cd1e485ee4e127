/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.order.RowOrder;
import io.sparkstencil.spark.catalyst.rows.CellReader;
import io.sparkstencil.spark.exec.StagePlan;
import io.sparkstencil.spark.halo.PartitionEnds;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
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
  private final CellReader cells;
  private final RowOrder order;
  private final int reach;
  private Map<Integer, MapEnds> byMap; // read by operators in several threads

  /**
   * Prepares the shuffle.
   *
   * @param ranges which keys go together
   * @param plan what is staged of the rows
   * @param cells reads the cells of the rows
   */
  public KeyShuffle(
      RDD<InternalRow> rows, KeyRanges ranges, StagePlan plan, CellReader cells, RowOrder order) {
    this.cells = cells;
    this.order = order;
    this.reach = plan.reach();
    EndRows shape = EndRows.of(order, cells, reach);
    long most = 2L * rows.getNumPartitions() * ranges.count() * reach * shape.layout().fields();
    boolean wants = (plan.left() > 0 || plan.right() > 0) && most <= MOST_END_CELLS;
    CollectionAccumulator<MapEnds> target = wants ? new CollectionAccumulator<>() : null;
    if (wants) {
      target.register(rows.sparkContext(), Option.empty(), false);
    }
    this.found = target;
    this.dependency =
        BatchedShuffle.of(
            rows,
            map -> new Router(map, order, ranges, shape, target),
            RowLayout.of(ScalaInterop.list(order.attributes())),
            ranges.count());
  }

  public ShuffleDependency<Object, InternalRow, InternalRow> dependency() {
    return dependency;
  }

  /** Tells whether the map tasks find what {@link #ends} needs for a plan and its reader. */
  public boolean findsEndsFor(StagePlan plan, CellReader reader) {
    return found != null && reach == plan.reach() && cells.readsValuesOf(reader);
  }

  /**
   * Returns the ends of the ranges {@code [from, until)} as those of one partition, once the map
   * tasks have run.
   *
   * @param reader makes cells of the values
   */
  public PartitionEnds ends(int from, int until, CellReader reader) {
    EndRows shape = EndRows.of(order, reader, reach);
    EndsHeap heads = new EndsHeap(shape, true);
    EndsHeap tails = new EndsHeap(shape, false);
    long rows = 0;
    for (int range = from; range < until; range++) {
      offer(heads, range, RowEnds.Packed::heads, shape.layout());
      int mirrored = until - 1 - (range - from);
      offer(tails, mirrored, RowEnds.Packed::tails, shape.layout());
      for (MapEnds map : byMap()) {
        RowEnds.Packed ends = map.ranges().get(range);
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
  private void offer(
      EndsHeap heap, int range, Function<RowEnds.Packed, byte[]> end, RowLayout layout) {
    if (heap.isFull()) {
      return;
    }
    for (MapEnds map : byMap()) {
      RowEnds.Packed ends = map.ranges().get(range);
      if (ends != null) {
        BatchedRows rows = BatchedRows.of(end.apply(ends), layout);
        while (rows.hasNext()) {
          heap.offer((UnsafeRow) rows.next());
        }
      }
    }
  }

  /**
   * What one map task found of each range while it wrote its rows.
   *
   * @param map the partition that the task read; a task that runs again finds the same
   * @param ranges the ends of each range, null where the task has no rows of it
   */
  private record MapEnds(int map, List<RowEnds.Packed> ranges) implements Serializable {}

  /**
   * Sends rows to ranges of an integral key. Keeps the ends of every range on the way, where they
   * are wanted, and gives them away after the last row: a task that fails before gives nothing.
   */
  private static final class Router implements RowRouter {
    private final int map;
    private final RowOrder order;
    private final KeyRanges ranges;
    private final EndRows shape;
    private final CollectionAccumulator<MapEnds> target;
    private final UnsafeProjection projection;
    private final RowEnds[] ends;
    private final UnsafeRow row;

    /**
     * Creates the router of a task.
     *
     * @param map the partition that the task reads
     * @param shape what is needed of the ends
     * @param target where the ends go, or null if none are wanted
     */
    Router(
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
      this.row = new UnsafeRow(order.attributes().size());
    }

    @Override
    public int target(UnsafeRow row) {
      return order.isIntegralNull(row) ? 0 : ranges.indexOf(order.integralKey(row));
    }

    @Override
    public void writes(int range, RowBatch rows) {
      if (target != null) {
        if (ends[range] == null) {
          ends[range] = new RowEnds(order, shape, projection);
        }
        ends[range].add(rows, row);
      }
    }

    @Override
    public void finish() {
      if (target != null) {
        List<RowEnds.Packed> found = new ArrayList<>();
        for (RowEnds each : ends) {
          found.add(each == null ? null : each.packed());
        }
        target.add(new MapEnds(map, found));
      }
    }
  }
}

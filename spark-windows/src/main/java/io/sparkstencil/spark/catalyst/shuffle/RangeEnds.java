/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.rows.CellReader;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.exec.PartitionEnds;
import io.sparkstencil.spark.exec.StagePlan;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** Finds the ends of ranges of an order by words; those of other orders are not looked for. */
public final class RangeEnds implements RangeFinder {
  /** Cells that all map tasks together may bring to the driver. */
  private static final long MOST_END_CELLS = 1L << 22;

  private final SparkContext context;
  private final StagePlan plan;
  private final CellReader cells;
  private final RowOrder order;
  private RangeNotes<RowEnds.Packed> notes; // null if nothing is found

  /**
   * Prepares the search.
   *
   * @param plan what is staged of the rows
   * @param cells reads the cells of the rows
   */
  public RangeEnds(SparkContext context, StagePlan plan, CellReader cells, RowOrder order) {
    this.context = context;
    this.plan = plan;
    this.cells = cells;
    this.order = order;
  }

  @Override
  public Factory finding(int maps, int ranges) {
    EndRows shape = EndRows.of(order, cells, plan.reach());
    long most = 2L * maps * ranges * plan.reach() * shape.layout().fields();
    boolean reaches = plan.left() > 0 || plan.right() > 0;
    if (!shape.isByWords() || !reaches || most > MOST_END_CELLS) {
      return RangeFinder.nothing();
    }
    notes = new RangeNotes<>(context);
    return notes.noting(ranges, order.attributes().size(), () -> () -> new RowEnds(shape));
  }

  /** Tells whether the map tasks find what {@link #ends} needs for a plan and its reader. */
  public boolean findsEndsFor(StagePlan wanted, CellReader reader) {
    return notes != null && plan.reach() == wanted.reach() && cells.readsValuesOf(reader);
  }

  /**
   * Returns the ends of the ranges {@code [from, until)} as those of one partition, once the map
   * tasks have run.
   *
   * @param reader makes cells of the values
   */
  public PartitionEnds ends(int from, int until, CellReader reader) {
    EndRows shape = EndRows.of(order, reader, plan.reach());
    EndsHeap heads = new EndsHeap(shape, true);
    EndsHeap tails = new EndsHeap(shape, false);
    long rows = 0;
    for (int range = from; range < until; range++) {
      offer(heads, range, RowEnds.Packed::heads, shape);
      int mirrored = until - 1 - (range - from);
      offer(tails, mirrored, RowEnds.Packed::tails, shape);
      for (List<RowEnds.Packed> map : notes.byMap()) {
        RowEnds.Packed ends = map.get(range);
        rows += ends == null ? 0 : ends.rows();
      }
    }
    return new PartitionEnds(rows, heads.columns(), tails.columns());
  }

  /** Offers the rows of a range, unless those of the ranges before it suffice. */
  private void offer(
      EndsHeap heap, int range, Function<RowEnds.Packed, byte[]> end, EndRows shape) {
    if (heap.isFull()) {
      return;
    }
    for (List<RowEnds.Packed> map : notes.byMap()) {
      RowEnds.Packed ends = map.get(range);
      if (ends != null) {
        BatchedRows rows = BatchedRows.of(end.apply(ends), shape.layout());
        while (rows.hasNext()) {
          UnsafeRow row = (UnsafeRow) rows.next();
          heap.offer(row, shape.number(row));
        }
      }
    }
  }
}

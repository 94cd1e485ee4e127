/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.halo;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.segment.Halo;
import io.sparkstencil.spark.exec.CellColumn;
import io.sparkstencil.spark.exec.SeriesHalos;
import io.sparkstencil.spark.exec.ShortSeries;
import io.sparkstencil.spark.exec.StagePlan;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the halo of every partition of one series from the ends of all of them. Cells are counted
 * by rank, never by key, so that partitions may have any size, also fewer cells than the frame or
 * none: a halo then reaches over several neighbours. Positions outside the series are mapped by the
 * boundary rule first, so that they may come from its other end.
 *
 * <p>Every cell that is asked for lies among the first or the last {@link StagePlan#reach()} cells
 * of its partition; that many must be given.
 */
public final class HaloPlanner {
  private final StagePlan plan;
  private final List<PartitionEnds> partitions;
  private final long[] start; // rank of the first cell of each partition, and the total
  private long cellsMoved;

  /** Creates a planner for partitions in the order of the series. */
  public HaloPlanner(StagePlan plan, List<PartitionEnds> partitions) {
    this.plan = plan;
    this.partitions = partitions;
    this.start = new long[partitions.size() + 1];
    for (int i = 0; i < partitions.size(); i++) {
      start[i + 1] = start[i] + partitions.get(i).cells();
    }
  }

  /** Returns the number of cells in the series. */
  public long cells() {
    return start[start.length - 1];
  }

  /** Returns the cells that all halos made so far took from other partitions. */
  public long cellsMoved() {
    return cellsMoved;
  }

  /**
   * Returns what lies beside partitions {@code [from, until)}, which one task works on as one.
   *
   * @return for each pipeline, halos of the cells that its widest frame needs in a series of this
   *     length
   */
  public SeriesHalos halos(int from, int until) {
    Halo[] left = new Halo[plan.pipelines().size()];
    Halo[] right = new Halo[left.length];
    int series = (int) Math.min(ShortSeries.ANY_LENGTH, cells());
    int length = ShortSeries.lengthFor(plan.reach(), series);
    for (int p = 0; p < left.length; p++) {
      StagePlan.Pipeline pipeline = plan.pipelines().get(p);
      int before = 0;
      int after = 0;
      for (StencilSpec spec : pipeline.specs()) {
        Frame frame = spec.withinSeriesOf(length).frame();
        before = Math.max(before, frame.left());
        after = Math.max(after, frame.right());
      }
      left[p] = halo(pipeline, start[from] - before, before);
      right[p] = halo(pipeline, start[until], after);
    }
    return new SeriesHalos(left, right, series);
  }

  /** Returns the cells at positions {@code [first, first + count)}, which may be outside. */
  private Halo halo(StagePlan.Pipeline pipeline, long first, int count) {
    Boundary boundary = pipeline.boundary();
    CellColumn cells = new CellColumn(plan.columns().get(pipeline.column()).type(), count);
    int missing = 0;
    for (int i = 0; i < count; i++) {
      // A series without cells has no outputs: what stands beside it is never read.
      long source = cells() == 0 ? -1 : boundary.sourceIndex(first + i, cells());
      if (source >= 0) {
        append(source, pipeline.column(), cells);
      } else if (boundary.leavesMissing()) {
        cells.addValue(0);
        missing++;
      } else {
        cells.addValue(boundary.constant());
      }
    }
    Halo halo = cells.halo(0, count);
    return new Halo(halo.cells(), halo.validity(), missing);
  }

  private void append(long rank, int column, CellColumn target) {
    int owner = Arrays.binarySearch(start, rank);
    if (owner < 0) {
      owner = -owner - 2;
    }
    while (partitions.get(owner).cells() == 0) {
      owner++; // empty partitions start at the same rank as the one that holds the cell
    }
    PartitionEnds ends = partitions.get(owner);
    long index = rank - start[owner];
    CellColumn heads = ends.heads().get(column);
    CellColumn tails = ends.tails().get(column);
    long fromTail = index - (ends.cells() - tails.length());
    if (index < heads.length()) {
      target.addAll(heads, (int) index, 1);
    } else if (fromTail >= 0) {
      target.addAll(tails, (int) fromTail, 1);
    } else {
      throw new IllegalStateException(
          "cell %d of partition %d, which has %d, is neither among its first %d nor its last %d"
              .formatted(index, owner, ends.cells(), heads.length(), tails.length()));
    }
    cellsMoved++;
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.cells.CellSource;
import io.sparkstencil.cells.HeapCellBuffer;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.pipeline.ShortSeries;
import io.sparkstencil.segment.Halo;
import io.sparkstencil.staging.StagingWriter;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

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
      Frame frame = pipeline.frame(length);
      RankedCells cells = new RankedCells(pipeline.column(), start[from], start[until]);
      left[p] = halo(pipeline, cells, start[from] - frame.left(), frame.left());
      right[p] = halo(pipeline, cells, start[until], frame.right());
    }
    return new SeriesHalos(left, right, series);
  }

  /**
   * Returns what lies beside the rows of partitions {@code [from, until)}. Where they are the whole
   * series and a frame is as wide, halos would cost more memory than the series: the task has all
   * cells in one chunk, and makes what lies beside them itself.
   */
  public SeriesHalos halosOfRows(int from, int until) {
    return start[until] - start[from] == cells() && plan.reach() >= cells()
        ? SeriesHalos.none(plan.pipelines().size())
        : halos(from, until);
  }

  /** Returns the cells at positions {@code [first, first + count)}, which may be outside. */
  private Halo halo(StagePlan.Pipeline pipeline, RankedCells series, long first, int count) {
    ElementType type = plan.columns().get(pipeline.column()).type();
    boolean nulls = series.hasNulls();
    HeapCellBuffer halo = new HeapCellBuffer(type, count, nulls);
    new StagingWriter(type, pipeline.boundary())
        .write(series, null, null, first, count, halo, 0, nulls);
    long outside = Math.max(0, -first) + Math.max(0, first + count - cells());
    int missing = pipeline.boundary().leavesMissing() ? (int) Math.min(count, outside) : 0;
    boolean known = nulls && hasNull(halo.validity(), first < 0 ? missing : 0, count - missing);
    return new Halo(halo.array(), known ? halo.validity() : null, missing);
  }

  private static boolean hasNull(byte[] validity, int from, int count) {
    for (int i = from; i < from + count; i++) {
      if (validity[i] == 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * A column of the whole series, of whose cells only those at the ends of partitions are known.
   */
  private final class RankedCells implements CellSource {
    private final int column;
    private final long ownFirst; // cells that the task has itself do not move
    private final long ownEnd;
    private CellColumn found; // where the cell that was located last is
    private int index;

    RankedCells(int column, long ownFirst, long ownEnd) {
      this.column = column;
      this.ownFirst = ownFirst;
      this.ownEnd = ownEnd;
    }

    /** Counts cells that follow each other in one partition, from a rank on. */
    private void count(long rank, int cells) {
      if (rank < ownFirst || rank >= ownEnd) {
        cellsMoved += cells;
      }
    }

    @Override
    public long length() {
      return cells();
    }

    @Override
    public boolean hasNulls() {
      return partitions.stream()
          .flatMap(ends -> Stream.of(ends.heads(), ends.tails()))
          .anyMatch(columns -> columns.get(column).validity() != null);
    }

    /** Finds the cell of a rank, and returns how many cells follow each other from it on. */
    private int locate(long rank) {
      int owner = Arrays.binarySearch(start, rank);
      if (owner < 0) {
        owner = -owner - 2;
      }
      while (partitions.get(owner).cells() == 0) {
        owner++; // empty partitions start at the same rank as the one that holds the cell
      }
      PartitionEnds ends = partitions.get(owner);
      long inOwner = rank - start[owner];
      CellColumn heads = ends.heads().get(column);
      CellColumn tails = ends.tails().get(column);
      long fromTail = inOwner - (ends.cells() - tails.length());
      if (inOwner >= heads.length() && fromTail < 0) {
        throw new IllegalStateException(
            "cell %d of partition %d, which has %d, is neither among its first %d nor its last %d"
                .formatted(inOwner, owner, ends.cells(), heads.length(), tails.length()));
      }
      found = fromTail >= 0 ? tails : heads;
      index = (int) (fromTail >= 0 ? fromTail : inOwner);
      return found.length() - index;
    }

    @Override
    public void copy(long from, int count, CellBuffer target, int at) {
      for (int done = 0; done < count; ) {
        int run = Math.min(count - done, locate(from + done));
        target.write(at + done, found.array(), index, run);
        count(from + done, run);
        done += run;
      }
    }

    @Override
    public void copyValidity(long from, int count, CellBuffer target, int at) {
      for (int done = 0; done < count; ) {
        int run = Math.min(count - done, locate(from + done));
        if (found.validity() == null) {
          target.fillValidity(at + done, run, (byte) 1);
        } else {
          target.writeValidity(at + done, found.validity(), index, run);
        }
        done += run;
      }
    }

    @Override
    public void gather(long[] indices, int count, Object target) {
      for (int i = 0; i < count; i++) {
        locate(indices[i]);
        System.arraycopy(found.array(), index, target, i, 1);
        count(indices[i], 1);
      }
    }

    @Override
    public void gatherValidity(long[] indices, int count, byte[] target) {
      for (int i = 0; i < count; i++) {
        locate(indices[i]);
        target[i] = (byte) (found.isNull(index) ? 0 : 1);
      }
    }
  }
}

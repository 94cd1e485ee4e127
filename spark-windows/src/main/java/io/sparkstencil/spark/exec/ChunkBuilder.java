/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import io.sparkstencil.segment.Halo;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts the rows of a task into chunks, so that memory depends on the frame and not on the rows.
 *
 * <p>Runs of a series that is cut have at least {@link StagePlan#reach()} cells on both sides of
 * the cut: each neighbour's halo then lies in one run, and the rules at the ends of a series find
 * the cells that they need in its first and its last run.
 */
public final class ChunkBuilder {
  /** Enough that the cost per chunk does not count, few enough to stay in the cache. */
  private static final int CHUNK_CELLS = 1 << 15;

  /** Wide frames get longer chunks, up to this, so that halos stay a small part. */
  private static final int MOST_CHUNK_CELLS = 1 << 22;

  private final StagePlan plan;
  private final int reach;
  private final int limit;
  private final boolean wholeSeries;
  private List<SeriesChunk.Run> runs = new ArrayList<>();
  private CellColumn[] columns;
  private int openFrom; // first row of the series that goes on
  private List<Halo> before; // cells before that row, or null if its series starts there

  /**
   * Creates a builder.
   *
   * @param plan what is staged
   * @param wholeSeries whether a series must not be cut
   */
  public ChunkBuilder(StagePlan plan, boolean wholeSeries) {
    this.plan = plan;
    this.reach = plan.reach();
    int wide = Math.max(reach, Math.min(8 * reach, MOST_CHUNK_CELLS));
    this.limit = Math.max(CHUNK_CELLS, wide) + reach;
    this.wholeSeries = wholeSeries;
    this.columns = newColumns();
  }

  private CellColumn[] newColumns() {
    CellColumn[] made = new CellColumn[plan.columns().size()];
    for (int i = 0; i < made.length; i++) {
      made[i] = new CellColumn(plan.columns().get(i).type(), Math.min(limit, 2 * CHUNK_CELLS));
    }
    return made;
  }

  /** Returns the staged columns, to which the caller adds one cell each per row. */
  public CellColumn[] columns() {
    return columns;
  }

  /** Returns the rows that have been added and not yet cut off. */
  public int rows() {
    return columns[0].length();
  }

  /** Returns the rows that can be added before {@link #cutPoint} says where to cut. */
  public int room() {
    return Math.max(0, limit - rows());
  }

  /** Says that the rows added next belong to another series. */
  public void endSeries() {
    if (rows() > openFrom) {
      runs.add(new SeriesChunk.Run(openFrom, rows() - openFrom, before, null));
    }
    openFrom = rows();
    before = null;
  }

  /**
   * Returns how many rows are to be cut off now, or 0 to go on adding rows.
   *
   * @param crowded whether the rows take much memory, so that fewer should wait
   */
  public int cutPoint(boolean crowded) {
    int rows = rows();
    if (openFrom >= CHUNK_CELLS || (crowded && openFrom > 0)) {
      return openFrom; // whole series need not wait for the rows that wide frames want
    }
    if (rows < limit && !(crowded && rows >= 2 * reach)) {
      return 0;
    }
    boolean inSeries = !wholeSeries && rows - openFrom >= 2 * reach;
    return inSeries ? rows - reach : openFrom;
  }

  /** Cuts off the first {@code at} rows, as {@link #cutPoint} said. */
  public <P> SeriesChunk<P> cut(int at, P payload) {
    CellColumn[] cutColumns = columns;
    List<SeriesChunk.Run> cutRuns = runs;
    int rest = rows() - at;
    columns = newColumns();
    runs = new ArrayList<>();
    for (int i = 0; i < columns.length; i++) {
      columns[i].addAll(cutColumns[i], at, rest);
    }
    if (at > openFrom) {
      cutRuns.add(
          new SeriesChunk.Run(
              openFrom, at - openFrom, before, halos(cutColumns, at, plan.right())));
      before = halos(cutColumns, at - plan.left(), plan.left());
    }
    openFrom = 0;
    return new SeriesChunk<>(payload, at, cutRuns, cutColumns);
  }

  /** Cuts off all rows, after the last series has ended. */
  public <P> SeriesChunk<P> finish(P payload) {
    endSeries();
    return cut(rows(), payload);
  }

  private static List<Halo> halos(CellColumn[] from, int at, int count) {
    List<Halo> halos = new ArrayList<>();
    for (CellColumn column : from) {
      halos.add(column.halo(at, count));
    }
    return halos;
  }
}

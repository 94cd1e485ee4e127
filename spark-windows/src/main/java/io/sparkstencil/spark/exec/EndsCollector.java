/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import java.util.ArrayList;
import java.util.List;

/** Keeps the first and the last cells of a partition while its cells go by in order. */
public final class EndsCollector {
  private static final int BUFFER_CELLS = 4096;

  private final StagePlan plan;
  private final int reach;
  private final CellColumn[] heads;
  private CellColumn[] recent;
  private long cells;

  /** Creates a collector for the staged columns of a plan. */
  public EndsCollector(StagePlan plan) {
    this.plan = plan;
    this.reach = plan.reach();
    this.heads = newColumns();
    this.recent = newColumns();
  }

  private CellColumn[] newColumns() {
    return plan.columns().stream()
        .map(column -> new CellColumn(column.type(), BUFFER_CELLS))
        .toArray(CellColumn[]::new);
  }

  /** Returns the columns to which the caller adds cells, the same number to each. */
  public CellColumn[] columns() {
    return recent;
  }

  /**
   * Returns how many of the next {@code count} cells of each column need not be added, which are
   * the first of them; they are counted.
   */
  public int skipped(int count) {
    boolean isBegun = heads[0].length() == reach;
    int skipped = isBegun ? Math.max(0, count - reach) : 0;
    cells += skipped;
    return skipped;
  }

  /** Says that {@code count} cells have been added to each column. */
  public void added(int count) {
    int length = recent[0].length();
    for (int c = 0; c < recent.length; c++) {
      int missing = Math.min(count, reach - heads[c].length());
      if (missing > 0) {
        heads[c].addAll(recent[c], length - count, missing);
      }
    }
    cells += count;
    if (length > BUFFER_CELLS + 2L * reach) {
      recent = last(recent, BUFFER_CELLS);
    }
  }

  /** Returns the last cells of each column, as far as reach, with room for {@code room}. */
  private CellColumn[] last(CellColumn[] columns, int room) {
    CellColumn[] last = new CellColumn[columns.length];
    for (int c = 0; c < columns.length; c++) {
      int count = Math.min(reach, columns[c].length());
      last[c] = new CellColumn(columns[c].type(), Math.max(room, count));
      last[c].addAll(columns[c], columns[c].length() - count, count);
    }
    return last;
  }

  /** Returns what the partition's neighbours may need, without room for more: it is sent. */
  public PartitionEnds ends() {
    return new PartitionEnds(
        cells, new ArrayList<>(List.of(last(heads, 0))), new ArrayList<>(List.of(last(recent, 0))));
  }
}

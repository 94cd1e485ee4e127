/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.error.Cancellation;
import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.exec.CellColumn;
import java.util.List;

/**
 * A place in rows that come only once. What the first of several cursors reads is kept for those
 * behind it, slice by slice, and goes with the last of them:
 *
 * <pre>
 *   [ slice ] -> [ slice ] -> [ slice ] ->  rows that no cursor has read
 *        ^ a cursor                ^ another, which is ahead
 * </pre>
 */
public final class PassedRows implements SeriesCursor {
  private static final int MOST_ROWS = 4096;

  private final Origin origin;
  private final int endUnit;
  private Slice slice;
  private int at; // next row of the slice

  /** Where rows come from, and the columns that are kept. */
  private record Origin(CellRows rows, List<ColumnarLayout.Source> sources) {
    /** Reads the next rows; null after the last. */
    Slice next() {
      Cancellation.ask();
      int count = (int) Math.min(MOST_ROWS, rows.remaining());
      if (count == 0) {
        return null;
      }
      CellColumn[] columns =
          sources.stream().map(each -> new CellColumn(each.to(), count)).toArray(CellColumn[]::new);
      rows.read(count, sources, columns);
      return new Slice(columns, count, rows.unit());
    }
  }

  /** Rows of one unit that were read together. */
  private static final class Slice {
    private final CellColumn[] columns;
    private final int rows;
    private final int unit;
    private Slice next; // null if it has not been read

    Slice(CellColumn[] columns, int rows, int unit) {
      this.columns = columns;
      this.rows = rows;
      this.unit = unit;
    }
  }

  private PassedRows(Origin origin, int endUnit, Slice slice, int at) {
    this.origin = origin;
    this.endUnit = endUnit;
    this.slice = slice;
    this.at = at;
  }

  /**
   * Begins before the first row.
   *
   * @param sources the columns that are read
   */
  public static PassedRows of(CellRows rows, List<ColumnarLayout.Source> sources) {
    Slice none = new Slice(new CellColumn[0], 0, -1);
    return new PassedRows(new Origin(rows, sources), Integer.MAX_VALUE, none, 0);
  }

  @Override
  public PassedRows copy() {
    return new PassedRows(origin, endUnit, slice, at);
  }

  /** Returns another cursor, at the same place, whose rows end with those of a unit. */
  PassedRows until(int unit) {
    return new PassedRows(origin, unit, slice, at);
  }

  /** Returns the rest of the slice, or the next one; 0 after the last. */
  @Override
  public long remaining() {
    if (at == slice.rows) {
      if (slice.next == null) {
        slice.next = origin.next();
      }
      if (slice.next == null || slice.next.unit >= endUnit) {
        return 0;
      }
      slice = slice.next;
      at = 0;
    }
    return (long) slice.rows - at;
  }

  @Override
  public int unit() {
    return slice.unit;
  }

  /** Passes over rows. */
  void skip(long count) {
    for (long left = count; left > 0; ) {
      int rows = next(left);
      at += rows;
      left -= rows;
    }
  }

  /** Returns how many rows, at most so many, come next in a slice. */
  private int next(long most) {
    int rows = (int) Math.min(most, remaining());
    if (rows == 0) {
      throw new IllegalStateException("rows are missing that were counted before");
    }
    return rows;
  }

  @Override
  public void read(int count, List<ColumnarLayout.Source> sources, CellColumn[] to) {
    for (int left = count; left > 0; ) {
      int rows = next(left);
      for (int c = 0; c < to.length; c++) {
        if (to[c] != null) {
          to[c].addAll(slice.columns[c], at, rows);
        }
      }
      at += rows;
      left -= rows;
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.catalyst.columns.TextMemory;
import java.util.List;

/** A range of one series, of columns of fixed width, whose own units have others beside them. */
public final class UnitsSpan implements OrderedSeries {
  private final int left;
  private final int own;
  private final long skipped;
  private final boolean looksBack;
  private final CellRows rows;
  private final List<ColumnarLayout.Source> sources;
  private PassedRows reader; // null before the series
  private PassedRows framed; // where frames begin, until someone asks; null if at the reader
  private long before;

  /**
   * Begins before the series.
   *
   * @param sources the columns that are read
   * @param left how many units come before the own ones
   * @param own how many own units there are
   * @param skipped how many of the first rows no frame needs
   * @param looksBack whether Spark looks at the frames of rows before the own ones
   */
  public UnitsSpan(
      CellRows rows,
      List<ColumnarLayout.Source> sources,
      int left,
      int own,
      long skipped,
      boolean looksBack) {
    this.left = left;
    this.own = own;
    this.skipped = skipped;
    this.looksBack = looksBack;
    this.rows = rows;
    this.sources = sources;
  }

  @Override
  public boolean nextSeries() {
    if (reader != null) {
      return false;
    }
    PassedRows next = PassedRows.of(rows, sources);
    next.skip(skipped);
    PassedRows first = next.copy();
    for (long some = next.remaining(); some > 0 && next.unit() < left; some = next.remaining()) {
      next.skip(some);
      before += some;
    }
    framed = before > 0 ? first : null;
    reader = next.until(left + own);
    return reader.remaining() > 0;
  }

  @Override
  public PassedRows reader() {
    return reader;
  }

  @Override
  public FramedRows framed() {
    PassedRows first = framed == null ? reader.until(Integer.MAX_VALUE) : framed;
    framed = null; // or it would keep all rows from there on
    return new FramedRows(first, Math.toIntExact(before), looksBack);
  }

  @Override
  public TextMemory texts() {
    return null;
  }
}

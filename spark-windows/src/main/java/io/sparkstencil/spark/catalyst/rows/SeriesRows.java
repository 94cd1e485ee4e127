/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import java.util.Comparator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import scala.collection.Iterator;

/** Rows that are sorted by their series' keys and within their series. */
public final class SeriesRows implements RowSource {
  private final Iterator<? extends InternalRow> rows;
  private final Comparator<InternalRow> keys;
  private UnsafeRow row;
  private UnsafeRow first; // copy of the first row of the series
  private boolean starts;

  /**
   * Creates the source.
   *
   * @param rows unsafe rows
   * @param keys the order of the series' keys, or null if all rows are one series
   */
  public SeriesRows(Iterator<? extends InternalRow> rows, Comparator<InternalRow> keys) {
    this.rows = rows;
    this.keys = keys;
  }

  @Override
  public boolean advance() {
    if (!rows.hasNext()) {
      return false;
    }
    row = (UnsafeRow) rows.next();
    if (keys != null) {
      starts = first != null && keys.compare(first, row) != 0;
      if (starts || first == null) {
        first = row.copy();
      }
    }
    return true;
  }

  @Override
  public UnsafeRow row() {
    return row;
  }

  @Override
  public boolean startsSeries() {
    return starts;
  }
}

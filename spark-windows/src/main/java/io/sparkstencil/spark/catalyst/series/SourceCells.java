/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.catalyst.rows.CellReader;
import io.sparkstencil.spark.catalyst.rows.RowSource;
import io.sparkstencil.spark.exec.CellColumn;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** The cells of rows of columns of fixed width that come one by one. */
final class SourceCells implements CellRows {
  private final RowSource rows;
  private final SeriesLayout layout;
  private long remaining;

  SourceCells(RowSource rows, long count, SeriesLayout layout) {
    this.rows = rows;
    this.remaining = count;
    this.layout = layout;
  }

  @Override
  public long remaining() {
    return remaining;
  }

  @Override
  public void read(int count, List<ColumnarLayout.Source> sources, CellColumn[] to) {
    for (int i = 0; i < count; i++) {
      if (!rows.advance()) {
        throw new IllegalStateException("rows are missing that were counted before");
      }
      UnsafeRow row = rows.row();
      for (int c = 0; c < to.length; c++) {
        if (to[c] != null) {
          append(row, sources.get(c).ordinal(), to[c]);
        }
      }
    }
    remaining -= count;
  }

  private void append(UnsafeRow row, int field, CellColumn to) {
    if (field == CellReader.ROW) {
      to.add(1L);
    } else if (row.isNullAt(field)) {
      to.addNull();
    } else {
      long at = row.getBaseOffset() + (long) (layout.nullWords() + field) * Long.BYTES;
      WordCells.append(row.getBaseObject(), at, 1, layout.word(field), to);
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.catalyst.columns.HeldTexts;
import io.sparkstencil.spark.catalyst.columns.Texts;
import io.sparkstencil.spark.catalyst.columns.WordType;
import io.sparkstencil.spark.catalyst.rows.CellReader;
import io.sparkstencil.spark.exec.CellColumn;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import scala.collection.Iterator;

/** The cells of rows that come one by one, of columns of fixed width and texts. */
public final class SourceCells implements CellRows {
  private final Iterator<? extends InternalRow> rows;
  private final int nullBytes;
  private final HeldTexts texts; // null if none are read
  private long remaining;

  /**
   * Begins before the first row.
   *
   * @param rows binary rows, each valid until the next is asked for
   * @param count how many there are
   * @param fields how many columns they have
   * @param texts takes the texts that are read, one of each row and column; null if none are
   */
  public SourceCells(
      Iterator<? extends InternalRow> rows, long count, int fields, HeldTexts texts) {
    this.rows = rows;
    this.remaining = count;
    this.nullBytes = UnsafeRow.calculateBitSetWidthInBytes(fields);
    this.texts = texts;
  }

  @Override
  public long remaining() {
    return remaining;
  }

  @Override
  public void read(int count, List<ColumnarLayout.Source> sources, CellColumn[] to) {
    for (int i = 0; i < count; i++) {
      if (!rows.hasNext()) {
        throw new IllegalStateException("rows are missing that were counted before");
      }
      UnsafeRow row = (UnsafeRow) rows.next();
      for (int c = 0; c < to.length; c++) {
        if (to[c] != null) {
          append(row, sources.get(c), to[c]);
        }
      }
    }
    remaining -= count;
  }

  private void append(UnsafeRow row, ColumnarLayout.Source source, CellColumn to) {
    int field = source.ordinal();
    if (field == CellReader.ROW) {
      to.add(1L);
    } else if (Texts.liesApart(source.from())) {
      appendText(row, source, to);
    } else if (row.isNullAt(field)) {
      to.addNull();
    } else {
      long at = row.getBaseOffset() + nullBytes + (long) field * Long.BYTES;
      WordCells.append(row.getBaseObject(), at, 1, WordType.kept(source.from()), to);
    }
  }

  private void appendText(UnsafeRow row, ColumnarLayout.Source source, CellColumn to) {
    boolean isNull = row.isNullAt(source.ordinal());
    long place = texts.add(isNull ? null : row.getUTF8String(source.ordinal()));
    if (isNull) {
      to.addNull();
    } else {
      to.add(place);
    }
  }
}

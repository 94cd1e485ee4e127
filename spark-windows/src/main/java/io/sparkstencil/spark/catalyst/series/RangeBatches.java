/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.catalyst.rows.EmittedRows;
import io.sparkstencil.spark.exec.ChunkBuilder;
import io.sparkstencil.spark.exec.SeriesChunk;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** Cuts a range of one series, of columns of fixed width, into chunks. */
public final class RangeBatches implements Iterator<SeriesChunk<EmittedRows>> {
  private final RangeUnits rows;
  private final ColumnarLayout layout;
  private final ChunkBuilder builder;
  private boolean ended;

  /**
   * Cuts a range.
   *
   * @param rows its rows
   * @param layout which columns are staged
   */
  public RangeBatches(RangeUnits rows, ColumnarLayout layout) {
    this.rows = rows;
    this.layout = layout;
    this.builder = new ChunkBuilder(layout.plan(), false);
  }

  @Override
  public boolean hasNext() {
    return !ended;
  }

  @Override
  public SeriesChunk<EmittedRows> next() {
    if (ended) {
      throw new NoSuchElementException();
    }
    for (long left = rows.remaining(); left > 0; left = rows.remaining()) {
      int count = (int) Math.min(Math.max(1, builder.room()), left);
      rows.read(count, layout.sources(), builder.columns());
      int at = builder.cutPoint(false);
      if (at > 0) {
        return builder.cut(at, EmittedRows.of(at, 0, at));
      }
    }
    ended = true;
    int all = builder.rows();
    return builder.finish(EmittedRows.of(all, 0, all));
  }
}

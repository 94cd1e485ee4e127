/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.exec.CellColumn;
import java.util.List;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;

/** The cells of batches of columns of fixed width, whose rows are in order. */
public final class BatchCells implements CellRows {
  private final Iterator<ColumnarBatch> batches;
  private ColumnarBatch batch; // null before the first
  private int rows; // of it: readers of files take them out of it when they are asked for another
  private int next; // row of it

  /**
   * Begins before the first row.
   *
   * @param batches each valid until the next is asked for
   */
  public BatchCells(Iterator<ColumnarBatch> batches) {
    this.batches = batches;
  }

  /** Returns how many rows of a batch have not been read; 0 after the last. */
  @Override
  public long remaining() {
    while (next == rows) {
      if (!batches.hasNext()) {
        return 0;
      }
      batch = batches.next();
      rows = batch.numRows();
      next = 0;
    }
    return (long) rows - next;
  }

  @Override
  public void read(int count, List<ColumnarLayout.Source> sources, CellColumn[] to) {
    ColumnarLayout.read(batch, next, count, sources, to);
    next += count;
  }
}

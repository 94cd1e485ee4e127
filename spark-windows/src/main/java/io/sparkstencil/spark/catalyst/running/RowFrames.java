/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/** Rows with the results of frames that end with the row itself. */
final class RowFrames extends AbstractIterator<InternalRow> {
  private final Iterator<InternalRow> rows;
  private final FrameBuffers frames;

  RowFrames(Iterator<InternalRow> rows, FrameBuffers frames) {
    this.rows = rows;
    this.frames = frames;
  }

  @Override
  public boolean hasNext() {
    return rows.hasNext();
  }

  @Override
  public InternalRow next() {
    UnsafeRow row = (UnsafeRow) rows.next();
    frames.update(row);
    return frames.join(row, frames.results());
  }
}

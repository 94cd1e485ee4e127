/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import io.sparkstencil.error.Cancellation;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.collection.AbstractIterator;

/** The rows of a source, one after the other; each is there until the next is asked for. */
public final class SourceRows extends AbstractIterator<InternalRow> {
  private static final int ROWS_PER_QUESTION = 64;

  private final RowSource source;
  private int taken;
  private boolean ready; // whether the source is at a row that has not been returned
  private boolean ended;

  /** Iterates over a source, all of whose rows belong to the result. */
  public SourceRows(RowSource source) {
    this.source = source;
  }

  @Override
  public boolean hasNext() {
    if (!ready && !ended) {
      if ((++taken & (ROWS_PER_QUESTION - 1)) == 0) {
        Cancellation.ask();
      }
      ready = source.advance();
      ended = !ready;
    }
    return ready;
  }

  @Override
  public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    ready = false;
    return source.row();
  }
}

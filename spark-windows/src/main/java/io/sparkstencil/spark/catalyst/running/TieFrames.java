/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.RepeatableSeries;
import java.util.Comparator;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.ExternalAppendOnlyUnsafeRowArray;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * Rows with the results of frames that end with the last row that ties. Rows that tie wait for it,
 * on disk where they are many.
 */
final class TieFrames extends AbstractIterator<InternalRow> {
  private final Iterator<InternalRow> rows;
  private final FrameBuffers frames;
  private final Comparator<InternalRow> order;
  private final UnsafeRow first; // copy of the first of the rows that tie
  private UnsafeRow ahead; // the row after them, or null
  private ExternalAppendOnlyUnsafeRowArray ties; // made when the first rows tie
  private Iterator<UnsafeRow> waiting = ScalaInterop.noElements();
  private UnsafeRow results; // of the rows that wait

  /**
   * Creates the rows.
   *
   * @param rows in order, each valid until the next is asked for
   * @param fields how many columns they have
   */
  TieFrames(
      Iterator<InternalRow> rows, FrameBuffers frames, Comparator<InternalRow> order, int fields) {
    this.rows = rows;
    this.frames = frames;
    this.order = order;
    this.first = UnsafeRow.createFromByteArray(64, fields);
  }

  @Override
  public boolean hasNext() {
    return waiting.hasNext() || ahead != null || rows.hasNext();
  }

  @Override
  public InternalRow next() {
    if (waiting.hasNext()) {
      return frames.join(waiting.next(), results);
    } else if (!hasNext()) {
      throw new NoSuchElementException();
    }
    first.copyFrom(ahead == null ? (UnsafeRow) rows.next() : ahead);
    frames.update(first);
    moveAhead();
    if (!ties()) {
      return frames.join(first, frames.results());
    }
    collectTies();
    results = frames.results();
    waiting = ties.generateIterator();
    return frames.join(waiting.next(), results);
  }

  private void moveAhead() {
    ahead = rows.hasNext() ? (UnsafeRow) rows.next() : null;
  }

  private boolean ties() {
    return ahead != null && order.compare(first, ahead) == 0;
  }

  private void collectTies() {
    if (ties == null) {
      ties = RepeatableSeries.buffer();
    }
    ties.clear();
    ties.add(first);
    while (ties()) {
      frames.update(ahead);
      ties.add(ahead);
      moveAhead();
    }
  }
}

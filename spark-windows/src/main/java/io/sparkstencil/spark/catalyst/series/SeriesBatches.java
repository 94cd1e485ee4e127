/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.exec.ChunkBuilder;
import io.sparkstencil.spark.exec.SeriesChunk;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Cuts series that have been collected as columns into chunks, whose columns hold all of theirs.
 *
 * @param <P> what is kept for the rows of a chunk
 */
public final class SeriesBatches<P> implements Iterator<SeriesChunk<P>> {
  /**
   * How series are cut into parts, each of which is computed as a series of its own, and what is
   * kept for their rows. Used by one thread.
   *
   * @param <P> what is kept for the rows of a chunk
   */
  public interface Parts<P> {
    /** Begins with a series, none of whose rows has been read; returns the rows of its parts. */
    long[] begin(SeriesColumns series);

    /** Returns what is kept for the next {@code rows} rows. */
    P cut(int rows);
  }

  private final SeriesColumns series;
  private final ColumnarLayout layout;
  private final ChunkBuilder builder;
  private final boolean wholeSeries;
  private final Parts<P> parts;
  private long[] rowsOfParts = new long[0]; // of the series
  private int next; // of these
  private long remaining; // rows of the part
  private boolean ended;

  /**
   * Cuts series.
   *
   * @param series released after the last chunk, unless they have texts: those are still to be
   *     read, and the caller releases them
   * @param layout which columns are staged
   * @param wholeSeries whether a series must not be cut
   * @param parts what is computed as a series of its own, and what is kept for it
   */
  public SeriesBatches(
      SeriesColumns series, ColumnarLayout layout, boolean wholeSeries, Parts<P> parts) {
    this.series = series;
    this.layout = layout;
    this.builder = new ChunkBuilder(layout.plan(), wholeSeries);
    this.wholeSeries = wholeSeries;
    this.parts = parts;
  }

  @Override
  public boolean hasNext() {
    return !ended;
  }

  @Override
  public SeriesChunk<P> next() {
    if (ended) {
      throw new NoSuchElementException();
    }
    while (remaining > 0 || nextPart()) {
      long most = wholeSeries ? Integer.MAX_VALUE : Math.max(1, builder.room());
      int count = (int) Math.min(most, remaining);
      series.reader().read(count, layout.sources(), builder.columns());
      remaining -= count;
      int at = builder.cutPoint(false);
      if (at > 0) {
        return builder.cut(at, parts.cut(at));
      }
    }
    ended = true;
    if (!series.hasTexts()) {
      series.release();
    }
    return builder.finish(parts.cut(builder.rows()));
  }

  private boolean nextPart() {
    builder.endSeries(); // of no rows before the first, which is none
    if (next == rowsOfParts.length) {
      if (!series.nextSeries()) {
        return false;
      }
      rowsOfParts = parts.begin(series);
      next = 0;
    }
    remaining = rowsOfParts[next++];
    return true;
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.catalyst.columns.OrderedBatches;
import io.sparkstencil.spark.exec.ChunkBuilder;
import io.sparkstencil.spark.exec.SeriesChunk;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.LongConsumer;

/**
 * Cuts series that have been collected as columns into chunks, whose columns hold all of theirs.
 */
public final class SeriesBatches implements Iterator<SeriesChunk<OrderedBatches.Emitted>> {
  private final SeriesColumns series;
  private final ColumnarLayout layout;
  private final ChunkBuilder builder;
  private final boolean wholeSeries;
  private final RowSpan own;
  private final LongConsumer sortNanos;
  private long cut; // rows cut off in all
  private boolean ended;

  /**
   * Cuts series.
   *
   * @param series released after the last chunk, unless they have texts: those are still to be
   *     read, and the caller releases them
   * @param layout which columns are staged
   * @param wholeSeries whether a series must not be cut
   * @param own the rows that the result has
   * @param sortNanos takes the time of sorting, after the last chunk
   */
  public SeriesBatches(
      SeriesColumns series,
      ColumnarLayout layout,
      boolean wholeSeries,
      RowSpan own,
      LongConsumer sortNanos) {
    this.series = series;
    this.layout = layout;
    this.builder = new ChunkBuilder(layout.plan(), wholeSeries);
    this.wholeSeries = wholeSeries;
    this.own = own;
    this.sortNanos = sortNanos;
  }

  @Override
  public boolean hasNext() {
    return !ended;
  }

  @Override
  public SeriesChunk<OrderedBatches.Emitted> next() {
    if (ended) {
      throw new NoSuchElementException();
    }
    while (series.remaining() > 0 || nextSeries()) {
      long most = wholeSeries ? Integer.MAX_VALUE : Math.max(1, builder.room());
      int count = (int) Math.min(most, series.remaining());
      series.read(count, layout.sources(), builder.columns());
      int at = builder.cutPoint(false);
      if (at > 0) {
        return builder.cut(at, emitted(at));
      }
    }
    ended = true;
    sortNanos.accept(series.sortNanos());
    if (!series.hasTexts()) {
      series.release();
    }
    return builder.finish(emitted(builder.rows()));
  }

  /** Returns which of the next {@code at} rows the result has. */
  private OrderedBatches.Emitted emitted(int at) {
    OrderedBatches.Emitted emitted =
        OrderedBatches.Emitted.of(at, own.before() - cut, own.end() - cut);
    cut += at;
    return emitted;
  }

  private boolean nextSeries() {
    builder.endSeries(); // of no rows before the first, which is none
    return series.nextSeries();
  }
}

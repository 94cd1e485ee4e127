/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

/**
 * How series are cut into parts, each of which is computed as a series of its own, and what is kept
 * for their rows. Used by one thread.
 *
 * @param <P> what is kept for the rows of a chunk
 */
public interface SeriesParts<P> {
  /** Begins with a series, none of whose rows has been read; returns the rows of its parts. */
  long[] begin(SeriesColumns series);

  /** Returns what is kept for the next {@code rows} rows. */
  P cut(int rows);
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.pipeline;

import io.sparkstencil.cells.CellSink;

/**
 * The results of one item whose segments do not keep them: after {@link #begin}, segment by segment
 * in the order in which the source added them. Results are counted as cells of the segment are.
 */
public interface ItemResults {
  /** Goes before the first segment of a staging. */
  void begin(int staging);

  /** Goes to the next segment and returns its length, or returns the source's next note. */
  int next();

  /** Returns the index of the first result that {@link #validity} and {@link #copy} know. */
  int firstResult();

  /**
   * Returns validity bytes for the results of the segment, 1 for a result and 0 for null, from
   * {@link #firstResult} on; null if no result is null. Valid until the next call.
   */
  byte[] validity(int output);

  /** Hands {@code count} results of stencil {@code output} from {@code from} on to {@code sink}. */
  void copy(int output, int from, int count, CellSink sink);
}

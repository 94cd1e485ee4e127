/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.error.Cancellation;

/**
 * Parts the cells of frames into pieces, and asks from piece to piece whether the work is wanted.
 * Frames are as wide as their series, and one batch has thousands of them. Used by one thread.
 */
final class AskedCells {
  /** The most cells of a piece. */
  private static final int PIECE = 1 << 14;

  private int left = PIECE; // cells until the next question

  /** Returns the end of the next piece of cells {@code [from, until)}. */
  int piece(int from, int until) {
    int cells = Math.min(until - from, PIECE);
    left -= cells;
    if (left < 0) {
      Cancellation.ask();
      left = PIECE;
    }
    return from + cells;
  }
}

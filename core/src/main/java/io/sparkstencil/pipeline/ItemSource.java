/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.pipeline;

/**
 * How an entry finds the cells of what comes in.
 *
 * @param <I> what comes in: rows, chunks of rows, arrays
 * @param <K> what is kept of it until its results are there
 */
@FunctionalInterface
public interface ItemSource<I, K> {
  /**
   * Adds the segments of {@code item} to {@code cells}, and returns what is kept of it. Segments
   * that keep no results may be pointed elsewhere at the next call.
   */
  K read(I item, ItemCells cells);
}

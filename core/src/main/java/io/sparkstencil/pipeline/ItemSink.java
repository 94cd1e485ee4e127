/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.pipeline;

/**
 * How an entry makes what comes out.
 *
 * @param <K> what was kept of an item
 * @param <O> what comes out
 */
@FunctionalInterface
public interface ItemSink<K, O> {
  /**
   * Returns what comes out for an item whose results are there: in its segments, if these keep
   * them, otherwise in {@code results}, which are valid during this call.
   */
  O write(K kept, ItemResults results);
}

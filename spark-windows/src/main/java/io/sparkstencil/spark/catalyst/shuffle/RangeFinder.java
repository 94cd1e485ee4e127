/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

/** What the map tasks of a shuffle by ranges find out about each range on the way. */
public interface RangeFinder {
  /**
   * Returns routers that find it; {@code routers} as they are, where that would be too much.
   *
   * @param maps how many map tasks there are
   * @param ranges how many ranges there are
   */
  RowRouter.Factory finding(RowRouter.Factory routers, int maps, int ranges);
}

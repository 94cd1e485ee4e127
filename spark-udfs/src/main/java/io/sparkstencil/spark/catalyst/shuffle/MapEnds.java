/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import java.io.Serializable;
import java.util.List;

/**
 * What one map task found of each range while it wrote its rows.
 *
 * @param map the partition that the task read; a task that runs again finds the same
 * @param ranges the ends of each range, null where the task has no rows of it
 */
record MapEnds(int map, List<Range> ranges) implements Serializable {

  /**
   * The ends of the rows of a range that a task wrote.
   *
   * @param rows how many rows
   * @param heads the first of them, a batch of narrow rows
   * @param tails the last of them, a batch of narrow rows
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Range(long rows, byte[] heads, byte[] tails) implements Serializable {}
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.exec.CellColumn;
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
   * @param heads the first of them
   * @param tails the last of them, in order
   */
  record Range(long rows, Rows heads, Rows tails) implements Serializable {}

  /**
   * Rows as far as the exchange needs them, in order.
   *
   * @param nullKeys how many of them, which are the first, have no key
   * @param keys their keys, 0 for none
   * @param values their values, for each value column
   */
  record Rows(int nullKeys, CellColumn keys, List<CellColumn> values) implements Serializable {}
}

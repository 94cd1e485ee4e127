/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.shuffle.OpenRows;
import java.io.Serializable;

/** Says, within one map task, where the rows of batches go. */
public interface ColumnRouter {
  /** Writes the partition of each row to {@code targets}. */
  void route(WordBatch batch, int[] targets);

  /** Shows the rows of a partition that are about to be written together. */
  default void writes(int partition, OpenRows rows) {}

  /**
   * Says that there are no more rows and all have been written; called once, and not if the task
   * fails before.
   */
  default void finish() {}

  /** Makes the router of the task that reads partition {@code map}. */
  interface Factory extends Serializable {
    ColumnRouter create(int map);
  }
}

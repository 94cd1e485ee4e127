/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import java.io.Serializable;

/** Says, within one map task, where the rows of batches go. */
public interface ColumnRouter {
  /** Writes the partition of each row to {@code targets}. */
  void route(WordBatch batch, int[] targets);

  /** Says that there are no more rows; called once, and not if the task fails before. */
  default void finish() {}

  /** Makes the router of the task that reads partition {@code map}. */
  interface Factory extends Serializable {
    ColumnRouter create(int map);
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** Says, within one map task, where rows go. */
public interface RowRouter {
  /** Returns the partition of a row. */
  int target(UnsafeRow row);

  /** Shows the rows of a partition that are about to be written together. */
  default void writes(int partition, OpenRows rows) {}

  /**
   * Says that the task has no more rows and has written all; called once, and not if the task fails
   * before.
   */
  default void finish() {}

  /** Makes the router of the task that reads partition {@code map}. */
  interface Factory extends Serializable {
    RowRouter create(int map);
  }
}

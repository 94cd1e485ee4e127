/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import org.apache.spark.sql.execution.SparkPlan;

/** An operator over series, which may be given by keys. */
interface SeriesOperator {
  /** Returns the keys of the series and their order. */
  SeriesOrder order();

  /** Tells whether this operator brings the rows of series together by itself. */
  boolean isShuffling();

  /** Tells whether all rows are one series that this operator spreads by ranges of its order. */
  default boolean isSpreading() {
    return false;
  }

  /** Tells whether this operator could bring the rows of series together by itself. */
  boolean canShuffle();

  /** Returns this operator over rows of any distribution, which it brings together by itself. */
  SparkPlan shuffling(SparkPlan newChild);

  /**
   * Returns this operator, which shuffles or spreads by itself, over the columns of a child.
   *
   * @param cutting whether a series may come out in several partitions
   */
  SparkPlan overColumns(SparkPlan columns, boolean cutting);
}

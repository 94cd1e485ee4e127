/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

/** How the rows of series given by keys are brought together. */
public enum SeriesWay {
  /** Below the operator. */
  TOGETHER,
  /** By the operator; rows come out, unless {@link SeriesColumnsRule} finds that columns do. */
  ROWS,
  /** By the operator, as columns, which are its output as well. */
  COLUMNS,
  /** As {@link #COLUMNS}, but a long series may be cut into ranges, in partitions of their own. */
  RANGES;

  /** Tells whether the operator brings rows together by itself. */
  boolean isShuffling() {
    return this != TOGETHER;
  }

  boolean isColumns() {
    return this == COLUMNS || this == RANGES;
  }

  /** Returns in words what comes in and what goes on, for plans. */
  static String text(boolean fromColumns, boolean toColumns) {
    return " (series from %s to %s)"
        .formatted(fromColumns ? "columns" : "rows", toColumns ? "columns" : "rows");
  }
}

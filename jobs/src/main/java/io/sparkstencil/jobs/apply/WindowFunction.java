/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

/** What a window of Spark's computes from a column. */
enum WindowFunction {
  MEAN("avg(%1$s) OVER %2$s"),
  SUM("sum(%1$s) OVER %2$s"),
  MIN("min(%1$s) OVER %2$s"),
  MAX("max(%1$s) OVER %2$s"),
  COUNT("count(%1$s) OVER %2$s"),
  /** Null where all values of the frame are equal. */
  ZSCORE("(%1$s - avg(%1$s) OVER %2$s) / nullif(stddev(%1$s) OVER %2$s, 0)");

  private final String text;

  WindowFunction(String text) {
    this.text = text;
  }

  /**
   * Returns the expression of SQL.
   *
   * @param column the column that is read
   * @param window its window, in parentheses
   */
  String sql(String column, String window) {
    return text.formatted(WindowFrame.quoted(column), window);
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** Rows of one partition that are about to be written together, row by row or column by column. */
public interface OpenRows {
  /** Returns how many there are. */
  int rows();

  /** Returns a word of a row, as Spark's binary rows have it; of texts and the like, any word. */
  long word(int word, int row);

  /**
   * Points {@code target} to a row. Where rows lie column by column, it is there until the next is
   * asked for, and has no texts.
   */
  void point(UnsafeRow target, int row);
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.arrays;

/**
 * The results of one row: after {@link #begin}, the arrays of an operation in the order in which
 * its input's were read. Of each leaf, {@link #validity} is asked first, if at all, and {@link
 * #copyLeaf} once.
 */
public interface ArrayResults {
  /** Goes to the first array of operation {@code operation}, counted as planned. */
  void begin(int operation);

  /** Returns the length of the next array of the input, or {@link ArrayRow#NULL}. */
  int nextArray();

  /** Returns the results that a leaf of {@code cells} cells has. */
  int resultLength(int cells);

  /**
   * Returns validity bytes, 1 for a result and 0 for null, or null if no result of this leaf is
   * null. The first result's byte is at {@link #firstResult}; valid until the next call.
   */
  byte[] validity(int cells);

  /** Returns the index of the first result in {@link #validity}. */
  int firstResult();

  /** Copies the results of a leaf of {@code cells} cells to {@code offset} on and moves on. */
  void copyLeaf(int cells, Object target, long offset);
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cells;

/**
 * Where the cells of a run lie, as an entry into the pipeline has them: on the heap, at an address,
 * in a column. Cells are copied as the element type of the buffer or array that takes them. Used by
 * one thread.
 */
public interface CellSource {
  /** Returns the number of cells. */
  long length();

  /** Tells whether any cell is null. */
  boolean hasNulls();

  /** Copies cells {@code [from, from + count)} to cell {@code at} of {@code target} on. */
  void copy(long from, int count, CellBuffer target, int at);

  /** Copies the cells at the first {@code count} indices to the start of a primitive array. */
  void gather(long[] indices, int count, Object target);

  /** Copies 1 for each cell and 0 for each null; asked only of a source that has nulls. */
  void copyValidity(long from, int count, CellBuffer target, int at);

  /** Copies the validity of the cells at the first {@code count} indices, likewise. */
  void gatherValidity(long[] indices, int count, byte[] target);

  /** Returns the cells if they are an array of the element type already, or null. */
  default HeapCells onHeap() {
    return null;
  }
}

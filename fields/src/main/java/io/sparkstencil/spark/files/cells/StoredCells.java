/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.cells;

import io.sparkstencil.grid.Box;
import io.sparkstencil.spark.files.codec.ReadAs;
import java.io.IOException;
import java.util.Collections;
import java.util.List;

/** The cells of an array where they lie in a file. */
public interface StoredCells {
  /**
   * Reads a box of cells.
   *
   * @param box cells inside the array
   * @param read the cells that come out
   * @return a new dense array of the box's cells, slowest axis first
   * @throws IOException if the file is not as its format says; the message says what is wrong
   */
  Object read(Box box, ReadAs read) throws IOException;

  /** Returns the cells along each axis that are read at once, whatever is asked for. */
  default List<Integer> unit(int axes) {
    return Collections.nCopies(axes, 1);
  }

  /** Returns the bytes of the heap that reading takes beside the cells that come out. */
  default long heapBytes() {
    return 0;
  }
}

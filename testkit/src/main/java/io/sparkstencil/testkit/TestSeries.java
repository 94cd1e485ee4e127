/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import io.sparkstencil.model.ElementType;
import java.lang.reflect.Array;

/**
 * A whole series of cells.
 *
 * @param type the type of the cells
 * @param cells primitive array of the type, shape {@code [length]}
 * @param validity 1 for a cell, 0 for null, shape {@code [length]}; null if no cell is null
 */
@SuppressWarnings("ArrayRecordComponent") // compared by identity
public record TestSeries(ElementType type, Object cells, byte[] validity) {
  /** Returns the number of cells. */
  public int length() {
    return Array.getLength(cells);
  }

  /** Tells whether the cell at {@code index} is null. */
  public boolean isNull(int index) {
    return validity != null && validity[index] == 0;
  }
}

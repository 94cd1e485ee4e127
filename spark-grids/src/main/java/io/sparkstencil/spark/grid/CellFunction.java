/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import java.io.Serializable;

/**
 * Gives the first value of each cell of a field. Tasks call it, more than once for a cell.
 *
 * <pre>{@code
 * CellFunction hotSpot = position -> position[0] == 10 && position[1] == 20 ? 100 : 0;
 * }</pre>
 */
@FunctionalInterface
public interface CellFunction extends Serializable {
  /**
   * Returns the value of a cell.
   *
   * @param position of the cell, slowest axis first; used again for other cells
   */
  double value(long[] position);
}

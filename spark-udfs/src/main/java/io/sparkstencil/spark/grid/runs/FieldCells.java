/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import java.io.Serializable;

/** Where the first cells of a field come from, block by block. */
@FunctionalInterface
public interface FieldCells extends Serializable {
  /** Cells of zeros. */
  FieldCells ZEROS = (box, type) -> type.newArray(box.cells());

  /** Returns a new array of float or double with the cells of a box. */
  Object read(Box box, ElementType type);
}

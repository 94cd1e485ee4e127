/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.grid.cells.FieldCells;

/** Cells that are computed from their positions. */
record FunctionCells(CellFunction function) implements FieldCells {
  @Override
  public Reader open() {
    return this::read;
  }

  private Object read(Box box, ElementType type) {
    Object cells = type.newArray(box.cells());
    long[] position = box.origin().stream().mapToLong(Long::longValue).toArray();
    for (int cell = 0; cell < box.cells(); cell++) {
      double value = function.value(position);
      if (cells instanceof float[] floats) {
        floats[cell] = (float) value;
      } else {
        ((double[]) cells)[cell] = value;
      }
      int axis = position.length - 1;
      while (axis >= 0 && ++position[axis] == box.end(axis)) {
        position[axis] = box.start(axis);
        axis--;
      }
    }
    return cells;
  }
}

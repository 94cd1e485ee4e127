/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.cells;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import java.io.Serializable;
import java.util.List;

/** Where the first cells of a field come from. */
@FunctionalInterface
public interface FieldCells extends Serializable {
  /** Cells of zeros. */
  FieldCells ZEROS = () -> (box, type) -> type.newArray(box.cells());

  /** Cells that come with those of other fields. */
  FieldCells ELSEWHERE =
      () -> {
        throw new IllegalStateException("cells that come from elsewhere are not read");
      };

  /** Returns what reads cells in one thread. */
  Reader open();

  /** Reads cells piece by piece. */
  @FunctionalInterface
  interface Reader extends AutoCloseable {
    /** A cell as double, and one of its type. */
    int USUAL_BYTES = 2 * Double.BYTES;

    /** Returns a new array of float or double with the cells of a box. */
    Object read(Box box, ElementType type);

    /**
     * Returns boxes with the cells of a box, best read one after the other.
     *
     * @param mostCells of each, unless more have to be read for fewer
     */
    default List<Box> pieces(Box box, int mostCells) {
      return box.pieces(mostCells);
    }

    /** Returns the bytes of the heap that reading a box takes, its cells included. */
    default long bytes(Box box) {
      return (long) box.cells() * USUAL_BYTES;
    }

    @Override
    default void close() {}
  }
}

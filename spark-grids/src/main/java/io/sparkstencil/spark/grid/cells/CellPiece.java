/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.cells;

import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import java.util.List;

/**
 * The cells of some fields in a box of a block.
 *
 * @param box where they are in the grid
 * @param fields the indices of the fields
 * @param arrays an array of the block's type for each of them
 */
public record CellPiece(Box box, List<Integer> fields, List<Object> arrays) implements FirstCells {
  /** Copies the lists. */
  public CellPiece {
    fields = List.copyOf(fields);
    arrays = List.copyOf(arrays);
  }

  @Override
  public void load(BlockFields block, ElementType type, LoadBudget budget) {
    for (int i = 0; i < fields.size(); i++) {
      block.load(fields.get(i), box, arrays.get(i));
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.cells;

import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;

/**
 * The first cells of a field of a block, which are read when they are loaded.
 *
 * @param field its index
 * @param cells where they come from
 */
public record FieldPieces(int field, FieldCells cells) implements FirstCells {
  @Override
  public void load(BlockFields block, ElementType type, LoadBudget budget) {
    Box own = block.place().own();
    try (FieldCells.Reader reader = cells.open()) {
      for (Box piece : reader.pieces(own, budget.pieceCells(FieldCells.Reader.USUAL_BYTES))) {
        budget.use(reader.bytes(piece), () -> block.load(field, piece, reader.read(piece, type)));
      }
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.cells;

import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.model.ElementType;
import java.io.Serializable;

/** Some of the cells that a block begins with. All of them together are all cells of the block. */
public interface FirstCells extends Serializable {
  /**
   * Puts the cells into a block.
   *
   * @param type of the block's cells
   * @param budget what of the heap may be taken for it
   */
  void load(BlockFields block, ElementType type, LoadBudget budget);

  /** Returns whether these stand for cells that are gone. */
  default boolean isGone() {
    return false;
  }

  /** Stands for cells that are gone. */
  record Gone() implements FirstCells {
    @Override
    public void load(BlockFields block, ElementType type, LoadBudget budget) {
      throw new IllegalStateException("cells that are gone cannot be loaded");
    }

    @Override
    public boolean isGone() {
      return true;
    }
  }
}

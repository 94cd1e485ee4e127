/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * A part of a block's halo: cells of one block.
 *
 * @param block the block that has the cells
 * @param from their positions in the grid
 * @param to their positions in the extended box: the same, or those of a periodic image
 */
public record HaloPart(int block, Box from, Box to) implements Serializable {
  /** Returns how far the cells in the extended box are from those in the grid, along each axis. */
  public List<Long> shift() {
    List<Long> shift = new ArrayList<>();
    for (int axis = 0; axis < from.dimensions(); axis++) {
      shift.add(to.start(axis) - from.start(axis));
    }
    return shift;
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import io.sparkstencil.kernels.codegen.Cell;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The cells of a tile from a thread's own first one on. */
final class TileWindow implements CellWindow {
  private final SharedTile tile;
  private final int unitsAhead;
  private final int skew;
  private final int cellsPerUnit;
  private final Map<Integer, List<Cell>> units = new HashMap<>();

  /**
   * Creates a window.
   *
   * @param threadsAhead whose cells come first: 0 for this thread's own, n for those of the thread
   *     n further on
   * @param skew cells between the tile's first cell and the first thread's first cell
   */
  TileWindow(WindowKernel kernel, SharedTile tile, int threadsAhead, int skew) {
    this.tile = tile;
    this.unitsAhead = threadsAhead * tile.shape().unitsPerThread();
    this.skew = skew;
    this.cellsPerUnit = kernel.unit;
  }

  @Override
  public Cell cell(int offset) {
    int at = offset + skew;
    return units
        .computeIfAbsent(
            at / cellsPerUnit,
            u -> tile.loadUnit(tile.ownValues(), tile.ownCounts(), unitsAhead + u))
        .get(at % cellsPerUnit);
  }
}

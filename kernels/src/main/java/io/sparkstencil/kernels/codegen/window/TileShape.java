/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;

/**
 * How a block's tile lies in shared memory. Cells are kept in units of one global load. Each thread
 * owns {@code unitsPerThread} consecutive units; where that is even, one unit of padding follows
 * them, so that the distance between two threads is odd and no two of eight threads that read 16
 * bytes each meet in a bank.
 *
 * @param cellsPerUnit cells of one global load
 * @param cellsPerThread cells that a thread owns, a multiple of the unit
 * @param paddingUnits units of padding after the cells of each thread
 * @param cells cells of the tile, a multiple of the unit
 */
record TileShape(int cellsPerUnit, int cellsPerThread, int paddingUnits, int cells) {
  TileShape {
    if (cellsPerThread % cellsPerUnit != 0 || cells % cellsPerUnit != 0) {
      throw new IllegalArgumentException(
          "tile of %d cells, %d per thread, in units of %d"
              .formatted(cells, cellsPerThread, cellsPerUnit));
    }
    int units = cellsPerThread / cellsPerUnit;
    if (units % 2 == 0 && Integer.bitCount(units) != 1) {
      throw new IllegalArgumentException(
          "%d units per thread; use an odd number or a power of two".formatted(units));
    }
  }

  /** Returns the shape whose padding makes the distance between two threads odd. */
  static TileShape of(int cellsPerUnit, int cellsPerThread, int cells) {
    int padding = cellsPerThread / cellsPerUnit % 2 == 0 ? 1 : 0;
    return new TileShape(cellsPerUnit, cellsPerThread, padding, cells);
  }

  int units() {
    return cells / cellsPerUnit;
  }

  int unitsPerThread() {
    return cellsPerThread / cellsPerUnit;
  }

  /** Returns the units from one thread's first cell to the next one's, padding included. */
  int threadStride() {
    return unitsPerThread() + paddingUnits;
  }

  /** Returns where a unit lies, counted in units. */
  int placeOf(int unit) {
    return unit + unit / unitsPerThread() * paddingUnits;
  }

  /** Returns where the unit in a register lies, counted in units. */
  Register placeOf(PtxWriter k, Register unit) {
    if (paddingUnits == 0) {
      return unit;
    }
    Register pads = k.b32("shr.u32", unit, Integer.numberOfTrailingZeros(unitsPerThread()));
    return paddingUnits == 1
        ? k.b32("add.u32", unit, pads)
        : k.b32("mad.lo.u32", pads, paddingUnits, unit);
  }

  /** Returns the units of memory that the tile takes. */
  int places() {
    return placeOf(units() - 1) + 1;
  }
}

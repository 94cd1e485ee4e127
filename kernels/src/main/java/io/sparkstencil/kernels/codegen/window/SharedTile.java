/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Register;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * A block's cells in shared memory, and beside them what counted of each (0 or 1) if there are
 * nulls.
 */
final class SharedTile {
  /** Where the values are. */
  final int valueOffset;

  /** Where the counts are, if there are nulls. */
  final int countOffset;

  final TileShape shape;
  private final WindowKernel k;
  private Cell own; // addresses

  SharedTile(WindowKernel kernel, int cells) {
    this(kernel, TileShape.of(kernel.unit, kernel.how.cellsPerThread(), cells));
  }

  SharedTile(WindowKernel kernel, TileShape shape) {
    this.k = kernel;
    this.shape = shape;
    this.valueOffset = k.reserveShared(shape.places() * unitBytes());
    this.countOffset = k.math.counts() ? k.reserveShared(shape.places() * countUnitBytes()) : 0;
  }

  int unitBytes() {
    return k.unit * k.cellBytes;
  }

  int countUnitBytes() {
    return k.unit * 4;
  }

  /** Computes where this thread's own cells are. To be called where all threads pass. */
  void locateOwn() {
    own = at(k.thread, shape.threadStride());
  }

  /** Returns where this thread's own cells are: the addresses of their values and counts. */
  Cell own() {
    return own;
  }

  /** Returns the addresses of the unit {@code index * units} units after the tile's first. */
  Cell at(Register index, int units) {
    Register values = k.sharedAddress(valueOffset, index, units * unitBytes());
    return new Cell(
        values,
        k.math.counts() ? k.sharedAddress(countOffset, index, units * countUnitBytes()) : null);
  }

  /**
   * Loads the unit {@code unitIndex} units after a thread's first one, which is at {@code from}.
   */
  void loadUnit(Cell from, int unitIndex, List<Cell> cells) {
    int place = shape.placeOf(unitIndex);
    k.load("ld.shared", Cell.values(cells), Address.at(from.value(), place * unitBytes()));
    if (k.math.counts()) {
      k.load("ld.shared", Cell.counts(cells), Address.at(from.count(), place * countUnitBytes()));
    }
  }

  /**
   * Returns the cells from a thread's first one on, each loaded when it is first asked for. What
   * was loaded stays in registers as long as straight-line code needs it.
   *
   * @param threadsAhead whose cells come first: 0 for this thread's own, n for those of the thread
   *     n further on
   * @param skew cells between the tile's first cell and the first thread's first cell
   */
  IntFunction<Cell> window(int threadsAhead, int skew) {
    int unitsAhead = threadsAhead * shape.unitsPerThread();
    Map<Integer, List<Cell>> units = new HashMap<>();
    return offset -> {
      int place = offset + skew;
      int unit = place / k.unit;
      if (!units.containsKey(unit)) {
        units.put(unit, k.math.newCells(k.unit));
        loadUnit(own, unitsAhead + unit, units.get(unit));
      }
      return units.get(unit).get(place % k.unit);
    };
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import java.util.List;

/**
 * A block's cells in shared memory, and beside them what counted of each (0 or 1) if there are
 * nulls.
 */
final class SharedTile {
  private final WindowKernel kernel;
  private final PtxWriter k;
  private final TileShape shape;
  private final int valueOffset;
  private final int countOffset;
  private Register ownValues;
  private Register ownCounts;

  SharedTile(WindowKernel kernel, TileShape shape) {
    this.kernel = kernel;
    this.k = kernel.k;
    this.shape = shape;
    this.valueOffset = kernel.reserveShared(shape.places() * unitBytes());
    this.countOffset =
        kernel.math.counts() ? kernel.reserveShared(shape.places() * countUnitBytes()) : 0;
  }

  TileShape shape() {
    return shape;
  }

  int valueOffset() {
    return valueOffset;
  }

  int countOffset() {
    return countOffset;
  }

  int unitBytes() {
    return kernel.unit * kernel.cellBytes;
  }

  int countUnitBytes() {
    return kernel.unit * 4;
  }

  /** Computes where this thread's own cells are. To be called where all threads pass. */
  void locateOwn() {
    ownValues =
        kernel.sharedAddress(valueOffset, kernel.thread, shape.threadStride() * unitBytes());
    if (kernel.math.counts()) {
      ownCounts =
          kernel.sharedAddress(countOffset, kernel.thread, shape.threadStride() * countUnitBytes());
    }
  }

  Register ownValues() {
    return ownValues;
  }

  Register ownCounts() {
    return ownCounts;
  }

  /** Loads the unit {@code unitIndex} units after a thread's first one into new registers. */
  List<Cell> loadUnit(Register values, Register counts, int unitIndex) {
    List<Cell> cells = kernel.math.newCells(kernel.unit);
    loadUnit(values, counts, unitIndex, cells);
    return cells;
  }

  /** Loads the unit {@code unitIndex} units after a thread's first one. */
  void loadUnit(Register values, Register counts, int unitIndex, List<Cell> cells) {
    int place = shape.placeOf(unitIndex);
    k.load("ld.shared", Cell.values(cells), Address.at(values, place * unitBytes()));
    if (kernel.math.counts()) {
      k.load("ld.shared", Cell.counts(cells), Address.at(counts, place * countUnitBytes()));
    }
  }

  /** Returns the place of the unit in register {@code unitIndex}, in units. */
  Register placeOf(Register unitIndex) {
    if (!shape.padded()) {
      return unitIndex;
    }
    int log = Integer.numberOfTrailingZeros(shape.unitsPerThread());
    Register pads = k.b32("shr.u32", unitIndex, Literal.of(log));
    return k.b32("add.u32", unitIndex, pads);
  }
}

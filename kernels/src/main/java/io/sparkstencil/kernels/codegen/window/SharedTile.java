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
  private final KernelFrame frame;
  private final PtxWriter k;
  private final TileShape shape;
  private final int valueOffset;
  private final int countOffset;
  private Register ownValues;
  private Register ownCounts;

  SharedTile(KernelFrame frame, TileShape shape) {
    this.frame = frame;
    this.k = frame.k;
    this.shape = shape;
    this.valueOffset = frame.reserveShared(shape.places() * unitBytes());
    this.countOffset =
        frame.math.counts() ? frame.reserveShared(shape.places() * countUnitBytes()) : 0;
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
    return frame.unit * frame.cellBytes;
  }

  int countUnitBytes() {
    return frame.unit * 4;
  }

  /** Computes where this thread's own cells are. To be called where all threads pass. */
  void locateOwn() {
    ownValues = frame.sharedAddress(valueOffset, frame.thread, shape.threadStride() * unitBytes());
    if (frame.math.counts()) {
      ownCounts =
          frame.sharedAddress(countOffset, frame.thread, shape.threadStride() * countUnitBytes());
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
    List<Cell> cells = frame.math.newCells(frame.unit);
    loadUnit(values, counts, unitIndex, cells);
    return cells;
  }

  /** Loads the unit {@code unitIndex} units after a thread's first one. */
  void loadUnit(Register values, Register counts, int unitIndex, List<Cell> cells) {
    int place = shape.placeOf(unitIndex);
    k.load("ld.shared", Cell.values(cells), Address.at(values, place * unitBytes()));
    if (frame.math.counts()) {
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

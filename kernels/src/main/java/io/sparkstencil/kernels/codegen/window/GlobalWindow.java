/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.codegen.CellType;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Cells of global memory from a thread's first one on, loaded unit by unit or one by one. */
final class GlobalWindow implements CellWindow {
  private final WindowKernel kernel;
  private final PtxWriter k;
  private final Register firstCell;
  private final Register at;
  private final boolean careful;
  private final Register validityAt;
  private final NullCells nulls;
  private final Map<Integer, List<Cell>> units = new HashMap<>();

  /**
   * Creates a window.
   *
   * @param firstCell staged cell, a multiple of the unit
   * @param careful whether cells may lie beyond the staged ones; those are neutral
   */
  GlobalWindow(WindowKernel kernel, Register firstCell, boolean careful) {
    this.kernel = kernel;
    this.k = kernel.k;
    this.firstCell = firstCell;
    this.careful = careful;
    this.at = kernel.cellAt(firstCell);
    this.validityAt = kernel.validityAt(firstCell);
    this.nulls = new NullCells(kernel);
  }

  @Override
  public Cell cell(int offset) {
    int place = offset + kernel.skew;
    return units
        .computeIfAbsent(
            place / kernel.unit,
            u -> {
              List<Cell> cells = kernel.math.newCells(kernel.unit);
              load(cells, u);
              return cells;
            })
        .get(place % kernel.unit);
  }

  /** Loads the unit {@code unitIndex} units after the first cell; null cells become neutral. */
  void load(List<Cell> cells, int unitIndex) {
    int first = unitIndex * kernel.unit;
    if (careful) {
      loadOneByOne(cells, first);
    } else {
      loadUnit(cells, first);
    }
    if (kernel.math.counts()) {
      cells.forEach(nulls::neutralise);
    }
  }

  private void loadUnit(List<Cell> cells, int first) {
    k.load(opcode(), Cell.values(cells), Address.at(at, first * kernel.cellBytes));
    if (kernel.math.counts()) {
      nulls.unpackInto(cells, nulls.loadUnit(Address.at(validityAt, first)));
    }
  }

  private void loadOneByOne(List<Cell> cells, int first) {
    for (int i = 0; i < cells.size(); i++) {
      Cell cell = cells.get(i);
      Register there = kernel.isStaged(firstCell, first + i);
      k.put(kernel.math.move(), cell.value(), kernel.math.neutral());
      Address address = Address.at(at, (first + i) * kernel.cellBytes);
      k.putIf(there, opcode() + "." + CellType.memory(kernel.what.type()), cell.value(), address);
      if (kernel.math.counts()) {
        k.put("mov.u32", cell.count(), Literal.of(0));
        k.putIf(there, "ld.global.nc.u8", cell.count(), Address.at(validityAt, first + i));
      }
    }
  }

  private String opcode() {
    return "ld.global" + kernel.how.hints().load();
  }
}

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
  private final KernelFrame frame;
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
  GlobalWindow(KernelFrame frame, Register firstCell, boolean careful) {
    this.frame = frame;
    this.k = frame.k;
    this.firstCell = firstCell;
    this.careful = careful;
    this.at = frame.cellAt(firstCell);
    this.validityAt = frame.validityAt(firstCell);
    this.nulls = new NullCells(frame);
  }

  @Override
  public Cell cell(int offset) {
    int place = offset + frame.skew;
    return units
        .computeIfAbsent(
            place / frame.unit,
            u -> {
              List<Cell> cells = frame.math.newCells(frame.unit);
              load(cells, u);
              return cells;
            })
        .get(place % frame.unit);
  }

  /** Loads the unit {@code unitIndex} units after the first cell; null cells become neutral. */
  void load(List<Cell> cells, int unitIndex) {
    int first = unitIndex * frame.unit;
    if (careful) {
      loadOneByOne(cells, first);
    } else {
      loadUnit(cells, first);
    }
    if (frame.math.counts()) {
      cells.forEach(nulls::neutralise);
    }
  }

  private void loadUnit(List<Cell> cells, int first) {
    k.load(opcode(), Cell.values(cells), Address.at(at, first * frame.cellBytes));
    if (frame.math.counts()) {
      nulls.unpackInto(cells, nulls.loadUnit(Address.at(validityAt, first)));
    }
  }

  private void loadOneByOne(List<Cell> cells, int first) {
    for (int i = 0; i < cells.size(); i++) {
      Cell cell = cells.get(i);
      Register there = frame.isStaged(firstCell, first + i);
      k.put(frame.math.move(), cell.value(), frame.math.neutral());
      Address address = Address.at(at, (first + i) * frame.cellBytes);
      k.putIf(there, opcode() + "." + CellType.memory(frame.what.type()), cell.value(), address);
      if (frame.math.counts()) {
        k.put("mov.u32", cell.count(), Literal.of(0));
        k.putIf(there, "ld.global.nc.u8", cell.count(), Address.at(validityAt, first + i));
      }
    }
  }

  private String opcode() {
    return "ld.global" + frame.how.hints().load();
  }
}

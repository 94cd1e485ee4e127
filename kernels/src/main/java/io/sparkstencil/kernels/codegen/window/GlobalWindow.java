/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.ptx.Register;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Cells of global memory from a thread's first one on, loaded unit by unit or one by one, each when
 * it is first asked for.
 */
final class GlobalWindow implements IntFunction<Cell> {
  private final WindowKernel k;
  private final Register firstCell;
  private final Register at;
  private final boolean careful;
  private final Register validityAt;
  private final Map<Integer, List<Cell>> units = new HashMap<>();

  /**
   * Creates a window.
   *
   * @param firstCell staged cell, a multiple of the unit
   * @param careful whether cells may lie beyond the staged ones; those are neutral
   */
  GlobalWindow(WindowKernel kernel, Register firstCell, boolean careful) {
    this.k = kernel;
    this.firstCell = firstCell;
    this.careful = careful;
    this.at = k.cellAt(firstCell);
    this.validityAt = k.validityAt(firstCell);
  }

  @Override
  public Cell apply(int offset) {
    int place = offset + k.skew;
    int unit = place / k.unit;
    if (!units.containsKey(unit)) {
      units.put(unit, k.math.newCells(k.unit));
      load(units.get(unit), unit);
    }
    return units.get(unit).get(place % k.unit);
  }

  /** Loads the unit {@code unitIndex} units after the first cell; null cells become neutral. */
  void load(List<Cell> cells, int unitIndex) {
    int first = unitIndex * k.unit;
    String opcode = "ld.global" + k.how.hints().load();
    if (careful) {
      for (int i = 0; i < cells.size(); i++) {
        Register there = k.isStaged(firstCell, first + i);
        k.loadWhere(there, cells.get(i), opcode, at, validityAt, first + i);
      }
    } else {
      k.load(opcode, Cell.values(cells), at(at, first * k.cellBytes));
      if (k.math.counts()) {
        Register bytes = k.loadValidity(validityAt, first);
        for (int i = 0; i < cells.size(); i++) {
          k.put("bfe.u32", cells.get(i).count(), bytes, 8 * i, 8);
        }
      }
    }
    if (k.math.counts()) {
      cells.forEach(k.math::neutralise);
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.model.Reduction;
import java.util.ArrayList;
import java.util.List;

/** Turns loaded cells and their validity bytes into cells that reductions need not test. */
final class NullCells {
  private final WindowKernel kernel;
  private final PtxWriter k;

  NullCells(WindowKernel kernel) {
    this.kernel = kernel;
    this.k = kernel.k;
  }

  /** Loads the validity bytes of a unit as one word. */
  Register loadUnit(Address from) {
    return k.b32("ld.global.nc.u" + 8 * kernel.unit, from);
  }

  /** Returns the validity bytes of a unit, which were loaded as one word, as numbers 0 and 1. */
  List<Register> unpack(Register bytes) {
    if (kernel.unit == 1) {
      return List.of(bytes);
    }
    List<Register> counts = new ArrayList<>();
    for (int i = 0; i < kernel.unit; i++) {
      counts.add(k.b32("bfe.u32", bytes, Literal.of(8 * i), Literal.of(8)));
    }
    return counts;
  }

  /** Puts the validity bytes of a unit, loaded as one word, into the counts of its cells. */
  void unpackInto(List<Cell> cells, Register bytes) {
    for (int i = 0; i < cells.size(); i++) {
      k.put("bfe.u32", cells.get(i).count(), bytes, Literal.of(8 * i), Literal.of(8));
    }
  }

  /** Returns the value of a cell that counts, else neutral; for a count, 1 or 0. */
  Register neutralised(Register value, Register count) {
    Register result = k.register(kernel.math.registers());
    neutraliseInto(result, value, count);
    return result;
  }

  /** Replaces a cell's value in place: it stays if the cell counts, else it becomes neutral. */
  void neutralise(Cell cell) {
    neutraliseInto(cell.value(), cell.value(), cell.count());
  }

  private void neutraliseInto(Register result, Register value, Register count) {
    Register there = k.test("setp.ne.u32", count, Literal.of(0));
    String select = "selp." + kernel.math.registers().declaration();
    if (kernel.what.reduction() == Reduction.COUNT) {
      k.put(select, result, kernel.math.literal(1), kernel.math.literal(0), there);
    } else {
      k.put(select, result, value, kernel.math.neutral(), there);
    }
  }
}

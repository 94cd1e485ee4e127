/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.planes;

import io.sparkstencil.kernels.codegen.PtxCells;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Operand;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.RegisterVector;
import java.util.ArrayList;
import java.util.List;

/** Writes the cells of a tile that are results. */
final class PlaneResults {
  private final PtxWriter k;
  private final PlaneTile tile;
  private final PlaneFrame frame;
  private final PtxType registers;

  /** Whether all cells of this lane are results. */
  private final Register columns;

  /** Whether this lane has results and, behind these, padding; or null. */
  private final Register partial;

  /** The rows between the first row of results and this thread's. */
  private final Register row;

  /** The rows of results, a register or a number. */
  private final Object rows;

  /**
   * Finds the cells.
   *
   * @param holds whether the tile may be at an end of the rows, where it has no margin
   */
  PlaneResults(PtxWriter k, PlaneTile tile, PlaneFrame frame, boolean holds) {
    this.k = k;
    this.tile = tile;
    this.frame = frame;
    registers = PtxCells.registers(tile.type());
    PlaneMargins margins = tile.margins();
    PlaneShape shape = tile.shape();
    int cells = shape.cells();
    int left = margins.left() / cells;
    int right = 32 - margins.right() / cells;
    int below = shape.tileRows() - margins.below();
    Register whole;
    if (holds) {
      Register first = k.b32("selp.b32", 0, left, frame.left);
      Register end = k.b32("selp.b32", 32, right, frame.right);
      Register lanes = k.b32("sub.s32", end, first);
      whole = k.test("setp.lt.u32", k.b32("sub.s32", frame.lane, first), lanes);
    } else {
      whole = k.test("setp.lt.u32", k.b32("sub.s32", frame.lane, left), right - left);
    }
    if (holds && tile.ends().padding() > 0) {
      partial = k.test("setp.eq.and.s32", frame.lane, 31, frame.right);
      whole = k.test("and.pred", whole, k.test("not.pred", partial));
    } else {
      partial = null;
    }
    columns = whole;
    row = k.b32("mul.lo.s32", frame.warp, shape.rows());
    if (tile.ends().rows()) {
      Register first = k.b32("selp.b32", 0, margins.above(), frame.top);
      Register end = k.b32("selp.b32", shape.tileRows(), below, frame.bottom);
      k.put("sub.s32", row, row, first);
      rows = k.b32("sub.s32", end, first);
    } else {
      k.put("sub.s32", row, row, margins.above());
      rows = tile.validRows();
    }
  }

  /**
   * Writes a row to its array.
   *
   * @param plane planes behind the first one of the block's results
   * @param number the row, counted from this thread's first
   * @param to the address of this thread's first cell in the plane
   * @param cells those of this thread
   */
  void write(Register plane, int number, Register to, List<Operand> cells) {
    Register inPlanes = k.test("setp.lt.u32", plane, frame.planes);
    Register y = k.b32("add.s32", row, number);
    Register inside = k.test("setp.lt.and.u32", y, rows, inPlanes);
    Register at = to;
    if (number > 0) {
      at = k.b64("add.s64", to, k.b64("mul.lo.s64", frame.rowStride, number));
    }
    List<Register> values = new ArrayList<>();
    for (Operand cell : cells) {
      values.add(
          cell instanceof Register register
              ? register
              : k.make(registers, "mov." + registers.declaration(), cell));
    }
    Register all = k.test("and.pred", inside, columns);
    int bytes = tile.type().bytes();
    int chunk = PlaneMemory.CHUNK / bytes;
    String vector = "st.global.v%d.%s".formatted(chunk, registers.declaration());
    for (int c = 0; c < values.size(); c += chunk) {
      RegisterVector these = new RegisterVector(values.subList(c, c + chunk));
      k.putIf(all, vector, Address.at(at, c * bytes), these);
    }
    if (partial != null) {
      Register some = k.test("and.pred", inside, partial);
      for (int c = 0; c < values.size() - tile.ends().padding(); c++) {
        String single = "st.global." + registers.declaration();
        k.putIf(some, single, Address.at(at, c * bytes), values.get(c));
      }
    }
  }
}

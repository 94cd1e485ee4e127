/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.edge;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.codegen.CellMath;
import io.sparkstencil.kernels.codegen.CellType;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.Operand;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Weights;

/**
 * The cells of an edge kernel: reading runs of them, reducing, and what an output is made of. What
 * a weighted sum's validity needs is the least of its validity bytes, so these count as cells, too.
 */
final class EdgeCells {
  private static final int UNROLL = 8;

  private final PtxWriter k;
  private final EdgeVariant variant;
  private final EdgePieces pieces;
  private final FlatStencil what;
  private final CellMath math;
  private final boolean values;

  EdgeCells(PtxWriter writer, EdgeVariant variant, EdgePieces pieces) {
    this.k = writer;
    this.variant = variant;
    this.pieces = pieces;
    this.values = variant.task() == EdgeVariant.Task.VALUES;
    this.what =
        new FlatStencil(
            values ? variant.reduction() : Reduction.MIN,
            1,
            Weights.NONE,
            values ? variant.type() : ElementType.I32,
            Accuracy.EXACT,
            false,
            0);
    this.math = new CellMath(k, what);
  }

  FlatStencil what() {
    return what;
  }

  CellMath math() {
    return math;
  }

  /** Work on one cell: its value, and a number that only grows, or null. */
  interface CellWork {
    void write(Cell cell, Operand number);
  }

  /** Writes a loop over cells {@code [first, stop)} that reduces them into {@code sum} in order. */
  void reduceInto(Cell sum, Register first, Register stop) {
    Register left = k.b32("sub.s32", stop, first);
    forEach(first, left, 1, (cell, number) -> math.tap(sum, cell, null));
  }

  /**
   * Writes a loop over every {@code step}th cell, several per turn so that loads overlap.
   *
   * @param first the first cell in the flat array
   * @param count how many; none if negative
   */
  void forEach(Register first, Register count, int step, CellWork work) {
    int bytes = values ? what.type().bytes() : 1;
    KernelParameter source = values ? KernelParameter.INPUT : KernelParameter.INPUT_VALIDITY;
    String load = "ld.global.nc." + (values ? CellType.memory(what.type()) : "u8");
    Register at = k.b64("mad.wide.u32", first, Literal.of(bytes), pieces.argument(source));
    Register left = k.b32("mov.u32", count);
    for (int unroll : new int[] {UNROLL, 1}) {
      Symbol again = k.label("cells");
      Symbol done = k.label("cellsdone");
      k.place(again);
      k.putIf(k.test("setp.lt.s32", left, Literal.of(unroll)), "bra", done);
      Register[] loaded = new Register[unroll];
      for (int i = 0; i < unroll; i++) {
        loaded[i] = k.make(math.registers(), load, Address.at(at, i * step * bytes));
      }
      for (int i = 0; i < unroll; i++) {
        // Cells left to go: less with each cell.
        Register number = i == 0 ? left : k.b32("sub.s32", left, Literal.of(i));
        work.write(new Cell(loaded[i], null), number);
      }
      k.put("add.u64", at, at, Literal.of(unroll * step * bytes));
      k.put("sub.s32", left, left, Literal.of(unroll));
      k.put("bra", again);
      k.place(done);
    }
  }

  /** Writes the output of a frame whose cells have been reduced. */
  void store(EdgePieces.CutFrame frame, Cell sum) {
    PtxType registers = math.registers();
    Register count = k.b32("sub.s32", frame.stop(), frame.first());
    Register some = k.test("setp.gt.s32", count, Literal.of(0));
    Register value = sum == null ? asCell(count) : sum.value();
    if (values && variant.reduction() == Reduction.MEAN) {
      String divide = what.type().isFloating() ? "div.rn." : "div.";
      String suffix = CellType.arithmetic(what.type());
      Register divisor = asCell(k.b32("max.s32", count, Literal.of(1)));
      value = k.make(registers, divide + suffix, value, divisor);
    }
    Register result = math.select(value, math.literal(0), some);
    put(frame, values ? CellType.memory(what.type()) : "u8", result);
  }

  /** Writes 0 as the validity of an output. */
  void storeNull(EdgePieces.CutFrame frame) {
    put(frame, "u8", k.b32("mov.u32", Literal.of(0)));
  }

  private void put(EdgePieces.CutFrame frame, String type, Register value) {
    int bytes = values ? what.type().bytes() : 1;
    KernelParameter target = values ? KernelParameter.OUTPUT : KernelParameter.OUTPUT_VALIDITY;
    Register at =
        k.b64("mad.wide.u32", frame.position(), Literal.of(bytes), pieces.argument(target));
    k.put("st.global." + type, Address.at(at, 0), value);
  }

  /** Returns a number of cells in the element type. */
  private Register asCell(Register count) {
    return switch (what.type()) {
      case F32, F64 ->
          k.make(math.registers(), "cvt.rn." + CellType.arithmetic(what.type()) + ".s32", count);
      case I32 -> count;
      case I64 -> k.make(math.registers(), "cvt.s64.s32", count);
    };
  }
}

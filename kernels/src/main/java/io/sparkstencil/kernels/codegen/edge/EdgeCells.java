/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.edge;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.codegen.CellMath;
import io.sparkstencil.kernels.codegen.CellType;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Weights;
import java.util.function.BiConsumer;

/**
 * The cells of an edge kernel: reading runs of them, reducing, and what an output is made of. What
 * a weighted sum's validity needs is the least of its validity bytes, so these count as cells, too.
 */
final class EdgeCells {
  private static final int UNROLL = 8;

  private final EdgePieces k;
  private final EdgeVariant variant;
  private final boolean values;

  /** What is reduced. */
  final FlatStencil what;

  final CellMath math;

  EdgeCells(EdgePieces writer, EdgeVariant variant) {
    this.k = writer;
    this.variant = variant;
    this.values = variant.task() == EdgeVariant.Task.VALUES;
    Reduction reduction = values ? variant.reduction() : Reduction.MIN;
    ElementType type = values ? variant.type() : ElementType.I32;
    this.what = new FlatStencil(reduction, 1, Weights.NONE, type, Accuracy.EXACT, false, 0);
    this.math = new CellMath(k, what);
  }

  /** Writes a loop over cells {@code [first, stop)} that reduces them into {@code sum} in order. */
  void reduceInto(Cell sum, Register first, Register stop) {
    Register left = k.subtract(stop, first);
    forEach(first, left, 1, (cell, number) -> math.tap(sum, cell, null));
  }

  /**
   * Writes a loop over every {@code step}th cell, several per turn so that loads overlap.
   *
   * @param first the first cell in the flat array
   * @param count how many; none if negative
   * @param work takes a cell, and a number that is less with each cell
   */
  void forEach(Register first, Register count, int step, BiConsumer<Cell, Register> work) {
    KernelParameter source = values ? KernelParameter.INPUT : KernelParameter.INPUT_VALIDITY;
    Register at = k.global(source, first, bytes());
    Register left = k.b32("mov.u32", count);
    for (int unroll : new int[] {UNROLL, 1}) {
      k.loop(
          "cells",
          "cellsdone",
          () -> k.test("setp.lt.s32", left, unroll),
          () -> {
            Register[] loaded = new Register[unroll];
            for (int i = 0; i < unroll; i++) {
              Address from = at(at, i * step * bytes());
              loaded[i] = k.make(math.registers(), "ld.global.nc." + memory(), from);
            }
            for (int i = 0; i < unroll; i++) {
              work.accept(new Cell(loaded[i], null), i == 0 ? left : k.subtract(left, i));
            }
            k.put("add.u64", at, at, unroll * step * bytes());
            k.put("sub.s32", left, left, unroll);
          });
    }
  }

  private int bytes() {
    return values ? what.type().bytes() : 1;
  }

  private String memory() {
    return values ? math.registers().declaration() : "u8";
  }

  /** Writes the output of a frame whose cells have been reduced. */
  void store(EdgePieces.CutFrame frame, Cell sum) {
    Register count = k.subtract(frame.stop(), frame.first());
    Register some = k.test("setp.gt.s32", count, 0);
    Register value = sum == null ? asCell(count) : sum.value();
    if (values && variant.reduction() == Reduction.MEAN) {
      Register divisor = asCell(k.b32("max.s32", count, 1));
      value = k.make(math.registers(), "div.rn." + memory(), value, divisor);
    }
    put(frame, memory(), math.orZero(value, some));
  }

  /** Writes 0 as the validity of an output. */
  void storeNull(EdgePieces.CutFrame frame) {
    put(frame, "u8", k.b32("mov.u32", 0));
  }

  private void put(EdgePieces.CutFrame frame, String type, Register value) {
    KernelParameter target = values ? KernelParameter.OUTPUT : KernelParameter.OUTPUT_VALIDITY;
    Register at = k.global(target, frame.position(), bytes());
    k.put("st.global." + type, at(at, 0), value);
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

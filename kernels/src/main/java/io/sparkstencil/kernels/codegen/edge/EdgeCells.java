/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.edge;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.codegen.CellMath;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.KernelWriter;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Weights;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * An edge kernel that is being written: the pieces of its table, their cut frames, reading runs of
 * cells, reducing, and what an output is made of. What a weighted sum's validity needs is the least
 * of its validity bytes, so these count as cells, too.
 */
final class EdgeCells extends KernelWriter {
  private static final int UNROLL = 8;

  /**
   * The piece that a thread works on. Its clipped outputs are numbered: first those on the left,
   * then those on the right.
   *
   * @param start where the piece lies in the flat array
   * @param clippedLeft outputs clipped on the left
   * @param clipped all clipped outputs
   * @param unclipped outputs between the two
   * @param presentFirst the first cell, counted from the start, that is not missing
   * @param presentEnd the end of such cells
   */
  record Piece(
      Register start,
      Register clippedLeft,
      Register clipped,
      Register unclipped,
      Register presentFirst,
      Register presentEnd) {}

  /**
   * The cells of one output.
   *
   * @param position where the output lies in the flat array
   * @param first its first cell there
   * @param stop the end of its cells; not after the first if there are none
   */
  record CutFrame(Register position, Register first, Register stop) {}

  private final EdgeVariant variant;
  private final boolean values;
  final CellMath math;

  EdgeCells(EdgeVariant variant) {
    super(parametersOf(variant));
    this.variant = variant;
    this.values = variant.task() == EdgeVariant.Task.VALUES;
    Reduction reduction = values ? variant.reduction() : Reduction.MIN;
    ElementType type = values ? variant.type() : ElementType.I32;
    this.math =
        new CellMath(
            this, new FlatStencil(reduction, 1, Weights.NONE, type, Accuracy.EXACT, false, 0));
  }

  private static List<KernelParameter> parametersOf(EdgeVariant variant) {
    boolean values = variant.task() == EdgeVariant.Task.VALUES;
    return List.of(
        values ? KernelParameter.INPUT : KernelParameter.INPUT_VALIDITY,
        values ? KernelParameter.OUTPUT : KernelParameter.OUTPUT_VALIDITY,
        KernelParameter.PIECES,
        KernelParameter.PIECE_COUNT,
        KernelParameter.LEFT,
        KernelParameter.RIGHT,
        KernelParameter.PRECEDING,
        KernelParameter.FOLLOWING);
  }

  /** Returns the piece of a row of the table. */
  Piece piece(List<Register> row) {
    Register cells = row.get(1);
    Register left = argument(KernelParameter.LEFT);
    Register right = argument(KernelParameter.RIGHT);
    Register clippedLeft = clipped(row.get(2), left, argument(KernelParameter.PRECEDING), cells);
    Register clippedRight = clipped(row.get(3), right, argument(KernelParameter.FOLLOWING), cells);
    Register clipped = b32("min.s32", add(clippedLeft, clippedRight), cells);
    Register unclipped = subtract(cells, clipped);
    Register presentEnd = subtract(add(add(left, cells), right), row.get(3));
    return new Piece(row.get(0), clippedLeft, clipped, unclipped, row.get(2), presentEnd);
  }

  /** Returns how many outputs on one side have frames that reach into missing cells. */
  private Register clipped(Register missing, Register halo, Register reach, Register cells) {
    Register whole = add(subtract(missing, halo), reach);
    return b32("min.s32", b32("max.s32", whole, 0), cells);
  }

  /** Returns the cells of the clipped output number {@code index}. */
  CutFrame frame(Piece piece, Register index) {
    Register onLeft = test("setp.lt.s32", index, piece.clippedLeft());
    Register output = select(index, add(index, piece.unclipped()), onLeft);
    Register center = add(output, argument(KernelParameter.LEFT));
    Register earliest = subtract(center, argument(KernelParameter.PRECEDING));
    Register first = b32("max.s32", earliest, piece.presentFirst());
    Register end = add(add(center, argument(KernelParameter.FOLLOWING)), 1);
    Register stop = b32("min.s32", end, piece.presentEnd());
    return new CutFrame(
        add(piece.start(), output), add(piece.start(), first), add(piece.start(), stop));
  }

  /** Writes a loop over cells {@code [first, stop)} that reduces them into {@code sum} in order. */
  void reduceInto(Cell sum, Register first, Register stop) {
    Register left = subtract(stop, first);
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
    Register at = global(source, first, bytes());
    Register left = b32("mov.u32", count);
    for (int unroll : new int[] {UNROLL, 1}) {
      loop(
          "cells",
          "cellsdone",
          () -> test("setp.lt.s32", left, unroll),
          () -> {
            Register[] loaded = new Register[unroll];
            for (int i = 0; i < unroll; i++) {
              Address from = at(at, i * step * bytes());
              loaded[i] = make(math.registers(), "ld.global.nc." + memory(), from);
            }
            for (int i = 0; i < unroll; i++) {
              work.accept(new Cell(loaded[i], null), i == 0 ? left : subtract(left, i));
            }
            put("add.u64", at, at, unroll * step * bytes());
            put("sub.s32", left, left, unroll);
          });
    }
  }

  private int bytes() {
    return values ? variant.type().bytes() : 1;
  }

  private String memory() {
    return values ? math.registers().declaration() : "u8";
  }

  /** Writes the output of a frame whose cells have been reduced. */
  void store(CutFrame frame, Cell sum) {
    Register count = subtract(frame.stop(), frame.first());
    Register some = test("setp.gt.s32", count, 0);
    Register value = sum == null ? asCell(count) : sum.value();
    if (values && variant.reduction() == Reduction.MEAN) {
      Register divisor = asCell(b32("max.s32", count, 1));
      value = make(math.registers(), "div.rn." + memory(), value, divisor);
    }
    put(frame, memory(), math.orZero(value, some));
  }

  /** Writes 0 as the validity of an output. */
  void storeNull(CutFrame frame) {
    put(frame, "u8", b32("mov.u32", 0));
  }

  private void put(CutFrame frame, String type, Register value) {
    KernelParameter target = values ? KernelParameter.OUTPUT : KernelParameter.OUTPUT_VALIDITY;
    Register at = global(target, frame.position(), bytes());
    put("st.global." + type, at(at, 0), value);
  }

  /** Returns a number of cells in the element type. */
  private Register asCell(Register count) {
    return switch (math.registers()) {
      case F32, F64 -> make(math.registers(), "cvt.rn." + memory() + ".s32", count);
      case B64 -> make(math.registers(), "cvt.s64.s32", count);
      default -> count;
    };
  }
}

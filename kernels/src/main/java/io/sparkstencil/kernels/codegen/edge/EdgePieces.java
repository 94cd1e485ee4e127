/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.edge;

import io.sparkstencil.kernels.codegen.KernelArguments;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.Operand;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import java.util.List;

/** The parameters of an edge kernel, and the pieces of its table. */
final class EdgePieces {
  private final PtxWriter k;
  private final KernelArguments arguments;

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
  record PieceRegisters(
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

  /** Declares and loads the parameters. */
  EdgePieces(PtxWriter writer, List<KernelParameter> parameters) {
    this.k = writer;
    this.arguments = new KernelArguments(writer, parameters);
  }

  Register argument(KernelParameter parameter) {
    return arguments.argument(parameter);
  }

  /** Loads the row of a piece. */
  PieceRegisters load(Register piece) {
    List<Register> row = arguments.pieceRow(piece);
    Register cells = row.get(1);
    Register left = argument(KernelParameter.LEFT);
    Register right = argument(KernelParameter.RIGHT);
    Register clippedLeft = clipped(row.get(2), left, argument(KernelParameter.PRECEDING), cells);
    Register clippedRight = clipped(row.get(3), right, argument(KernelParameter.FOLLOWING), cells);
    Register both = add(clippedLeft, clippedRight);
    Register clipped = k.b32("min.s32", both, cells);
    Register unclipped = subtract(cells, clipped);
    Register presentEnd = subtract(add(add(left, cells), right), row.get(3));
    return new PieceRegisters(row.get(0), clippedLeft, clipped, unclipped, row.get(2), presentEnd);
  }

  /** Returns how many outputs on one side have frames that reach into missing cells. */
  private Register clipped(Register missing, Register halo, Register reach, Register cells) {
    Register whole = add(subtract(missing, halo), reach);
    Register atLeastNone = k.b32("max.s32", whole, Literal.of(0));
    return k.b32("min.s32", atLeastNone, cells);
  }

  /** Returns the cells of the clipped output number {@code index}. */
  CutFrame frame(PieceRegisters piece, Register index) {
    Register onLeft = k.test("setp.lt.s32", index, piece.clippedLeft());
    Register fromRight = add(index, piece.unclipped());
    Register output = k.b32("selp.b32", index, fromRight, onLeft);
    Register center = add(output, argument(KernelParameter.LEFT));
    Register first =
        k.b32(
            "max.s32", subtract(center, argument(KernelParameter.PRECEDING)), piece.presentFirst());
    Register stop =
        k.b32(
            "min.s32",
            add(add(center, argument(KernelParameter.FOLLOWING)), Literal.of(1)),
            piece.presentEnd());
    return new CutFrame(
        add(piece.start(), output), add(piece.start(), first), add(piece.start(), stop));
  }

  private Register add(Register a, Operand b) {
    return k.b32("add.s32", a, b);
  }

  private Register subtract(Register a, Register b) {
    return k.b32("sub.s32", a, b);
  }
}

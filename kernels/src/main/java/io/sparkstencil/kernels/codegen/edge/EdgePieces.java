/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.edge;

import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.KernelWriter;
import io.sparkstencil.kernels.ptx.Register;
import java.util.List;

/** An edge kernel that is being written, with the pieces of its table. */
final class EdgePieces extends KernelWriter {
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

  EdgePieces(List<KernelParameter> parameters) {
    super(parameters);
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
}

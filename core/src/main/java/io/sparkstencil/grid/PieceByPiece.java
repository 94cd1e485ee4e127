/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import java.util.List;

/**
 * Takes a face from a block of the same process that is in memory of another kind: in one buffer,
 * or piece by piece if no array has room for it.
 */
public final class PieceByPiece {
  /** The cells of a piece. */
  private static final int PIECE_CELLS = 1 << 22;

  /** The most bytes of a cell. */
  private static final int CELL_BYTES = Long.BYTES;

  private PieceByPiece() {}

  /**
   * Fills the parts of a halo that another block has.
   *
   * @param first the first field
   * @param end the field after the last
   */
  public static void take(BlockFields giver, BlockFields taker, int first, int end) {
    take(giver, taker, first, end, FacePlan.MOST_BYTES / CELL_BYTES, PIECE_CELLS);
  }

  /**
   * Fills the parts of a halo that another block has.
   *
   * @param first the first field
   * @param end the field after the last
   * @param mostCells that are taken in one buffer
   * @param pieceCells those of a piece
   */
  public static void take(
      BlockFields giver, BlockFields taker, int first, int end, long mostCells, int pieceCells) {
    int block = giver.place().block();
    List<HaloPart> parts = taker.place().partsOf(block);
    if (FacePlan.cells(parts) * (end - first) <= mostCells) {
      taker.unpack(block, first, end, giver.pack(taker.place(), first, end));
      return;
    }
    for (HaloPart part : parts) {
      for (Box piece : part.from().pieces(pieceCells)) {
        for (int field = first; field < end; field++) {
          taker.load(field, piece.shifted(part.shift()), giver.cells(field, piece));
        }
      }
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.Box;
import io.sparkstencil.spark.catalyst.interop.Packed;
import io.sparkstencil.spark.catalyst.interop.PlacedRdd;
import io.sparkstencil.spark.grid.cells.CellPiece;
import io.sparkstencil.spark.grid.cells.FirstCells;
import java.io.Serializable;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Copies the cells of blocks into the block managers of their executors, as the partitions of an
 * RDD of {@link Packed} cells.
 *
 * @param rdd the number of the RDD
 * @param fields the number of fields
 * @param isLast whether the blocks leave their executors
 */
public record SnapshotAction(int rdd, int fields, boolean isLast) implements BlockAction {
  /** The cells that are copied together, of each field. */
  private static final int PIECE_CELLS = 1 << 16;

  @Override
  public Serializable apply(BlockFields block) {
    List<Integer> all = IntStream.range(0, fields).boxed().toList();
    List<Box> pieces = block.place().own().pieces(PIECE_CELLS);
    PlacedRdd.keep(
        rdd,
        block.place().block(),
        pieces.stream().map(piece -> piece(block, piece, all)).map(Packed::of).iterator(),
        Packed.type());
    return null;
  }

  private static FirstCells piece(BlockFields block, Box box, List<Integer> fields) {
    return new CellPiece(
        box, fields, fields.stream().map(field -> block.cells(field, box)).toList());
  }
}

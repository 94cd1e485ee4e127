/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import io.sparkstencil.kernels.codegen.PtxCells;
import io.sparkstencil.kernels.codegen.program.Variable;
import io.sparkstencil.kernels.codegen.program.rows.StageGhosts.Ghost;
import io.sparkstencil.kernels.ptx.Operand;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import java.util.OptionalInt;

/**
 * Writes how a level holds the boundary at the ends of rows. Registers of cells outside are filled
 * like others, with what lies there, and then overwritten by the outermost lane, which has their
 * values, where a tile is at an end.
 */
final class RowBoundary {
  /** Where the cells of a row are. */
  @FunctionalInterface
  interface Cells {
    /** Returns the register of a cell of a variable. */
    Register at(Variable variable, int column);
  }

  private final PtxWriter k;
  private final RowTile tile;
  private final Register leftmost;
  private final Register rightmost;

  /**
   * Prepares writing.
   *
   * @param leftmost whether the lane has the first cells of rows
   * @param rightmost whether the lane has the last cells of rows
   */
  RowBoundary(PtxWriter k, RowTile tile, Register leftmost, Register rightmost) {
    this.k = k;
    this.tile = tile;
    this.leftmost = leftmost;
    this.rightmost = rightmost;
  }

  /** Writes the values of those cells of the lane itself that are outside, in padding. */
  void holdOwn(int level, Cells row) {
    for (Ghost ghost : tile.schedule(level).ghosts().all()) {
      if (ghost.column() >= 0 && ghost.column() < tile.shape().cells()) {
        hold(level, ghost, row);
      }
    }
  }

  /** Writes the value of a cell that has been fetched from another lane, if it may be outside. */
  void holdFetched(int level, Variable variable, int column, Cells row) {
    for (Ghost ghost : tile.schedule(level).ghosts().all()) {
      if (ghost.variable().equals(variable) && ghost.column() == column) {
        hold(level, ghost, row);
      }
    }
  }

  private void hold(int level, Ghost ghost, Cells row) {
    OptionalInt source = ghost.source();
    Operand value =
        source.isPresent()
            ? row.at(ghost.variable(), source.getAsInt())
            : PtxCells.literal(tile.type(), tile.schedule(level).ghosts().constant(ghost));
    k.putIf(
        ghost.behind() ? rightmost : leftmost,
        "mov." + PtxCells.registers(tile.type()).declaration(),
        row.at(ghost.variable(), ghost.column()),
        value);
  }
}

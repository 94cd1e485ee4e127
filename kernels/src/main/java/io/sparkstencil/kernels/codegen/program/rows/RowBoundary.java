/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import io.sparkstencil.kernels.codegen.CellType;
import io.sparkstencil.kernels.codegen.program.Variable;
import io.sparkstencil.kernels.codegen.program.rows.StageGhosts.Column;
import io.sparkstencil.kernels.ptx.Operand;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes how a level holds the boundary. Registers of cells outside are filled like others, with
 * what lies there, and then overwritten where a tile is at an end:
 *
 * <ul>
 *   <li>those of columns as each row arrives, by the outermost lane, which has their values;
 *   <li>those of rows before the first one when the last row arrives that the level needs for its
 *       first row, by which time the rows with their values have come;
 *   <li>those of rows behind the last one as these arrive, from rows that have come before.
 * </ul>
 *
 * Rows come last and take whole rows, columns outside included: where both are outside, the rule of
 * the rows says which row it is, or has the value.
 */
final class RowBoundary {
  /** Where the cells are. */
  @FunctionalInterface
  interface Cells {
    /** Returns the register of a cell of a variable in a row, as the levels count these. */
    Register at(Variable variable, int row, int column);
  }

  /** An end of the rows, as the predicates tell it. */
  private record End(boolean behind, int distance) {}

  private final PtxWriter k;
  private final RowTile tile;
  private final Register leaving;
  private final Register size;
  private final Register leftmost;
  private final Register rightmost;
  private Register fromEnd;

  /**
   * Prepares writing.
   *
   * @param leaving the row of results that is complete when the next row arrives at the first level
   * @param size the rows of the fields
   * @param leftmost whether the lane has the first cells of rows; null if no columns are held
   * @param rightmost whether the lane has the last cells of rows; null if no columns are held
   */
  RowBoundary(
      PtxWriter k,
      RowTile tile,
      Register leaving,
      Register size,
      Register leftmost,
      Register rightmost) {
    this.k = k;
    this.tile = tile;
    this.leaving = leaving;
    this.size = size;
    this.leftmost = leftmost;
    this.rightmost = rightmost;
  }

  /** Begins a row. */
  void begin() {
    if (tile.ends().rows()) {
      fromEnd = k.b32("sub.s32", leaving, size);
    }
  }

  /**
   * Writes the values of cells outside, when a row has arrived at a level and its cells of other
   * lanes are there.
   *
   * @param arrived the row, as the levels count it
   */
  void hold(int level, int arrived, Cells cells) {
    StageGhosts ghosts = tile.schedule(level).ghosts();
    for (StageGhosts.OfColumn ghost : ghosts.ofColumns()) {
      Column column = ghost.column();
      Operand value =
          ghost.source().isPresent()
              ? cells.at(column.variable(), arrived, ghost.source().getAsInt())
              : constant(ghosts, column, 1, ghost.behind());
      Register target = cells.at(column.variable(), arrived, column.number());
      move(ghost.behind() ? rightmost : leftmost, target, value);
    }
    Map<End, Register> reached = new HashMap<>();
    for (StageGhosts.OfRow ghost : ghosts.ofRows()) {
      Column column = ghost.column();
      int last = ghost.behind() ? -ghost.distance() : -tile.schedule(level).high();
      int toSource = ghost.behind() ? -1 : 1;
      int row = arrived + last;
      Operand value =
          ghost.source().isPresent()
              ? cells.at(
                  column.variable(), row + toSource * ghost.source().getAsInt(), column.number())
              : constant(ghosts, column, 0, ghost.behind());
      Register target =
          cells.at(column.variable(), row - toSource * ghost.distance(), column.number());
      End end = new End(ghost.behind(), ghost.behind() ? ghost.distance() : 0);
      move(reached.computeIfAbsent(end, e -> reached(level, e)), target, value);
    }
  }

  /** Returns whether the row has arrived with which cells at an end are overwritten. */
  private Register reached(int level, End end) {
    int lag = tile.lag() - tile.lag(level);
    return end.behind()
        ? k.test("setp.eq.s32", fromEnd, end.distance() - 1 - lag)
        : k.test("setp.eq.s32", leaving, tile.schedule(level).high() - lag);
  }

  private Operand constant(StageGhosts ghosts, Column column, int axis, boolean behind) {
    return CellType.literal(tile.type(), ghosts.constant(column, axis, behind));
  }

  private void move(Register where, Register target, Operand value) {
    k.putIf(where, "mov." + CellType.registers(tile.type()).declaration(), target, value);
  }
}

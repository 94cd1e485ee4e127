/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.planes;

import io.sparkstencil.kernels.codegen.PtxCells;
import io.sparkstencil.kernels.codegen.program.HeldEnds;
import io.sparkstencil.kernels.codegen.program.planes.PlanePlan.Source;
import io.sparkstencil.kernels.ptx.Operand;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Reads the cells that a thread of a tile at an end of rows asks for. Those in columns outside are
 * copies of cells of the same thread, or constants.
 */
final class PlaneBoundary implements PlaneCells {
  private record Cell(Source source, int age, int row, int column) {}

  private final PtxWriter k;
  private final PlaneCells cells;
  private final HeldEnds ends;
  private final PlaneShape shape;
  private final PlaneFrame frame;
  private final ElementType type;

  /** Whether the lane has the first cells of rows. */
  private final Register leftmost;

  /** Whether the lane has the last cells of rows. */
  private final Register rightmost;

  private final Map<Cell, Operand> held = new HashMap<>();

  /**
   * Prepares reading.
   *
   * @param cells reads what lies there, also outside
   */
  PlaneBoundary(PtxWriter k, PlaneCells cells, PlaneTile tile, PlaneFrame frame) {
    this.k = k;
    this.cells = cells;
    ends = tile.ends();
    shape = tile.shape();
    this.frame = frame;
    type = tile.type();
    leftmost = k.test("setp.eq.and.s32", frame.lane, 0, frame.left);
    rightmost = k.test("setp.eq.and.s32", frame.lane, 31, frame.right);
  }

  @Override
  public void startPhase() {
    held.clear();
    cells.startPhase();
  }

  @Override
  public Operand cell(Source source, int age, int row, int column) {
    int last = shape.cells() - ends.padding() - 1;
    if (column >= 0 && column <= last) {
      return cells.cell(source, age, row, column);
    }
    Cell key = new Cell(source, age, row, column);
    Operand known = held.get(key);
    if (known == null) {
      known = inside(source, age, row, column, last);
      held.put(key, known);
    }
    return known;
  }

  /** Returns the value of a cell that is outside if the lane is at an end. */
  private Operand inside(Source source, int age, int row, int column, int last) {
    boolean behind = column > last;
    int distance = behind ? column - last : -column;
    OptionalInt from = ends.source(source.field(), PlaneTile.COLUMNS, behind, distance);
    Operand there = cells.cell(source, age, row, column);
    int owner = behind ? last - from.orElse(0) : from.orElse(0);
    if (owner < 0) {
      return there; // further than cells inside read
    }
    Operand value =
        from.isPresent()
            ? cells.cell(source, age, row, owner)
            : constant(source, row, ends.rule(source.field(), PlaneTile.COLUMNS, behind));
    return k.make(
        PtxCells.registers(type),
        "selp." + PtxCells.registers(type).declaration(),
        value,
        there,
        behind ? rightmost : leftmost);
  }

  /** Returns the constant of a column, but in a row outside that of the row if it has one. */
  private Operand constant(Source source, int row, Boundary rule) {
    Operand ofColumn = PtxCells.literal(type, rule.constant());
    boolean below = row >= shape.rows();
    if (!ends.rows() || (row >= 0 && !below)) {
      return ofColumn;
    }
    Boundary ofRows = ends.rule(source.field(), PlaneTile.ROWS, below);
    return ofRows.mode() != Boundary.Mode.CONSTANT
        ? ofColumn
        : k.make(
            PtxCells.registers(type),
            "selp." + PtxCells.registers(type).declaration(),
            PtxCells.literal(type, ofRows.constant()),
            ofColumn,
            outside(row, below));
  }

  /** Returns whether a row of a warp is outside. */
  private Register outside(int row, boolean below) {
    int warps = Math.abs(Math.floorDiv(row, shape.rows()));
    int first = below ? shape.warps() - warps : 0;
    Register inWarps =
        k.test("setp.ge.and.s32", frame.warp, first, below ? frame.bottom : frame.top);
    return below ? inWarps : k.test("setp.lt.and.s32", frame.warp, warps, inWarps);
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.planes;

import io.sparkstencil.kernels.codegen.program.FusedKernel.Layout;
import io.sparkstencil.kernels.codegen.program.FusedKernel.Span;
import io.sparkstencil.kernels.codegen.program.HeldEnds;
import io.sparkstencil.kernels.codegen.program.planes.PlaneMemory.Ring;
import io.sparkstencil.kernels.codegen.program.planes.PlanePlan.Level;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Node;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The tile of columns and rows of a block that streams planes: what it holds, and which of its
 * cells are results. A tile at an end at which the boundary is held begins or ends with the field,
 * and has no margin there.
 */
final class PlaneTile {
  /** The axis along which rows follow one another. */
  static final int ROWS = 1;

  /** The axis along which the cells of a row follow one another. */
  static final int COLUMNS = 2;

  private final PlanePlan plan;
  private final PlaneShape shape;
  private final ElementType type;
  private final HeldEnds ends;
  private final PlaneMemory memory;
  private final PlaneMargins margins;

  /**
   * Lays out a tile.
   *
   * @param ends the ends at which the boundary may be held; it is at those for which threads have
   *     all cells that cells outside are copies of
   */
  PlaneTile(PlanePlan plan, PlaneShape shape, ElementType type, HeldEnds ends) {
    this.plan = plan;
    this.shape = shape;
    this.type = type;
    memory = new PlaneMemory(plan, shape, type);
    margins = PlaneMargins.of(plan, memory, shape.cells());
    this.ends =
        ends.only(
            ends.rows() && ownRows(ends) && valid(ROWS) >= beside(ROWS),
            ends.columns() && ownColumns(ends) && valid(COLUMNS) >= beside(COLUMNS));
  }

  /** Tells whether the warps at both ends have all rows that rows outside are copies of. */
  private boolean ownRows(HeldEnds held) {
    return taps().allMatch(tap -> farthestSource(held, tap, ROWS) < shape.rows());
  }

  /**
   * Tells whether the lanes at both ends have all columns that columns outside are copies of, and
   * no other lane reads columns outside.
   */
  private boolean ownColumns(HeldEnds held) {
    return taps()
        .allMatch(
            tap -> {
              int offset = tap.offset().get(COLUMNS);
              int own = shape.cells() - (offset > 0 ? held.padding() : 0);
              return Math.abs(offset) <= own && farthestSource(held, tap, COLUMNS) < own;
            });
  }

  /** Tells whether a warp has all cells that it reads behind the barrier for a row of a level. */
  boolean hasAllFor(Level level, int row) {
    return plan.uses().stream()
        .filter(use -> use.level().equals(level) && use.phase() == 1)
        .mapToInt(use -> row + use.offset(ROWS))
        .allMatch(read -> read >= 0 && read < shape.rows());
  }

  /** Tells whether a warp has rows in each level for which it needs no other warp. */
  boolean hasRowsOfItsOwn() {
    return plan.levels().stream()
        .allMatch(level -> IntStream.range(0, shape.rows()).anyMatch(row -> hasAllFor(level, row)));
  }

  private Stream<Node.Tap> taps() {
    return plan.program().nodes().stream()
        .filter(Node.Tap.class::isInstance)
        .map(Node.Tap.class::cast);
  }

  private static int farthestSource(HeldEnds held, Node.Tap tap, int axis) {
    int offset = tap.offset().get(axis);
    return IntStream.rangeClosed(1, Math.abs(offset))
        .map(distance -> held.source(tap.field(), axis, offset > 0, distance).orElse(0))
        .max()
        .orElse(0);
  }

  PlanePlan plan() {
    return plan;
  }

  PlaneShape shape() {
    return shape;
  }

  ElementType type() {
    return type;
  }

  HeldEnds ends() {
    return ends;
  }

  PlaneMemory memory() {
    return memory;
  }

  PlaneMargins margins() {
    return margins;
  }

  /** Returns the columns of results of a tile that is at no end. */
  int validColumns() {
    return shape.columns() - margins.left() - margins.right();
  }

  /** Returns the rows of results of a tile that is at no end. */
  int validRows() {
    return shape.tileRows() - margins.above() - margins.below();
  }

  /** Returns the columns that are read behind those of a tile. */
  int besideColumns() {
    return mostOfRings(Ring::right) * shape.cells();
  }

  /** Returns the rows that are read below those of a tile. */
  int besideRows() {
    return mostOfRings(Ring::below);
  }

  private int valid(int axis) {
    return axis == ROWS ? validRows() : validColumns();
  }

  /** Returns the rows or columns that are read before those of a tile. */
  private int before(int axis) {
    return axis == ROWS ? mostOfRings(Ring::above) : mostOfRings(Ring::left) * shape.cells();
  }

  /** Returns the rows or columns that are read on both sides of a tile. */
  private int beside(int axis) {
    return before(axis) + (axis == ROWS ? besideRows() : besideColumns());
  }

  private int mostOfRings(ToIntFunction<Ring> what) {
    return memory.rings().values().stream().mapToInt(what).max().orElse(0);
  }

  private boolean holds(int axis) {
    return axis == ROWS ? ends.rows() : ends.columns();
  }

  /** Returns the rows or columns of an array that tiles may have. */
  private int size(Layout layout, int axis) {
    int size = layout.sizes().get(axis);
    int cells = shape.cells();
    return axis == ROWS ? size : (holds(axis) ? size + cells - 1 : size) / cells * cells;
  }

  /** Returns the first cell of results along an axis. */
  int low(int axis) {
    if (holds(axis)) {
      return 0;
    }
    return before(axis) + (axis == ROWS ? margins.above() : margins.left());
  }

  /** Returns the first cell behind the results along an axis. */
  int high(Layout layout, int axis) {
    if (holds(axis)) {
      return layout.sizes().get(axis);
    }
    return axis == ROWS
        ? size(layout, axis) - margins.below() - besideRows()
        : size(layout, axis) - margins.right() - besideColumns();
  }

  /** Returns whether an array has room for tiles along an axis. */
  boolean fits(Layout layout, int axis) {
    int valid = valid(axis);
    if (!holds(axis)) {
      return valid > 0 && high(layout, axis) - low(axis) >= valid;
    }
    if (axis == COLUMNS && ends.padding() != size(layout, axis) - layout.sizes().get(axis)) {
      return false; // rows end elsewhere in their last chunk
    }
    int moved = size(layout, axis) - tileSize(axis);
    return valid > 0 && (moved == 0 || moved >= beside(axis));
  }

  private int tileSize(int axis) {
    return axis == ROWS ? shape.tileRows() : shape.columns();
  }

  /** Returns where the results of the first tile start, but those at an end that is held. */
  int first(Span results, int axis) {
    int margin = axis == ROWS ? margins.above() : margins.left();
    return holds(axis) ? margin : results.low().get(axis);
  }

  /** Returns where the results of the last tile start. */
  int last(Layout layout, Span results, int axis) {
    return holds(axis)
        ? size(layout, axis) - tileSize(axis) + first(results, axis)
        : results.high().get(axis) - valid(axis);
  }

  /** Returns the tiles along an axis. */
  int tiles(Layout layout, Span results, int axis) {
    int valid = valid(axis);
    int moved = last(layout, results, axis) - first(results, axis);
    return 1 + (moved + valid - 1) / valid;
  }
}

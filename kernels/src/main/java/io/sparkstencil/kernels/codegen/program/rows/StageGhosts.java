/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import io.sparkstencil.kernels.codegen.program.Variable;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.Stage;
import io.sparkstencil.program.StencilProgram;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The cells outside a field that a stage reads where the boundary is held, and where their values
 * come from. Distances count from the cell at the end of the axis.
 */
final class StageGhosts {
  /** Cells of a variable in one column, counted from the first one of a lane. */
  record Column(Variable variable, int number) {}

  /**
   * A cell in a row outside.
   *
   * @param behind whether the row is behind the last one, or else before the first
   * @param distance of the row from the one at that end, at least 1
   * @param source the distance of the row with the value, in the same column; nothing if that is a
   *     constant
   */
  record OfRow(Column column, boolean behind, int distance, OptionalInt source) {}

  /**
   * A column outside.
   *
   * @param behind whether it is behind the last one, or else before the first
   * @param source the column of the same lane with the values; nothing if these are a constant
   */
  record OfColumn(Column column, boolean behind, OptionalInt source) {}

  /** How far something is read, before and behind. */
  private record Reach(int before, int behind) {
    Reach to(int offset) {
      return new Reach(Math.max(before, -offset), Math.max(behind, offset));
    }
  }

  private final RowEnds ends;
  private final int cells;
  private final Map<Column, Reach> rowReach = new LinkedHashMap<>();
  private final Map<Variable, Reach> columnReach = new LinkedHashMap<>();

  /**
   * Finds the cells.
   *
   * @param cells neighbouring cells of a row that one lane owns
   */
  StageGhosts(StencilProgram program, Stage stage, int cells, RowEnds ends) {
    this.ends = ends;
    this.cells = cells;
    for (int node : stage.order()) {
      if (program.nodes().get(node) instanceof Node.Tap tap) {
        Variable variable = new Variable(tap.field(), tap.updated());
        int row = tap.offset().get(0);
        int column = tap.offset().get(1);
        for (int c = 0; c < cells; c++) {
          rowReach.compute(new Column(variable, c + column), (key, reach) -> and(reach, row));
        }
        columnReach.compute(variable, (key, reach) -> and(reach, column));
      }
    }
  }

  private static Reach and(Reach reach, int offset) {
    return (reach == null ? new Reach(0, 0) : reach).to(offset);
  }

  /**
   * Returns whether the lanes at the ends of a row own all cells whose values are found outside,
   * and no other lane reads cells outside.
   */
  boolean fit() {
    return !ends.columns()
        || columnReach.values().stream()
            .allMatch(reach -> reach.before() < cells && reach.behind() + ends.padding() < cells);
  }

  /** Returns the cells outside in rows. */
  List<OfRow> ofRows() {
    List<OfRow> ghosts = new ArrayList<>();
    if (ends.rows()) {
      rowReach.forEach(
          (column, reach) -> {
            addRows(column, false, reach.before(), ghosts);
            addRows(column, true, reach.behind(), ghosts);
          });
    }
    return ghosts;
  }

  private void addRows(Column column, boolean behind, int most, List<OfRow> ghosts) {
    int field = column.variable().field();
    for (int distance = 1; distance <= most; distance++) {
      ghosts.add(new OfRow(column, behind, distance, ends.source(field, 0, behind, distance)));
    }
  }

  /** Returns the columns outside. */
  List<OfColumn> ofColumns() {
    List<OfColumn> ghosts = new ArrayList<>();
    if (ends.columns()) {
      rowReach.keySet().forEach(column -> addColumn(column, ghosts));
    }
    return ghosts;
  }

  private void addColumn(Column column, List<OfColumn> ghosts) {
    int field = column.variable().field();
    int last = cells - ends.padding() - 1;
    int before = -column.number();
    int behind = column.number() - last;
    if (before > 0) {
      ghosts.add(new OfColumn(column, false, ends.source(field, 1, false, before)));
    } else if (behind > 0 && behind <= columnReach.get(column.variable()).behind()) {
      OptionalInt source = ends.source(field, 1, true, behind);
      ghosts.add(
          new OfColumn(
              column,
              true,
              source.isPresent() ? OptionalInt.of(last - source.getAsInt()) : source));
    }
  }

  /** Returns the last row whose cells become those of rows before the first; 0 if there is none. */
  int lastSource() {
    return ofRows().stream()
        .filter(ghost -> !ghost.behind())
        .mapToInt(ghost -> ghost.source().orElse(0))
        .max()
        .orElse(0);
  }

  /** Returns the rule's constant for a cell outside. */
  double constant(Column column, int axis, boolean behind) {
    return ends.rule(column.variable().field(), axis, behind).constant();
  }
}

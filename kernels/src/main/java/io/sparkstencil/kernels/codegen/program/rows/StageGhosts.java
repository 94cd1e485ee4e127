/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import io.sparkstencil.kernels.codegen.program.HeldEnds;
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
 * The columns outside a field that a stage reads where the boundary is held, and where their values
 * come from.
 */
final class StageGhosts {
  /** The axis along which rows are. */
  private static final int AXIS = 1;

  /**
   * A column outside.
   *
   * @param column counted from the first one of the lane at the end
   * @param behind whether it is behind the last one, or else before the first
   * @param source the column of the same lane with the values; nothing if these are a constant
   */
  record Ghost(Variable variable, int column, boolean behind, OptionalInt source) {}

  /** How far something is read, before and behind. */
  private record Reach(int before, int behind) {
    static Reach to(int offset) {
      return new Reach(Math.max(0, -offset), Math.max(0, offset));
    }

    Reach or(Reach other) {
      return new Reach(Math.max(before, other.before), Math.max(behind, other.behind));
    }
  }

  private final HeldEnds ends;
  private final int cells;
  private final Map<Variable, Reach> reaches = new LinkedHashMap<>();
  private final List<Ghost> ghosts = new ArrayList<>();

  /**
   * Finds the cells.
   *
   * @param cells neighbouring cells of a row that one lane owns
   */
  StageGhosts(StencilProgram program, Stage stage, int cells, HeldEnds ends) {
    this.ends = ends;
    this.cells = cells;
    for (int node : stage.order()) {
      if (program.nodes().get(node) instanceof Node.Tap tap) {
        Variable variable = new Variable(tap.field(), tap.updated());
        reaches.merge(variable, Reach.to(tap.offset().get(AXIS)), Reach::or);
      }
    }
    if (ends.columns()) {
      reaches.forEach(this::add);
    }
  }

  private void add(Variable variable, Reach reach) {
    int last = cells - ends.padding() - 1;
    for (int distance = 1; distance <= reach.before(); distance++) {
      OptionalInt source = ends.source(variable.field(), AXIS, false, distance);
      ghosts.add(new Ghost(variable, -distance, false, source));
    }
    for (int distance = 1; distance <= reach.behind(); distance++) {
      OptionalInt source = ends.source(variable.field(), AXIS, true, distance);
      OptionalInt column =
          source.isPresent() ? OptionalInt.of(last - source.getAsInt()) : OptionalInt.empty();
      ghosts.add(new Ghost(variable, last + distance, true, column));
    }
  }

  /**
   * Returns whether the lanes at the ends of a row own all cells whose values are found outside,
   * and no other lane reads cells outside.
   */
  boolean fit() {
    return !ends.columns()
        || reaches.values().stream()
            .allMatch(reach -> reach.before() < cells && reach.behind() + ends.padding() < cells);
  }

  /** Returns the columns outside. */
  List<Ghost> all() {
    return ghosts;
  }

  /** Returns the rule's constant for a column outside. */
  double constant(Ghost ghost) {
    return ends.rule(ghost.variable().field(), AXIS, ghost.behind()).constant();
  }
}

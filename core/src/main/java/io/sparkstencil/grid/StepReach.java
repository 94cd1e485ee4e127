/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import io.sparkstencil.model.Boundary.Mode;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.Stage;
import io.sparkstencil.program.StencilProgram;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * How far into an array wrong values advance in one step of a program from an end that is not an
 * end of the grid.
 *
 * <p>At such an end, cells outside are taken by the boundary rule of the array, and are wrong. In
 * one stage, a wrong value reaches cells that are no further than the stage's taps, so a step moves
 * it by the sum over its stages; a union over taps would not do, as taps of two stages in opposite
 * directions cancel in it, though the cells between are wrong.
 *
 * <p>At the ends of the grid the rules reflect, mirror and nearest take a cell inside for one
 * outside. They never increase the distance of two positions. A tap of distance {@code d} at {@code
 * p} therefore still reads within {@code d} of {@code p}, but perhaps on the other side: along axes
 * that do not wrap, both sides count alike. A tap so far outside that its position is reflected at
 * the far end, too, reads across the whole axis; an extended box that reaches so far is the whole
 * axis, and has the grid's own ends.
 *
 * @param low the cells per step from the low end, one per axis, slowest first
 * @param high the cells per step from the high end
 * @param periodic whether every field wraps along an axis
 * @param mixed whether some fields wrap along an axis and others do not
 */
public record StepReach(
    List<Integer> low, List<Integer> high, List<Boolean> periodic, List<Boolean> mixed)
    implements Serializable {
  /** Copies the lists. */
  public StepReach {
    low = List.copyOf(low);
    high = List.copyOf(high);
    periodic = List.copyOf(periodic);
    mixed = List.copyOf(mixed);
  }

  /** Returns the reach of a step of a program. */
  public static StepReach of(StencilProgram program) {
    ProgramTraits traits = ProgramTraits.of(program);
    List<Integer> low = new ArrayList<>();
    List<Integer> high = new ArrayList<>();
    List<Boolean> periodic = new ArrayList<>();
    List<Boolean> mixed = new ArrayList<>();
    for (int each = 0; each < program.dimensions(); each++) {
      int axis = each;
      long wrapping =
          program.boundaries().stream()
              .filter(boundary -> boundary.low().get(axis).mode() == Mode.WRAP)
              .count();
      boolean all = wrapping == program.boundaries().size();
      periodic.add(all);
      mixed.add(wrapping > 0 && !all);
      int before = 0;
      int after = 0;
      for (Stage stage : traits.stages()) {
        int stageLow = distance(traits, stage, axis, -1);
        int stageHigh = distance(traits, stage, axis, 1);
        before += all ? stageLow : Math.max(stageLow, stageHigh);
        after += all ? stageHigh : Math.max(stageLow, stageHigh);
      }
      low.add(before);
      high.add(after);
    }
    return new StepReach(low, high, periodic, mixed);
  }

  /** Returns the largest distance of a stage's taps along an axis in one direction. */
  private static int distance(ProgramTraits traits, Stage stage, int axis, int direction) {
    int distance = 0;
    for (int node : stage.order()) {
      if (traits.program().nodes().get(node) instanceof Node.Tap tap) {
        distance = Math.max(distance, direction * tap.offset().get(axis));
      }
    }
    return distance;
  }
}

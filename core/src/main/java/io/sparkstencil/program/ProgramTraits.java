/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import io.sparkstencil.model.Accuracy;
import java.util.List;

/**
 * What follows from a program: how far it reaches and how much it computes.
 *
 * @param program the program as engines run it, with sums of products fused if its accuracy says so
 * @param stages the stages of a step
 * @param reach how far a step reads the old cells of each field, all stages together
 */
public record ProgramTraits(StencilProgram program, List<Stage> stages, List<Reach> reach) {
  /** Returns the traits of a program. */
  public static ProgramTraits of(StencilProgram program) {
    StencilProgram lowered =
        program.accuracy() == Accuracy.EXACT ? program : Contraction.contract(program);
    return new ProgramTraits(lowered, lowered.stages(), Reach.ofStep(lowered));
  }

  /**
   * Returns the traits of the program over cells of which none is NaN, for one step, with the same
   * bits.
   */
  public ProgramTraits nanFree() {
    StencilProgram rest = NanFreeProgram.of(program);
    return new ProgramTraits(rest, rest.stages(), Reach.ofStep(rest));
  }

  /** Returns how far one stage reads a field. */
  public Reach reach(Stage stage, int field, boolean updated) {
    int[] low = new int[program.dimensions()]; // asked for thousands of taps for each kernel tried
    int[] high = new int[program.dimensions()];
    for (int node : stage.order()) {
      if (program.nodes().get(node) instanceof Node.Tap tap
          && tap.field() == field
          && tap.updated() == updated) {
        for (int axis = 0; axis < low.length; axis++) {
          int offset = tap.offset().get(axis);
          low[axis] = Math.max(low[axis], -offset);
          high[axis] = Math.max(high[axis], offset);
        }
      }
    }
    return Reach.of(low, high);
  }

  /**
   * Returns the operations per cell and step, as written; a fused multiplication and addition
   * counts as one.
   */
  public int operations() {
    return (int)
        stages.stream()
            .flatMap(stage -> stage.order().stream())
            .filter(node -> program.nodes().get(node) instanceof Node.Apply)
            .count();
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.program.FieldBoundary;
import io.sparkstencil.program.StencilProgram;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The axes along which cells differ from their neighbours. Along an axis of one cell, all
 * neighbours are that cell, unless a boundary puts a constant there.
 *
 * @param varies whether they do, for each axis
 */
record VaryingAxes(List<Boolean> varies) {
  /** Copies the list. */
  VaryingAxes {
    varies = List.copyOf(varies);
  }

  /** Returns axes along all of which cells differ. */
  static VaryingAxes all(int dimensions) {
    return new VaryingAxes(Collections.nCopies(dimensions, true));
  }

  /**
   * Returns those of a grid; all of them if it has only one cell.
   *
   * @param program a step, with its boundaries
   */
  static VaryingAxes of(List<Long> shape, StencilProgram program) {
    List<Boolean> varies =
        IntStream.range(0, shape.size())
            .mapToObj(axis -> shape.get(axis) > 1 || constantBeside(axis, program))
            .toList();
    return varies.contains(true) ? new VaryingAxes(varies) : all(shape.size());
  }

  private static boolean constantBeside(int axis, StencilProgram program) {
    return program.boundaries().stream().anyMatch(rules -> isConstant(rules, axis));
  }

  private static boolean isConstant(FieldBoundary rules, int axis) {
    return rules.low().get(axis).mode() == Boundary.Mode.CONSTANT
        || rules.high().get(axis).mode() == Boundary.Mode.CONSTANT;
  }

  int dimensions() {
    return varies.size();
  }

  /** Returns the number of axes along which cells differ. */
  int count() {
    return (int) varies.stream().filter(each -> each).count();
  }
}

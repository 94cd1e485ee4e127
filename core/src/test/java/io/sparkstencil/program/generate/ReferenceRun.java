/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.generate;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.reference.ProgramReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs programs by the reference, on cells of type double. */
final class ReferenceRun {
  private ReferenceRun() {}

  /** Gives the value of a cell from its position. */
  @FunctionalInterface
  interface Cells {
    double at(int... position);
  }

  static double[] cells(Extent extent, Cells cells) {
    double[] values = new double[extent.cells()];
    for (int cell = 0; cell < values.length; cell++) {
      values[cell] = cells.at(position(extent, cell));
    }
    return values;
  }

  static int[] position(Extent extent, int cell) {
    int[] position = new int[extent.dimensions()];
    int rest = cell;
    for (int axis = position.length - 1; axis >= 0; axis--) {
      position[axis] = rest % extent.size(axis);
      rest /= extent.size(axis);
    }
    return position;
  }

  /** Runs a program whose other fields begin as NaN, and returns the cells of u. */
  static double[] steps(StencilProgram program, Extent extent, int steps, double[] u) {
    return steps(program, extent, steps, Map.of("u", u));
  }

  /** Runs a program and returns the cells of u; fields without cells begin as NaN. */
  static double[] steps(
      StencilProgram program, Extent extent, int steps, Map<String, double[]> fields) {
    double[] missing = cells(extent, position -> Double.NaN);
    List<Object> arrays = new ArrayList<>();
    for (String name : program.fields()) {
      arrays.add(fields.getOrDefault(name, missing).clone());
    }
    ProgramReference.run(
        program, new ProgramArrays(ElementType.F64, extent, arrays), ParameterValues.NONE, steps);
    return (double[]) arrays.get(program.field("u"));
  }
}

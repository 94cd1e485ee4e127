/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.Operation;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.StencilProgram;
import java.util.ArrayList;
import java.util.List;

/**
 * A program as instructions.
 *
 * @param traits the program and what follows from it
 * @param stages the instructions of each stage
 * @param scalars what is the same for all cells of a step
 * @param temporaries the number of temporaries that a run needs
 */
record ProgramCode(
    ProgramTraits traits, List<List<Instruction>> stages, List<Scalar> scalars, int temporaries) {
  /**
   * A number that is the same for all cells of a step.
   *
   * @param node the node that computes it, or {@link #UNIT} for 1
   * @param negated whether the sign is changed
   */
  record Scalar(int node, boolean negated) {
    static final int UNIT = -1;

    boolean isUnit() {
      return node == UNIT;
    }
  }

  /** Returns the bytes that a tile holds for one cell. */
  long bytesPerCell(ElementType type) {
    StencilProgram program = traits.program();
    return (long) type.bytes() * (program.fields().size() + program.updates().size());
  }

  /** Returns the bytes that the instructions of a step read and write for one cell. */
  long bytesPerStep(ElementType type) {
    return stages.stream()
            .flatMap(List::stream)
            .mapToLong(instruction -> instruction.sources().size() + 1)
            .sum()
        * type.bytes();
  }

  /** Returns the values of all scalars in a step, in the arithmetic of the element type. */
  double[] scalarValues(ParameterValues parameters, long step, boolean singlePrecision) {
    List<Node> nodes = traits.program().nodes();
    double[] values = new double[nodes.size()];
    boolean[] known = new boolean[nodes.size()];
    for (int i = 0; i < values.length; i++) {
      Node node = nodes.get(i);
      if (node instanceof Node.Constant constant) {
        values[i] = constant.value();
        known[i] = true;
      } else if (node instanceof Node.Parameter parameter) {
        values[i] = parameters.value(parameter.index(), step);
        known[i] = true;
      } else if (node instanceof Node.Apply apply
          && apply.operands().stream().allMatch(operand -> known[operand])) {
        values[i] = apply(apply, values, singlePrecision);
        known[i] = true;
      }
      if (singlePrecision) {
        values[i] = (float) values[i];
      }
    }
    double[] scalarValues = new double[scalars.size()];
    for (int i = 0; i < scalarValues.length; i++) {
      Scalar scalar = scalars.get(i);
      double value = scalar.isUnit() ? 1 : values[scalar.node()];
      scalarValues[i] = scalar.negated() ? -value : value;
    }
    return scalarValues;
  }

  private static double apply(Node.Apply apply, double[] values, boolean singlePrecision) {
    List<Integer> operands = new ArrayList<>(apply.operands());
    while (operands.size() < 3) {
      operands.add(operands.get(0));
    }
    double a = values[operands.get(0)];
    double b = values[operands.get(1)];
    double c = values[operands.get(2)];
    Operation operation = apply.operation();
    return singlePrecision
        ? operation.apply((float) a, (float) b, (float) c)
        : operation.apply(a, b, c);
  }
}

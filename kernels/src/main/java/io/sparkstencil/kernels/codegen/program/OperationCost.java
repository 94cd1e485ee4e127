/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.Operation;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.Stage;

/** What the operations of a program cost, in turns of a scheduler of a multiprocessor. */
public final class OperationCost {
  /** Turns of an instruction on doubles: there are half as many units for them. */
  static final int DOUBLE_TURNS = 2;

  /** Turns of the schedulers of an H200 in which one byte is copied from or to memory. */
  public static final double TURNS_PER_BYTE = 132 * 4 * 1.98e9 / 4.2e12;

  private OperationCost() {}

  /** Returns the turns of all operations of a step for one cell of each of 32 lanes. */
  public static int ofStep(ProgramTraits traits, ElementType type) {
    int turns = 0;
    for (Stage stage : traits.stages()) {
      for (int node : stage.order()) {
        if (traits.program().nodes().get(node) instanceof Node.Apply apply) {
          turns += turns(apply.operation(), type == ElementType.F64 ? DOUBLE_TURNS : 1);
        }
      }
    }
    return turns;
  }

  private static int turns(Operation operation, int turns) {
    return switch (operation) {
      case ADD, SUBTRACT, MULTIPLY, FMA, LESS, LESS_OR_EQUAL, EQUAL -> turns;
      case MIN, MAX -> 2 * turns + 1;
      // a division or a root is a loop of multiplications and additions
      case DIVIDE, SQRT -> 10 * turns;
      case NEGATE, ABS, SELECT, NOT, AND, OR -> 1;
    };
  }
}

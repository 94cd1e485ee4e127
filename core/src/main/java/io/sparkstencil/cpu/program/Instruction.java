/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

import io.sparkstencil.program.Operation;
import java.util.List;

/**
 * An operation on all cells of a run.
 *
 * @param kind what is computed
 * @param sources the operands
 * @param weights one index of {@link ProgramCode#scalars} per source of a sum, else none
 * @param target an index of temporaries, or of an updated field
 * @param toField whether the target is a field
 */
record Instruction(
    Opcode kind, List<Source> sources, List<Integer> weights, int target, boolean toField) {
  /** The most terms of a sum; longer ones take several instructions. */
  static final int MAX_TERMS = 9;

  /** What an instruction computes. */
  enum Opcode {
    /** Sources times weights, added from left to right, each product and sum rounded. */
    SUM,
    /** The same, but each product after the first is added with one rounding. */
    FUSED_SUM,
    MULTIPLY,
    DIVIDE,
    ABS,
    SQRT,
    MIN,
    MAX,
    /** The lesser of two sources, neither of which is NaN. */
    MIN_OF_NUMBERS,
    /** The greater of two sources, neither of which is NaN. */
    MAX_OF_NUMBERS,
    FMA,
    /** The product of two sources, rounded, plus a third. */
    PRODUCT_PLUS,
    LESS,
    LESS_OR_EQUAL,
    EQUAL,
    NOT,
    AND,
    OR,
    SELECT;

    /** Returns the kind of an operation that is no sum. */
    static Opcode of(Operation operation) {
      return switch (operation) {
        case NEGATE, ADD, SUBTRACT -> throw new IllegalArgumentException(operation + " is a sum");
        default -> valueOf(operation.name());
      };
    }
  }
}

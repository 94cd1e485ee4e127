/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.error.InvalidStencilException;
import java.util.List;

/**
 * A number, or a condition, that has a value at each cell. Expressions are immutable and compute
 * nothing; a {@link StencilProgram} does. Operations are applied in the order in which they are
 * written.
 *
 * <pre>{@code
 * StencilProgram capped =
 *     StencilProgram.of(
 *         1,
 *         builder -> {
 *           Field u = builder.field("u");
 *           Expression change = u.at(1).minus(u.here());
 *           builder.update(u, u.here().plus(change.times(0.5)).min(Expression.constant(10)));
 *         });
 * }</pre>
 */
public sealed interface Expression {
  /**
   * The cell of a field at a fixed distance.
   *
   * @param field the name of the field
   * @param updated whether the cell has the value that this step gives it, and not the old one
   * @param offset one distance per axis, slowest axis first, in cells
   */
  record Tap(String field, boolean updated, List<Integer> offset) implements Expression {
    /** Copies the offset, and checks that no distance is too large. */
    public Tap {
      requireNonNull(field, "field is null");
      offset = List.copyOf(offset);
      for (int distance : offset) {
        if (Math.abs((long) distance) > StencilProgram.MAX_RADIUS) {
          throw new InvalidStencilException(
              "%s%s reaches %d cells, more than %d; use windows for wide frames"
                  .formatted(field, offset, Math.abs((long) distance), StencilProgram.MAX_RADIUS));
        }
      }
    }
  }

  /**
   * A number that never changes. It is rounded to the element type once.
   *
   * @param value a finite number
   */
  record Constant(double value) implements Expression {
    /** Checks that the number is finite. */
    public Constant {
      if (!Double.isFinite(value)) {
        throw new InvalidStencilException(
            "constant %s is not finite; use finite numbers".formatted(value));
      }
    }
  }

  /**
   * A number that is the same for all cells, and may change from step to step.
   *
   * @param name the name by which a value is given
   */
  record Parameter(String name) implements Expression {
    /** Checks that there is a name. */
    public Parameter {
      requireNonNull(name, "name is null");
    }
  }

  /**
   * The position of the cell along an axis, from 0, rounded to the element type.
   *
   * @param axis the axis, slowest first
   */
  record Coordinate(int axis) implements Expression {}

  /**
   * An operation and its operands.
   *
   * @param operation what is computed
   * @param operands as many as the operation takes
   */
  record Apply(Operation operation, List<Expression> operands) implements Expression {
    /** Checks the number of operands, and which of them are conditions. */
    public Apply {
      operands = List.copyOf(operands);
      if (operands.size() != operation.arity()) {
        throw new InvalidStencilException(
            "%s takes %d operands, but got %d"
                .formatted(operation, operation.arity(), operands.size()));
      }
      for (int i = 0; i < operands.size(); i++) {
        if (operands.get(i).isCondition() != operation.takesCondition(i)) {
          throw new InvalidStencilException(
              operation.takesCondition(i)
                  ? "a number is used as a condition; compare it, as in u > 0"
                  : "a condition is used as a number; choose numbers by it: where(u > 0, 1, 0), in Java select");
        }
      }
      if (operation == Operation.DIVIDE
          && operands.get(1) instanceof Constant divisor
          && divisor.value() == 0) {
        throw new InvalidStencilException(
            "division by the constant 0; use another divisor, or choose by where(...), in Java select");
      }
    }
  }

  /** Returns a number that never changes. */
  static Expression constant(double value) {
    return new Constant(value);
  }

  /** Returns the number {@code whenTrue} where the condition holds, else {@code otherwise}. */
  static Expression select(Expression condition, Expression whenTrue, Expression otherwise) {
    return apply(Operation.SELECT, condition, whenTrue, otherwise);
  }

  /** Returns {@code a * b + c}, rounded once. */
  static Expression fma(Expression a, Expression b, Expression c) {
    return apply(Operation.FMA, a, b, c);
  }

  private static Expression apply(Operation operation, Expression... operands) {
    return new Apply(operation, List.of(operands));
  }

  /** Returns whether this is a condition, and not a number. */
  default boolean isCondition() {
    return this instanceof Apply apply && apply.operation().isCondition();
  }

  /** Returns {@code this + other}. */
  default Expression plus(Expression other) {
    return apply(Operation.ADD, this, other);
  }

  /** Returns {@code this + other}. */
  default Expression plus(double other) {
    return plus(constant(other));
  }

  /** Returns {@code this - other}. */
  default Expression minus(Expression other) {
    return apply(Operation.SUBTRACT, this, other);
  }

  /** Returns {@code this - other}. */
  default Expression minus(double other) {
    return minus(constant(other));
  }

  /** Returns {@code this * other}. */
  default Expression times(Expression other) {
    return apply(Operation.MULTIPLY, this, other);
  }

  /** Returns {@code this * other}. */
  default Expression times(double other) {
    return times(constant(other));
  }

  /** Returns {@code this / other}. */
  default Expression over(Expression other) {
    return apply(Operation.DIVIDE, this, other);
  }

  /** Returns {@code this / other}. */
  default Expression over(double other) {
    return over(constant(other));
  }

  /** Returns {@code -this}. */
  default Expression negated() {
    return apply(Operation.NEGATE, this);
  }

  /** Returns the absolute value. */
  default Expression abs() {
    return apply(Operation.ABS, this);
  }

  /** Returns the square root, NaN for numbers below 0. */
  default Expression sqrt() {
    return apply(Operation.SQRT, this);
  }

  /** Returns the lesser of the two; NaN is greater than every other number. */
  default Expression min(Expression other) {
    return apply(Operation.MIN, this, other);
  }

  /** Returns the greater of the two; NaN is greater than every other number. */
  default Expression max(Expression other) {
    return apply(Operation.MAX, this, other);
  }

  /** Returns the condition {@code this < other}. */
  default Expression lessThan(Expression other) {
    return apply(Operation.LESS, this, other);
  }

  /** Returns the condition {@code this <= other}. */
  default Expression atMost(Expression other) {
    return apply(Operation.LESS_OR_EQUAL, this, other);
  }

  /** Returns the condition that both are equal; -0.0 equals 0.0, and NaN equals nothing. */
  default Expression equalTo(Expression other) {
    return apply(Operation.EQUAL, this, other);
  }

  /** Returns the condition that this condition does not hold. */
  default Expression not() {
    return apply(Operation.NOT, this);
  }

  /** Returns the condition that both conditions hold. */
  default Expression and(Expression other) {
    return apply(Operation.AND, this, other);
  }

  /** Returns the condition that one of the conditions holds, or both. */
  default Expression or(Expression other) {
    return apply(Operation.OR, this, other);
  }
}

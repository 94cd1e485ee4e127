/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import io.sparkstencil.model.CellOrder;

/**
 * An operation on numbers or conditions. Every operation on numbers rounds its result once, to the
 * element type; {@code float} and {@code double} follow IEEE 754.
 *
 * <p>Conditions are 1 where they hold and 0 elsewhere. Comparisons with NaN do not hold.
 *
 * <pre>{@code
 * double least = Operation.MIN.apply(2.0, Double.NaN, 0); // 2.0: NaN is the greatest
 * }</pre>
 */
public enum Operation {
  /** {@code -a}. */
  NEGATE(1),
  /** The number without its sign. */
  ABS(1),
  /** The square root, NaN for numbers below 0. */
  SQRT(1),
  /** {@code a + b}. */
  ADD(2),
  /** {@code a - b}. */
  SUBTRACT(2),
  /** {@code a * b}. */
  MULTIPLY(2),
  /** {@code a / b}: infinite or NaN where {@code b} is 0. */
  DIVIDE(2),
  /** The lesser operand in Spark's order, the first of equals; see {@link CellOrder}. */
  MIN(2),
  /** The greater operand in Spark's order, the first of equals; see {@link CellOrder}. */
  MAX(2),
  /** {@code a * b + c}, rounded once. */
  FMA(3),
  /** The condition {@code a < b}. */
  LESS(2),
  /** The condition {@code a <= b}. */
  LESS_OR_EQUAL(2),
  /** The condition {@code a == b}; -0.0 equals 0.0. */
  EQUAL(2),
  /** The condition that another does not hold. */
  NOT(1),
  /** The condition that both hold. */
  AND(2),
  /** The condition that one of two holds, or both. */
  OR(2),
  /** The second operand where the first, a condition, holds; the third elsewhere. */
  SELECT(3);

  private final int arity;

  Operation(int arity) {
    this.arity = arity;
  }

  /** Returns the number of operands. */
  public int arity() {
    return arity;
  }

  /** Returns whether the result is a condition. */
  public boolean isCondition() {
    return compares() || combines();
  }

  /** Returns whether operand {@code index} must be a condition. */
  public boolean takesCondition(int index) {
    return combines() || (this == SELECT && index == 0);
  }

  /** Returns whether this compares two numbers. */
  public boolean compares() {
    return this == LESS || this == LESS_OR_EQUAL || this == EQUAL;
  }

  private boolean combines() {
    return this == NOT || this == AND || this == OR;
  }

  /** Returns the result for operands of type {@code double}; unused operands are ignored. */
  public double apply(double a, double b, double c) {
    return switch (this) {
      case NEGATE -> -a;
      case ABS -> Math.abs(a);
      case SQRT -> Math.sqrt(a);
      case ADD -> a + b;
      case SUBTRACT -> a - b;
      case MULTIPLY -> a * b;
      case DIVIDE -> a / b;
      case MIN -> CellOrder.less(b, a) ? b : a;
      case MAX -> CellOrder.less(a, b) ? b : a;
      case FMA -> Math.fma(a, b, c);
      case LESS -> a < b ? 1 : 0;
      case LESS_OR_EQUAL -> a <= b ? 1 : 0;
      case EQUAL -> a == b ? 1 : 0;
      case NOT -> 1 - a;
      case AND -> a * b;
      case OR -> Math.max(a, b);
      case SELECT -> a != 0 ? b : c;
    };
  }

  /** Returns the result for operands of type {@code float}; unused operands are ignored. */
  public float apply(float a, float b, float c) {
    return switch (this) {
      case ADD -> a + b;
      case SUBTRACT -> a - b;
      case MULTIPLY -> a * b;
      case DIVIDE -> a / b;
      case FMA -> Math.fma(a, b, c);
      // exact in double, or, for a root, with the same result after rounding to float
      case NEGATE, ABS, SQRT, MIN, MAX, LESS, LESS_OR_EQUAL, EQUAL, NOT, AND, OR, SELECT ->
          (float) apply((double) a, b, c);
    };
  }
}

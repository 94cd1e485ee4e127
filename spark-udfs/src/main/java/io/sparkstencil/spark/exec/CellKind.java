/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;

/** The type of a numeric column, and what stencils over it are staged as and return. */
public enum CellKind {
  BYTE,
  SHORT,
  INT,
  LONG,
  FLOAT,
  DOUBLE;

  private boolean isFloating() {
    return this == FLOAT || this == DOUBLE;
  }

  /** Returns the element type in which {@code reduction} gives the result of Spark's aggregate. */
  public ElementType stagedFor(Reduction reduction) {
    return switch (reduction) {
      case MEAN, WEIGHTED_SUM -> ElementType.F64;
      case SUM, COUNT -> isFloating() ? ElementType.F64 : ElementType.I64;
      case MIN, MAX ->
          switch (this) {
            case BYTE, SHORT, INT -> ElementType.I32;
            case LONG -> ElementType.I64;
            case FLOAT -> ElementType.F32;
            case DOUBLE -> ElementType.F64;
          };
    };
  }

  /** Returns the type of the result column, which is that of Spark's aggregate. */
  public CellKind resultOf(Reduction reduction) {
    return switch (reduction) {
      case MEAN, WEIGHTED_SUM -> DOUBLE;
      case SUM -> isFloating() ? DOUBLE : LONG;
      case COUNT -> LONG;
      case MIN, MAX -> this;
    };
  }
}

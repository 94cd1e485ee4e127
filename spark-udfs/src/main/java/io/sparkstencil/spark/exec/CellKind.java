/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.ResultTypes;

/** The type of a numeric column, and what stencils over it are staged as and return. */
public enum CellKind {
  BYTE,
  SHORT,
  INT,
  LONG,
  FLOAT,
  DOUBLE;

  /** Returns the type of a column that holds cells of {@code type}. */
  public static CellKind of(ElementType type) {
    return switch (type) {
      case F32 -> FLOAT;
      case F64 -> DOUBLE;
      case I32 -> INT;
      case I64 -> LONG;
    };
  }

  /** Returns the type that holds values of this kind as they are. */
  public ElementType cells() {
    return switch (this) {
      case BYTE, SHORT, INT -> ElementType.I32;
      case LONG -> ElementType.I64;
      case FLOAT -> ElementType.F32;
      case DOUBLE -> ElementType.F64;
    };
  }

  /**
   * Returns the element type in which {@code reduction} is computed: that of the results, except
   * that floating-point cells are counted as F64, in which they are staged for sums and means.
   */
  public ElementType stagedFor(Reduction reduction) {
    return reduction == Reduction.COUNT && cells().isFloating()
        ? ElementType.F64
        : ResultTypes.COLUMN.of(cells(), reduction);
  }

  /** Returns the type of the result column, which is that of Spark's aggregate. */
  public CellKind resultOf(Reduction reduction) {
    boolean choosesCells = reduction == Reduction.MIN || reduction == Reduction.MAX;
    return choosesCells ? this : of(ResultTypes.COLUMN.of(cells(), reduction));
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.model;

/**
 * The types of results: the one table that every entry asks. Columns follow Spark's aggregates;
 * arrays of float and double keep their type. The table is printed in {@code docs/semantics.md}.
 */
public enum ResultTypes {
  /** Stencils over the rows of a column: windows, {@code StencilQuery}, {@code apply}. */
  COLUMN,
  /** Stencils over arrays: SQL functions and RDDs. */
  ARRAY;

  /**
   * Returns the type in which cells of a type are added up, and that results have.
   *
   * @param cells the type of the cells; narrower integers count as I32
   * @param reduction what is computed of them
   */
  public ElementType of(ElementType cells, Reduction reduction) {
    return switch (reduction) {
      case MIN, MAX -> cells;
      case COUNT -> this == COLUMN ? ElementType.I64 : ElementType.I32;
      case SUM -> cells.isFloating() ? floating(cells) : ElementType.I64;
      case MEAN, WEIGHTED_SUM -> cells.isFloating() ? floating(cells) : ElementType.F64;
    };
  }

  private ElementType floating(ElementType cells) {
    return this == COLUMN ? ElementType.F64 : cells;
  }
}

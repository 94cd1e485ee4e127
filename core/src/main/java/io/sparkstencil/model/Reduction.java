/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.model;

/**
 * How the cells of a frame become one value.
 *
 * <pre>{@code
 * Reduction least = Stencil.min(Frame.radius(3)).reduction(); // MIN
 * }</pre>
 */
public enum Reduction {
  /** The sum of the cells. */
  SUM,
  /** The sum divided by the number of cells, in a floating-point type. */
  MEAN,
  /** The least cell, by {@link CellOrder}. */
  MIN,
  /** The greatest cell, by {@link CellOrder}. */
  MAX,
  /** The number of cells that are neither missing nor null, in the element type. */
  COUNT,
  /** The sum of cell times weight: FIR filters, derivatives, smoothing. */
  WEIGHTED_SUM;

  /** Returns whether the result is one of the cells. */
  public boolean chooses() {
    return this == MIN || this == MAX;
  }

  /**
   * Returns the value that changes no result, in place of a cell that does not count; infinities
   * stand for the extreme integers.
   */
  public double identity(ElementType type) {
    return switch (this) {
      case MIN -> type.isFloating() ? Double.NaN : Double.POSITIVE_INFINITY;
      case MAX -> Double.NEGATIVE_INFINITY;
      case SUM, MEAN, COUNT, WEIGHTED_SUM -> 0;
    };
  }

  /** Returns whether null cells are skipped; a weighted sum is null where one of its cells is. */
  public boolean skipsNulls() {
    return this != WEIGHTED_SUM;
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.variant;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;

/**
 * What a measured schedule holds for: all stencils that differ only in the values of their weights
 * and the place of their frames.
 *
 * @param reduction how cells become one value
 * @param width cells per output
 * @param type the type of cells
 * @param accuracy what may be done to the order of arithmetic
 * @param nullable whether validity bytes are read and written
 */
public record TunedShape(
    Reduction reduction, int width, ElementType type, Accuracy accuracy, boolean nullable) {
  /** Checks the components. */
  public TunedShape {
    requireNonNull(reduction, "reduction is null");
    requireNonNull(type, "type is null");
    requireNonNull(accuracy, "accuracy is null");
    if (width < 1) {
      throw new IllegalArgumentException("width is %d; it must be at least 1".formatted(width));
    }
  }

  /** Returns the shape of a stencil. */
  public static TunedShape of(FlatStencil what) {
    return new TunedShape(
        what.reduction(), what.width(), what.type(), what.accuracy(), what.nullable());
  }
}

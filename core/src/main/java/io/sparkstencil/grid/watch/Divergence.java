/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid.watch;

import java.util.List;

/**
 * Where cells of a grid were found to diverge first.
 *
 * @param field the name of the field
 * @param position of the cell, slowest axis first
 * @param value of the cell: NaN, infinite, or beyond the largest that was said
 * @param steps the steps of the grid when it was found
 * @param before the steps of the grid when it was not there yet
 */
public record Divergence(String field, List<Long> position, double value, long steps, long before) {
  /** Returns a line for people. */
  @Override
  public String toString() {
    boolean finite = !Double.isNaN(value) && !Double.isInfinite(value);
    return "field %s %s between step %d and step %d: the cell at %s is %s"
        .formatted(
            field,
            finite ? "has grown without bound" : "has ceased to be finite",
            before,
            steps,
            position,
            value);
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import io.sparkstencil.grid.CellSummary;

/**
 * What is known about the cells of a field together. Cells that are NaN are counted and left out of
 * all else.
 *
 * <pre>{@code
 * GridSummary heat = grid.summarize("u");
 * System.out.println(heat.min() + " to " + heat.max() + ", in all " + heat.sum());
 * }</pre>
 *
 * @param min the smallest; NaN if all are
 * @param max the greatest; NaN if all are
 * @param sum the exact sum, rounded to double once
 * @param norm the square root of the exact sum of squares
 * @param missing how many cells are NaN
 */
public record GridSummary(double min, double max, double sum, double norm, long missing) {
  static GridSummary of(CellSummary cells) {
    return new GridSummary(cells.min(), cells.max(), cells.sum(), cells.norm(), cells.missing());
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

/**
 * What is known about the cells of a field together.
 *
 * @param min the smallest; NaN is greater than every other number
 * @param max the greatest
 * @param sum the exact sum, rounded to double once
 * @param norm the square root of the exact sum of squares
 */
public record GridSummary(double min, double max, double sum, double norm) {}

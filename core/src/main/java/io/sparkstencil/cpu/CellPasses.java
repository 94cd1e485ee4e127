/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

/**
 * Flat passes over arrays of one element type; the only code that is different for each type. Every
 * pass makes {@code y[at + i]} of {@code x[from + i]} to {@code x[from + i + width - 1]}, for
 * {@code i} in {@code [0, n)}.
 *
 * <p>{@code n} is a multiple of {@link #GROUP}, and {@code x} can be read up to {@link #SLACK}
 * cells beyond the last frame: what lies there has no influence. Arrays are primitive arrays of the
 * type. Instances own scratch memory, so each belongs to one thread.
 */
abstract class CellPasses {
  /** Outputs come in multiples of this. */
  static final int GROUP = 64;

  /** Cells behind the last frame that a pass may read. */
  static final int SLACK = 128;

  /**
   * Adds the cells of each frame left to right from zero and, in floating point, divides by {@code
   * divisor}; 1 is a sum, as all of integers are.
   */
  abstract void sum(Object x, int from, int width, int divisor, Object y, int at, int n);

  /**
   * Adds the products of weights and cells left to right from zero.
   *
   * @param weights primitive array of the type; weight {@code first + t} belongs to {@code x[from +
   *     i + t]}
   */
  abstract void weightedSum(
      Object x, int from, Object weights, int first, int width, Object y, int at, int n);

  /**
   * Adds the cells of each frame in any order, in a number of additions that does not grow with the
   * width, and scales by the reciprocal of {@code divisor}.
   */
  abstract void slidingSum(Object x, int from, int width, int divisor, Object y, int at, int n);

  /**
   * Chooses the least or greatest cell of each frame by the order of cells, in a number of
   * comparisons that does not grow with the width.
   */
  abstract void slidingExtremum(
      Object x, int from, int width, boolean greatest, Object y, int at, int n);
}

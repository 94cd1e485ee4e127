/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

import io.sparkstencil.model.ElementType;

/**
 * Flat passes over arrays of one element type; the only code that differs between types. Every pass
 * computes {@code y[at + i]} from {@code x[from + i]} to {@code x[from + i + width - 1]}, for
 * {@code i} in {@code [0, n)}.
 *
 * <p>{@code n} is a multiple of {@link #GROUP}. Up to {@link #SLACK} cells of {@code x} beyond the
 * last frame must be readable; they do not influence the results. Arrays are primitive arrays of
 * the type. Instances own scratch memory, so each belongs to one thread.
 */
public abstract class CellPasses {
  /** The number of outputs is a multiple of this. */
  public static final int GROUP = 64;

  /** The number of cells after the last frame that a pass may read. */
  public static final int SLACK = 128;

  /**
   * Adds the cells of each frame from left to right, starting at zero, and, for floating-point
   * cells, divides by {@code divisor}; 1 gives the sum. For integers the result is always the sum.
   */
  public abstract void sum(Object x, int from, int width, int divisor, Object y, int at, int n);

  /**
   * Adds the products of weights and cells from left to right, starting at zero.
   *
   * @param weights primitive array of the type; weight {@code first + t} applies to {@code x[from +
   *     i + t]}
   */
  public abstract void weightedSum(
      Object x, int from, Object weights, int first, int width, Object y, int at, int n);

  /**
   * Adds the cells of each frame in any order, with a number of additions that does not grow with
   * the width, and multiplies by the reciprocal of {@code divisor}.
   */
  public abstract void slidingSum(
      Object x, int from, int width, int divisor, Object y, int at, int n);

  /**
   * Selects the smallest or largest cell of each frame by the order of cells, with a number of
   * comparisons that does not grow with the width.
   */
  public abstract void slidingExtremum(
      Object x, int from, int width, boolean greatest, Object y, int at, int n);

  /**
   * Adds the cells of frames, or products of weights and cells, to {@code n} sums, one tap after
   * the other; {@code n} is any number. It asks whether the sums are still wanted where that takes
   * long.
   *
   * @param weights null for sums of cells
   */
  public abstract void addTo(
      Object y, int at, int n, Object x, int from, int width, Object weights, int first);

  /** Copies valid cells, and {@code identity} instead of the others, to {@code y[0]} onwards. */
  public abstract void select(
      Object x, int from, byte[] validity, double identity, Object y, int n);

  /** Divides {@code n} sums of floating-point cells by {@code divisor}. */
  public abstract void divide(Object y, int at, int n, int divisor);

  /** Divides sums of floating-point cells by their counts; the result is 0 where the count is 0. */
  abstract void divide(Object y, int at, int n, int[] counts);

  /** Sets cells to 0 where the count is 0. */
  abstract void clearWhereNone(Object y, int at, int n, int[] counts);

  /** Sets cells to counts. */
  abstract void copyCounts(Object y, int at, int n, int[] counts);

  /** Returns new passes of plain loops, for one thread. */
  public static CellPasses loops(ElementType type) {
    return switch (type) {
      case F32 -> new LoopF32Passes();
      case F64 -> new LoopF64Passes();
      case I32 -> new LoopI32Passes();
      case I64 -> new LoopI64Passes();
    };
  }

  /** Returns the same whose weighted sums round each product and sum at once. */
  public static CellPasses fusedLoops(ElementType type) {
    return switch (type) {
      case F32 -> new LoopF32FusedPasses();
      case F64 -> new LoopF64FusedPasses();
      case I32, I64 -> throw new IllegalArgumentException("products of integers are not rounded");
    };
  }
}

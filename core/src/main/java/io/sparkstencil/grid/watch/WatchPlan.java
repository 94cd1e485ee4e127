/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid.watch;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.grid.StrayCells;
import io.sparkstencil.model.ElementType;
import java.io.Serializable;

/**
 * When blocks are watched for cells that diverge, and what becomes of it.
 *
 * @param diverging what is done about them
 * @param bound the largest number that is none
 */
public record WatchPlan(Diverging diverging, double bound) implements Serializable {
  /**
   * The most steps from one look to the next. A look costs as much as reading all cells, which is
   * up to fifty steps where a GPU fuses them.
   */
  public static final int STEPS = 1000;

  /** The first look. What diverges mostly does so early: each of the next ones is twice as late. */
  private static final int FIRST = 100;

  /** Far beyond what is of use in floats, whose largest is 3.4e38. */
  private static final double LARGEST_FLOAT = 1e30;

  /** Squares of larger doubles are infinite, or nearly so. */
  private static final double LARGEST_DOUBLE = 1e150;

  /** Returns the largest number that is not taken for a cell that diverges. */
  public static double usualBound(ElementType type) {
    return type == ElementType.F32 ? LARGEST_FLOAT : LARGEST_DOUBLE;
  }

  /**
   * Returns a plan.
   *
   * @throws InvalidStencilException if no number is up to the bound
   */
  public static WatchPlan of(Diverging diverging, ElementType type, double largest) {
    if (!(largest > 0)) {
      throw new InvalidStencilException(
          "the largest cell is %s; use a number above 0".formatted(largest));
    }
    return new WatchPlan(diverging, StrayCells.bound(type, largest));
  }

  /** Returns the looks up to a step: after 100, 200, 400, 800 and each 1000 steps. */
  private static long looks(long steps) {
    long early = 64 - Long.numberOfLeadingZeros(Math.min(steps, STEPS - 1) / FIRST);
    return early + steps / STEPS;
  }

  /** Returns whether anybody looks. */
  public boolean isOn() {
    return diverging != Diverging.IGNORE;
  }

  /**
   * Returns whether blocks are looked at after a superstep.
   *
   * @param first the steps before it
   * @param steps those that it takes
   */
  public boolean isDue(long first, int steps) {
    return isOn() && looks(first) < looks(first + steps);
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.model;

import io.sparkstencil.error.InvalidStencilException;
import java.io.Serializable;

/**
 * The cells that make one output: all from one offset to another around the current cell, both
 * included. A frame need not contain the current cell.
 *
 * <pre>{@code
 * Frame around = Frame.radius(2); // 2 cells on each side, and the current one
 * Frame asInSql = Frame.precedingFollowing(2, 3); // ROWS BETWEEN 2 PRECEDING AND 3 FOLLOWING
 * Frame signed = Frame.offsets(-2, 3); // the same, with the signs of Spark's rowsBetween(-2, 3)
 * Frame ahead = Frame.offsets(3, 5); // ROWS BETWEEN 3 FOLLOWING AND 5 FOLLOWING
 * }</pre>
 *
 * @param first the offset of the first cell, negative before the current cell; at least {@code
 *     -MAX_REACH}
 * @param last the offset of the last cell, from {@code first} to {@link #MAX_REACH}
 */
public record Frame(int first, int last) implements Serializable {
  /** The most cells that a frame may reach to one side: its halo must fit into a staging buffer. */
  public static final int MAX_REACH = 1 << 26;

  /**
   * Checks that the frame has a cell and reaches no further than {@link #MAX_REACH}.
   *
   * @deprecated {@code new Frame(1, 1)} is the frame of the next cell alone, but reads like one
   *     cell on each side; {@link #offsets}, {@link #precedingFollowing} and {@link #radius} say
   *     which
   */
  @Deprecated(since = "0.2")
  public Frame {
    if (first > last) {
      throw new InvalidStencilException(
          "the frame from offset %d to offset %d is empty; swap or widen the bounds, or use Frame.precedingFollowing for numbers of cells"
              .formatted(first, last));
    }
    if (first < -MAX_REACH || last > MAX_REACH || first > MAX_REACH || last < -MAX_REACH) {
      throw new InvalidStencilException(
          "the frame from offset %d to offset %d reaches further than %d cells, the most to one side; use a narrower frame"
              .formatted(first, last, MAX_REACH));
    }
  }

  /**
   * Returns the symmetric frame of {@code 2 * radius + 1} cells.
   *
   * @param radius cells on each side, from 0 to {@link #MAX_REACH}
   * @throws InvalidStencilException if it is not in that range
   */
  public static Frame radius(int radius) {
    if (radius < 0) {
      throw new InvalidStencilException(
          "radius %d is below 0; a radius is the number of cells on each side".formatted(radius));
    }
    if (radius > MAX_REACH) {
      throw new InvalidStencilException(
          "radius %d reaches further than %d cells, the most to one side; use a smaller radius"
              .formatted(radius, MAX_REACH));
    }
    return new Frame(-radius, radius);
  }

  /**
   * Returns the frame of {@code preceding} cells before the current one, that cell, and {@code
   * following} cells after it. Both are numbers of cells, as in SQL; {@link #offsets} takes Spark's
   * signs, and makes frames without the current cell.
   *
   * @param preceding cells before the current one, from 0 to {@link #MAX_REACH}
   * @param following cells after the current one, from 0 to {@link #MAX_REACH}
   */
  public static Frame precedingFollowing(int preceding, int following) {
    if (preceding < 0) {
      throw new InvalidStencilException(
          "preceding is %d, but is a number of cells, at least 0; use Frame.offsets(%d, %d) for the cells of Spark's rowsBetween(%d, %d), or Frame.offsets(%d, %d) for a frame that starts %d cells ahead"
              .formatted(
                  preceding,
                  preceding,
                  following,
                  preceding,
                  following,
                  -(long) preceding,
                  following,
                  -(long) preceding));
    }
    if (following < 0) {
      throw new InvalidStencilException(
          "following is %d, but is a number of cells, at least 0; use Frame.offsets(%d, %d) for a frame that ends %d cells before the current one"
              .formatted(following, -(long) preceding, following, -(long) following));
    }
    return offsets(-preceding, following);
  }

  /**
   * Returns the frame from offset {@code first} to offset {@code last}, with the signs of Spark's
   * {@code rowsBetween}: negative before the current cell, 0 the current cell, positive after it.
   *
   * @param first the offset of the first cell, at least {@code -MAX_REACH}
   * @param last the offset of the last cell, from {@code first} to {@link #MAX_REACH}
   */
  public static Frame offsets(int first, int last) {
    return new Frame(first, last);
  }

  /** Returns the cells before the current one, or minus the offset of the first cell. */
  public int preceding() {
    return -first;
  }

  /** Returns the cells after the current one, or the offset of the last cell. */
  public int following() {
    return last;
  }

  /** Returns the number of cells in a whole frame. */
  public int width() {
    return last - first + 1;
  }

  /** Returns the halo cells needed to the left of a segment. */
  public int left() {
    return Math.max(0, -first);
  }

  /** Returns the halo cells needed to the right of a segment. */
  public int right() {
    return Math.max(0, last);
  }

  @Override
  public String toString() {
    return "[%+d, %+d]".formatted(first, last);
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.model;

import io.sparkstencil.error.InvalidStencilException;

/**
 * The cells that one output is made from: offsets {@code -preceding} to {@code +following} around
 * the current cell, both ends included. Either number may be negative, so that the frame does not
 * contain the current cell: {@code Frame.between(-3, 5)} is SQL's {@code 3 FOLLOWING AND 5
 * FOLLOWING}.
 *
 * @param preceding cells before the current one, or minus the offset of the first cell
 * @param following cells after the current one, or the offset of the last cell
 */
public record Frame(int preceding, int following) implements java.io.Serializable {
  /** The most cells that a frame may reach to one side: its halo must fit into a staging buffer. */
  public static final int MAX_REACH = 1 << 26;

  /** Checks that the frame is not empty and that its halo can be staged. */
  public Frame {
    if ((long) preceding + following < 0) {
      throw new InvalidStencilException(
          "frame [%d preceding, %d following] is empty: its first cell, at offset %d, lies after its last, at offset %d; swap or widen the bounds"
              .formatted(preceding, following, -(long) preceding, following));
    }
    if (Math.abs((long) preceding) > MAX_REACH || Math.abs((long) following) > MAX_REACH) {
      throw new InvalidStencilException(
          "frame [%d preceding, %d following] reaches further than %d cells, the most that can be staged; use a narrower frame"
              .formatted(preceding, following, MAX_REACH));
    }
  }

  /** Returns the symmetric frame of {@code 2 * radius + 1} cells. */
  public static Frame radius(int radius) {
    if (radius < 0) {
      throw new InvalidStencilException(
          "radius %d is below 0; a radius is the number of cells on each side".formatted(radius));
    }
    return new Frame(radius, radius);
  }

  /** Returns the frame from {@code preceding} cells before to {@code following} cells after. */
  public static Frame between(int preceding, int following) {
    return new Frame(preceding, following);
  }

  /** Returns the number of cells in a whole frame. */
  public int width() {
    return preceding + following + 1;
  }

  /** Returns the halo cells needed to the left of a segment. */
  public int left() {
    return Math.max(0, preceding);
  }

  /** Returns the halo cells needed to the right of a segment. */
  public int right() {
    return Math.max(0, following);
  }
}

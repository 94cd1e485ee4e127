/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.Boundary.Mode;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The rules for cells outside a field: one per side of each axis. A position that is outside along
 * several axes is resolved axis by axis, slowest first; the first constant on the way is its value.
 *
 * <pre>{@code
 * FieldBoundary pipe =
 *     new FieldBoundary(
 *         List.of(Boundary.constant(1), Boundary.WRAP), // before the first cells of x and y
 *         List.of(Boundary.NEAREST, Boundary.WRAP)); // after the last
 * StencilProgram inPipe = program.withBoundary("u", pipe);
 * }</pre>
 *
 * @param low the rules before the first cell, one per axis, slowest axis first
 * @param high the rules after the last cell, one per axis
 */
public record FieldBoundary(List<Boundary> low, List<Boundary> high) implements Serializable {
  /** Checks the rules. */
  public FieldBoundary {
    low = List.copyOf(low);
    high = List.copyOf(high);
    if (low.size() != high.size()) {
      throw new InvalidStencilException(
          "%d rules before the first cells and %d after the last; give two rules per axis"
              .formatted(low.size(), high.size()));
    }
    for (int axis = 0; axis < low.size(); axis++) {
      requireValue(low.get(axis));
      requireValue(high.get(axis));
      if (low.get(axis).mode() == Mode.WRAP != (high.get(axis).mode() == Mode.WRAP)) {
        throw new InvalidStencilException(
            "axis %d has the boundary %s on one side and %s on the other; use wrap on both sides or on none"
                .formatted(axis, low.get(axis), high.get(axis)));
      }
    }
  }

  private static void requireValue(Boundary boundary) {
    if (boundary.leavesMissing()) {
      throw new InvalidStencilException(
          "boundary %s leaves cells without a value, which a program needs; use reflect, mirror, nearest, wrap or constant:C"
              .formatted(boundary));
    }
  }

  /** Returns the same rule on every side. */
  public static FieldBoundary uniform(Boundary boundary, int dimensions) {
    List<Boundary> sides = Collections.nCopies(dimensions, boundary);
    return new FieldBoundary(sides, sides);
  }

  /** Returns the rule for a position outside along an axis: below 0, or after the last cell. */
  public Boundary beside(int axis, long position) {
    return (position < 0 ? low : high).get(axis);
  }

  /**
   * Returns the rules as {@link io.sparkstencil.program.text.BoundaryText} reads them, one per side
   * unless all are the same.
   */
  public String format(List<String> axes) {
    if (low.equals(high) && low.stream().distinct().count() == 1) {
      return low.get(0).toString();
    }
    List<String> sides = new ArrayList<>();
    for (int axis = 0; axis < axes.size(); axis++) {
      if (low.get(axis).equals(high.get(axis))) {
        sides.add(axes.get(axis) + "=" + low.get(axis));
      } else {
        sides.add(axes.get(axis) + ".low=" + low.get(axis));
        sides.add(axes.get(axis) + ".high=" + high.get(axis));
      }
    }
    return String.join(", ", sides);
  }
}

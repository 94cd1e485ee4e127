/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import io.sparkstencil.error.InvalidStencilException;
import java.io.Serializable;
import java.util.Collections;
import java.util.List;

/**
 * Where an array lies in a larger grid. Programs that read positions ({@link
 * Expression.Coordinate}) see those of the grid; positions beyond its ends are those of its
 * periodic images.
 *
 * @param origin the position of the array's first cell, slowest axis first
 * @param grid the cells of the grid along each axis
 */
public record Placement(List<Long> origin, List<Long> grid) implements Serializable {
  /** Checks that both have the same axes. */
  public Placement {
    origin = List.copyOf(origin);
    grid = List.copyOf(grid);
    if (origin.size() != grid.size()) {
      throw new InvalidStencilException(
          "an array at %s in a grid of %s; give a position along each axis"
              .formatted(origin, grid));
    }
  }

  /** Returns the placement of an array that is the whole grid. */
  public static Placement whole(Extent extent) {
    return new Placement(
        Collections.nCopies(extent.dimensions(), 0L),
        extent.sizes().stream().map(Integer::longValue).toList());
  }

  /**
   * Returns the position in the grid of a cell of the array.
   *
   * @param index the cell along this axis, counted from the array's first
   */
  public long position(int axis, long index) {
    return Math.floorMod(origin.get(axis) + index, grid.get(axis));
  }

  /** Returns whether an array with this extent is the whole grid. */
  public boolean isWhole(Extent extent) {
    return equals(whole(extent));
  }

  /** Returns whether an array with this extent is the whole grid along an axis. */
  boolean isWhole(int axis, Extent extent) {
    return origin.get(axis) == 0 && grid.get(axis) == extent.size(axis);
  }

  void requireAxesOf(Extent extent) {
    if (extent.dimensions() != origin.size()) {
      throw new InvalidStencilException(
          "an array of %s at %s; give a position along each axis"
              .formatted(extent.sizes(), origin));
    }
  }
}

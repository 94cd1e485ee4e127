/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.program.Extent;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A box of cells of a grid. The grid itself may have more cells than an array can hold; a box has
 * not.
 *
 * <pre>{@code
 * Box rows = Box.between(List.of(10L, 0L), List.of(20L, 100L)); // rows 10 to 19, 100 columns
 * int cells = rows.cells(); // 1000
 * }</pre>
 *
 * @param origin the position of the first cell in the grid, slowest axis first; positions below
 *     zero lie before the grid, as the images of a periodic axis do
 * @param extent the cells along each axis of {@code origin}
 */
public record Box(List<Long> origin, Extent extent) implements Serializable {
  /** Checks that position and sizes have the same axes, and that no end overflows. */
  public Box {
    origin = List.copyOf(origin);
    if (origin.size() != extent.dimensions()) {
      throw new InvalidStencilException(
          "a box at %s with sizes %s has %d and %d axes; give a position along each axis"
              .formatted(origin, extent.sizes(), origin.size(), extent.dimensions()));
    }
    for (int axis = 0; axis < origin.size(); axis++) {
      if (origin.get(axis) > Long.MAX_VALUE - extent.size(axis)) {
        throw new InvalidStencilException(
            "a box at %s with sizes %s ends after %d; use positions inside a grid"
                .formatted(origin, extent.sizes(), Long.MAX_VALUE));
      }
    }
  }

  /** Returns the box of all cells of an array: at the position of zeros. */
  public static Box whole(Extent extent) {
    return new Box(Collections.nCopies(extent.dimensions(), 0L), extent);
  }

  /**
   * Returns the box between two corners.
   *
   * @param start the first position along each axis
   * @param end the position after the last
   * @throws InvalidStencilException if an axis has no cells, or all have more than an array can
   *     hold
   */
  public static Box between(List<Long> start, List<Long> end) {
    List<Integer> sizes = new ArrayList<>();
    for (int axis = 0; axis < start.size(); axis++) {
      long size = end.get(axis) - start.get(axis);
      if (size < 1 || size > Integer.MAX_VALUE) {
        throw new InvalidStencilException(
            "a box from %s to %s has %d cells along axis %d; use 1 to %d"
                .formatted(start, end, size, axis, Integer.MAX_VALUE));
      }
      sizes.add((int) size);
    }
    return new Box(start, new Extent(sizes));
  }

  /** Returns the number of axes. */
  public int dimensions() {
    return extent.dimensions();
  }

  /** Returns the number of cells. */
  public int cells() {
    return extent.cells();
  }

  /** Returns the first position along an axis. */
  public long start(int axis) {
    return origin.get(axis);
  }

  /** Returns the position after the last along an axis. */
  public long end(int axis) {
    return origin.get(axis) + extent.size(axis);
  }

  /** Returns the number of positions along an axis. */
  public int size(int axis) {
    return extent.size(axis);
  }

  /** Returns the cells that lie in both boxes, or nothing if there are none. */
  public Optional<Box> intersect(Box other) {
    requireAxes(other);
    List<Long> start = new ArrayList<>();
    List<Integer> sizes = new ArrayList<>();
    for (int axis = 0; axis < dimensions(); axis++) {
      long low = Math.max(start(axis), other.start(axis));
      long high = Math.min(end(axis), other.end(axis));
      if (low >= high) {
        return Optional.empty();
      }
      start.add(low);
      sizes.add((int) (high - low));
    }
    return Optional.of(new Box(start, new Extent(sizes)));
  }

  /** Returns whether every cell of {@code other} lies in this box. */
  public boolean contains(Box other) {
    requireAxes(other);
    for (int axis = 0; axis < dimensions(); axis++) {
      if (other.start(axis) < start(axis) || other.end(axis) > end(axis)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the box of as many cells whose first cell is {@code offsets} further. */
  public Box shifted(List<Long> offsets) {
    List<Long> moved = new ArrayList<>();
    for (int axis = 0; axis < dimensions(); axis++) {
      moved.add(Math.addExact(start(axis), offsets.get(axis)));
    }
    return new Box(moved, extent);
  }

  /**
   * Returns boxes that have the cells of this one, one after the other in the order of arrays: each
   * at most so many cells, but at least those of one position along the slowest axis.
   */
  public List<Box> slabs(int mostCells) {
    int thickness = Math.max(1, mostCells / (cells() / size(0)));
    List<Box> slabs = new ArrayList<>();
    for (int from = 0; from < size(0); from += thickness) {
      List<Long> start = new ArrayList<>(origin);
      start.set(0, origin.get(0) + from);
      List<Integer> sizes = new ArrayList<>(extent.sizes());
      sizes.set(0, Math.min(thickness, size(0) - from));
      slabs.add(new Box(start, new Extent(sizes)));
    }
    return slabs;
  }

  /**
   * Returns boxes that have the cells of this one, one after the other in the order of arrays, each
   * at most so many cells.
   *
   * @param mostCells at least 1
   */
  public List<Box> pieces(int mostCells) {
    return pieces(mostCells, Collections.nCopies(dimensions(), 1));
  }

  /**
   * Returns boxes that have the cells of this one and do not cut units, such as the chunks of a
   * file; each has at most so many cells, but at least those of a unit.
   *
   * @param mostCells at least 1
   * @param unit the positions along each axis that belong together, from multiples of their number
   */
  public List<Box> pieces(int mostCells, List<Integer> unit) {
    List<Box> pieces = new ArrayList<>();
    addPieces(mostCells, unit, 0, pieces);
    return pieces;
  }

  private void addPieces(int mostCells, List<Integer> unit, int axis, List<Box> pieces) {
    if (cells() <= mostCells || axis == dimensions()) {
      pieces.add(this);
      return;
    }
    long fit = mostCells / (cells() / size(axis));
    long together = Math.max(1, fit / unit.get(axis)) * unit.get(axis);
    for (long from = start(axis); from < end(axis); ) {
      long to = Math.min(end(axis), from - Math.floorMod(from, unit.get(axis)) + together);
      List<Long> start = new ArrayList<>(origin);
      start.set(axis, from);
      List<Integer> sizes = new ArrayList<>(extent.sizes());
      sizes.set(axis, (int) (to - from));
      new Box(start, new Extent(sizes)).addPieces(mostCells, unit, axis + 1, pieces);
      from = to;
    }
  }

  /** Returns the position in the grid of a cell of an array of this box's cells. */
  public List<Long> position(int index) {
    List<Long> position = new ArrayList<>(origin);
    int rest = index;
    for (int axis = dimensions() - 1; axis >= 0; axis--) {
      position.set(axis, start(axis) + rest % size(axis));
      rest /= size(axis);
    }
    return List.copyOf(position);
  }

  /** Returns the position of a cell of the grid in an array of this box's cells. */
  public int index(List<Long> position) {
    long index = 0;
    for (int axis = 0; axis < dimensions(); axis++) {
      index = index * size(axis) + position.get(axis) - start(axis);
    }
    return Math.toIntExact(index);
  }

  private void requireAxes(Box other) {
    if (other.dimensions() != dimensions()) {
      throw new InvalidStencilException(
          "boxes of %d and %d axes have no cells in common; use boxes of one grid"
              .formatted(dimensions(), other.dimensions()));
    }
  }
}

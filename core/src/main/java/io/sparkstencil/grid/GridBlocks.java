/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import io.sparkstencil.error.InvalidStencilException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A grid cut into blocks. All blocks have the same size, except for the last ones along an axis,
 * which may have fewer cells; so blocks are the chunks of an array file. Blocks are counted like
 * the cells of an array: along the fastest axis first.
 *
 * @param sizes the cells of the grid along each axis, slowest axis first
 * @param blockSizes the cells of a block along each axis
 */
public record GridBlocks(List<Long> sizes, List<Integer> blockSizes) implements Serializable {
  /** The most axes of a grid. */
  private static final int MAX_DIMENSIONS = 3;

  /** Checks that every axis has cells. */
  public GridBlocks {
    sizes = List.copyOf(sizes);
    blockSizes = List.copyOf(blockSizes);
    requireSizes(sizes);
    if (blockSizes.size() != sizes.size() || blockSizes.stream().anyMatch(size -> size < 1)) {
      throw new InvalidStencilException(
          "blocks of %s cells in a grid of %s; give each axis at least one cell per block"
              .formatted(blockSizes, sizes));
    }
  }

  /** Checks the sizes of a grid. */
  public static void requireSizes(List<Long> sizes) {
    if (sizes.isEmpty() || sizes.size() > MAX_DIMENSIONS) {
      throw new InvalidStencilException(
          "a grid with %d axes; grids have 1 to %d".formatted(sizes.size(), MAX_DIMENSIONS));
    }
    for (long size : sizes) {
      if (size < 1) {
        throw new InvalidStencilException(
            "a grid of %s cells; use at least one cell per axis".formatted(sizes));
      }
    }
  }

  /**
   * Cuts a grid.
   *
   * @param parts the number of blocks along each axis; there are fewer where blocks of equal size
   *     cover the axis earlier
   * @param reach of the program that runs on the grid
   * @throws InvalidStencilException if an axis cannot be cut, or has fewer cells than parts
   */
  public static GridBlocks cut(List<Long> sizes, List<Integer> parts, StepReach reach) {
    requireSizes(sizes);
    if (parts.size() != sizes.size()) {
      throw new InvalidStencilException(
          "%s blocks along the axes of a grid of %s; give one number per axis"
              .formatted(parts, sizes));
    }
    List<Integer> blockSizes = new ArrayList<>();
    for (int axis = 0; axis < sizes.size(); axis++) {
      long size = sizes.get(axis);
      int part = parts.get(axis);
      if (part < 1 || part > size) {
        throw new InvalidStencilException(
            "%d blocks along axis %d, which has %d cells; use 1 to %d"
                .formatted(part, axis, size, size));
      }
      if (part > 1 && reach.mixed().get(axis)) {
        throw new InvalidStencilException(
            "%d blocks along axis %d, along which some fields wrap and others do not; use one block along this axis, or wrap for all fields"
                .formatted(part, axis));
      }
      long cells = (size + part - 1) / part;
      if (cells > Integer.MAX_VALUE) {
        throw new InvalidStencilException(
            "blocks of %d cells along axis %d, more than %d; use more blocks"
                .formatted(cells, axis, Integer.MAX_VALUE));
      }
      blockSizes.add((int) cells);
    }
    return new GridBlocks(sizes, blockSizes);
  }

  /**
   * Cuts a grid into a number of blocks with as little surface between them as possible. There are
   * fewer where the grid has too few cells, or only axes that cannot be cut.
   */
  public static GridBlocks cut(List<Long> sizes, int blocks, StepReach reach) {
    requireSizes(sizes);
    if (blocks < 1) {
      throw new InvalidStencilException("%d blocks; use at least 1".formatted(blocks));
    }
    GridBlocks best = null;
    for (List<Integer> parts : partsOf(sizes, blocks, reach)) {
      GridBlocks cut = cut(sizes, parts, reach);
      if (best == null || cut.isBetterThan(best, reach)) {
        best = cut;
      }
    }
    return best;
  }

  /** Returns the numbers of blocks along the axes that make at most so many blocks together. */
  private static List<List<Integer>> partsOf(List<Long> sizes, int blocks, StepReach reach) {
    List<List<Integer>> all = List.of(List.of());
    for (int axis = 0; axis < sizes.size(); axis++) {
      int most = reach.mixed().get(axis) ? 1 : (int) Math.min(sizes.get(axis), blocks);
      // fewer would make blocks longer than they may be; if all are, the message is for one block
      long shortest = (sizes.get(axis) - 1) / Integer.MAX_VALUE + 1;
      int least = shortest <= most ? (int) shortest : 1;
      List<List<Integer>> longer = new ArrayList<>();
      for (List<Integer> parts : all) {
        int product = parts.stream().reduce(1, (a, b) -> a * b);
        for (int part = least; part <= most && product * part <= blocks; part++) {
          List<Integer> extended = new ArrayList<>(parts);
          extended.add(part);
          longer.add(extended);
        }
      }
      all = longer;
    }
    return all;
  }

  /** More blocks are better; of as many, those with fewer cells in their halos per step. */
  private boolean isBetterThan(GridBlocks other, StepReach reach) {
    return count() != other.count()
        ? count() > other.count()
        : haloCells(reach) < other.haloCells(reach);
  }

  /** Returns the cells of all halos for one step, faces only. */
  double haloCells(StepReach reach) {
    double all = 1;
    for (long size : sizes) {
      all *= size;
    }
    double halo = 0;
    for (int axis = 0; axis < dimensions(); axis++) {
      int cuts = parts(axis) - (reach.periodic().get(axis) && parts(axis) > 1 ? 0 : 1);
      // an axis without taps is cut for nothing, yet slow axes are better: their faces are adjacent
      double depth = reach.low().get(axis) + reach.high().get(axis) + 1e-6 * (axis + 1);
      halo += cuts * depth * all / sizes.get(axis);
    }
    return halo;
  }

  /** Returns the number of axes. */
  public int dimensions() {
    return sizes.size();
  }

  /** Returns the number of blocks along an axis. */
  public int parts(int axis) {
    return (int) ((sizes.get(axis) + blockSizes.get(axis) - 1) / blockSizes.get(axis));
  }

  /** Returns the number of blocks along each axis. */
  public List<Integer> parts() {
    List<Integer> parts = new ArrayList<>();
    for (int axis = 0; axis < dimensions(); axis++) {
      parts.add(parts(axis));
    }
    return parts;
  }

  /** Returns the number of blocks. */
  public int count() {
    int count = 1;
    for (int axis = 0; axis < dimensions(); axis++) {
      count = Math.multiplyExact(count, parts(axis));
    }
    return count;
  }

  /** Returns the cells of a block. */
  public Box box(int block) {
    List<Long> start = new ArrayList<>(Collections.nCopies(dimensions(), 0L));
    List<Long> end = new ArrayList<>(start);
    int rest = block;
    for (int axis = dimensions() - 1; axis >= 0; axis--) {
      long first = (long) (rest % parts(axis)) * blockSizes.get(axis);
      start.set(axis, first);
      end.set(axis, Math.min(first + blockSizes.get(axis), sizes.get(axis)));
      rest /= parts(axis);
    }
    return Box.between(start, end);
  }

  /** Returns the block that has the cell at a position in the grid. */
  public int blockOf(List<Long> position) {
    int block = 0;
    for (int axis = 0; axis < dimensions(); axis++) {
      long at = position.get(axis);
      if (at < 0 || at >= sizes.get(axis)) {
        throw new InvalidStencilException(
            "position %s is outside the grid of %s cells; use positions from 0"
                .formatted(position, sizes));
      }
      block = block * parts(axis) + (int) (at / blockSizes.get(axis));
    }
    return block;
  }

  /** Returns the blocks that have cells of a box, in order. */
  public List<Integer> blocksOf(Box box) {
    List<Integer> blocks = List.of(0);
    for (int axis = 0; axis < dimensions(); axis++) {
      long first = Math.max(0, box.start(axis)) / blockSizes.get(axis);
      long last = (Math.min(sizes.get(axis), box.end(axis)) - 1) / blockSizes.get(axis);
      List<Integer> longer = new ArrayList<>();
      for (int block : blocks) {
        for (long i = first; i <= last; i++) {
          longer.add((int) (block * parts(axis) + i));
        }
      }
      blocks = longer;
    }
    return blocks;
  }
}

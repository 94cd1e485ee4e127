/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import io.sparkstencil.program.Placement;
import java.util.ArrayList;
import java.util.List;

/**
 * A block with its halo: all cells that its own depend on for a number of steps. The unchanged
 * program runs on the extended box, whose ends inside the grid it takes for ends of a field. Cells
 * near those become wrong, {@link StepReach} further in each step; the halo is as deep as they come
 * in all steps, so the block's own cells have the bits of a run on the whole grid.
 *
 * <p>The box is cut off at the ends of the grid. Along a periodic axis it goes on with images of
 * the cells at the other end, even several times around. An axis that is not cut into blocks needs
 * no halo: the boundary rules apply to it as they are.
 *
 * @param block the number of the block
 * @param own the block's cells
 * @param extended the cells with the halo
 * @param halo where the cells outside {@code own} come from; the parts cover them once
 * @param grid the cells of the grid along each axis
 */
public record ExtendedBlock(
    int block, Box own, Box extended, List<HaloPart> halo, List<Long> grid) {
  /**
   * A run of positions along one axis that one block has.
   *
   * @param part the block along this axis
   * @param from the first position in the grid
   * @param to the first position in the extended box
   * @param cells how many there are
   */
  private record Interval(int part, long from, long to, long cells) {}

  /**
   * Returns a block with its halo.
   *
   * @param steps the steps between two exchanges of halos
   * @throws io.sparkstencil.error.InvalidStencilException if the extended box has more cells than
   *     an array can have
   */
  public static ExtendedBlock of(GridBlocks blocks, StepReach reach, int steps, int block) {
    Box own = blocks.box(block);
    List<Long> start = new ArrayList<>();
    List<Long> end = new ArrayList<>();
    List<List<Interval>> intervals = new ArrayList<>();
    for (int axis = 0; axis < own.dimensions(); axis++) {
      long low = own.start(axis);
      long high = own.end(axis);
      if (blocks.parts(axis) > 1) {
        low -= (long) steps * reach.low().get(axis);
        high += (long) steps * reach.high().get(axis);
        if (!reach.periodic().get(axis)) {
          low = Math.max(0, low);
          high = Math.min(blocks.sizes().get(axis), high);
        }
      }
      start.add(low);
      end.add(high);
      intervals.add(intervals(blocks, axis, low, high));
    }
    Box extended = Box.between(start, end);
    List<HaloPart> halo = new ArrayList<>();
    addParts(blocks, intervals, new ArrayList<>(), halo);
    halo.removeIf(part -> part.block() == block && part.from().equals(part.to()));
    return new ExtendedBlock(block, own, extended, List.copyOf(halo), blocks.sizes());
  }

  private static List<Interval> intervals(GridBlocks blocks, int axis, long low, long high) {
    long size = blocks.sizes().get(axis);
    int blockSize = blocks.blockSizes().get(axis);
    List<Interval> intervals = new ArrayList<>();
    for (long to = low; to < high; ) {
      long from = Math.floorMod(to, size);
      int part = (int) (from / blockSize);
      long last = Math.min((part + 1L) * blockSize, size);
      long cells = Math.min(last - from, high - to);
      intervals.add(new Interval(part, from, to, cells));
      to += cells;
    }
    return intervals;
  }

  private static void addParts(
      GridBlocks blocks,
      List<List<Interval>> intervals,
      List<Interval> chosen,
      List<HaloPart> parts) {
    if (chosen.size() < intervals.size()) {
      for (Interval interval : intervals.get(chosen.size())) {
        chosen.add(interval);
        addParts(blocks, intervals, chosen, parts);
        chosen.remove(chosen.size() - 1);
      }
      return;
    }
    int block = 0;
    for (int axis = 0; axis < chosen.size(); axis++) {
      block = block * blocks.parts(axis) + chosen.get(axis).part();
    }
    List<Long> from = chosen.stream().map(Interval::from).toList();
    List<Long> to = chosen.stream().map(Interval::to).toList();
    List<Long> shift = new ArrayList<>();
    List<Long> end = new ArrayList<>();
    for (int axis = 0; axis < chosen.size(); axis++) {
      shift.add(to.get(axis) - from.get(axis));
      end.add(from.get(axis) + chosen.get(axis).cells());
    }
    Box source = Box.between(from, end);
    parts.add(new HaloPart(block, source, source.shifted(shift)));
  }

  /** Returns the other blocks that the halo has cells of, in order. */
  public List<Integer> givers() {
    return halo.stream()
        .map(HaloPart::block)
        .filter(giver -> giver != block)
        .distinct()
        .sorted()
        .toList();
  }

  /** Returns the parts of the halo that one block has, in their order. */
  public List<HaloPart> partsOf(int giver) {
    return halo.stream().filter(part -> part.block() == giver).toList();
  }

  /** Returns where the extended box lies in the grid. */
  public Placement placement() {
    return new Placement(extended.origin(), grid);
  }

  /**
   * Returns the places of a cell in the extended box: none, one, or several with periodic images.
   *
   * @param position in the grid
   */
  public List<Integer> indices(List<Long> position) {
    List<Integer> indices = new ArrayList<>();
    Box cell = Box.between(position, position.stream().map(at -> at + 1).toList());
    if (own.contains(cell)) {
      indices.add(extended.index(position));
    }
    for (HaloPart part : halo) {
      if (part.from().contains(cell)) {
        indices.add(extended.index(cell.shifted(part.shift()).origin()));
      }
    }
    return indices;
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The blocks of a grid in groups of neighbours, such as those of executors, so that few faces leave
 * a group: blocks and groups are halved together, again and again, along the axis that is the
 * longest then. No group has more than its part.
 */
public final class BlockHalves {
  private final GridBlocks blocks;
  private final long[][] starts; // of each block, along each axis
  private final int[] groups;
  private final int[] ranks;
  private int ranked;

  /**
   * Halves the blocks of a grid.
   *
   * @param count the groups, at least one
   */
  public BlockHalves(GridBlocks blocks, int count) {
    this.blocks = blocks;
    groups = new int[blocks.count()];
    ranks = new int[groups.length];
    starts = new long[groups.length][];
    for (int block = 0; block < groups.length; block++) {
      Box box = blocks.box(block);
      starts[block] = IntStream.range(0, blocks.dimensions()).mapToLong(box::start).toArray();
    }
    halve(IntStream.range(0, groups.length).boxed().toList(), 0, count);
  }

  /** Returns the group of each block. */
  public int[] groups() {
    return groups.clone();
  }

  /** Returns the place of each block in an order in which those that are near are near. */
  public int[] ranks() {
    return ranks.clone();
  }

  private void halve(List<Integer> some, int firstGroup, int count) {
    if (some.size() <= 1) {
      for (int block : some) {
        groups[block] = firstGroup;
        ranks[block] = ranked++;
      }
      return;
    }
    int low = Math.max(1, count / 2);
    long part = count == 1 ? (some.size() + 1) / 2 : ((long) some.size() * low + count - 1) / count;
    List<Integer> sorted = alongTheLongestAxis(some);
    halve(sorted.subList(0, (int) part), firstGroup, low);
    halve(
        sorted.subList((int) part, some.size()),
        count == 1 ? firstGroup : firstGroup + low,
        Math.max(1, count - low));
  }

  /** Returns blocks by their places along the longest axis, then along the next. */
  private List<Integer> alongTheLongestAxis(List<Integer> some) {
    List<Integer> axes =
        IntStream.range(0, blocks.dimensions())
            .boxed()
            .sorted(Comparator.comparingLong((Integer axis) -> -length(some, axis)))
            .toList();
    Comparator<Integer> order = Comparator.comparingLong(block -> starts[block][axes.get(0)]);
    for (int axis : axes.subList(1, axes.size())) {
      order = order.thenComparingLong(block -> starts[block][axis]);
    }
    List<Integer> sorted = new ArrayList<>(some);
    sorted.sort(order);
    return sorted;
  }

  private long length(List<Integer> some, int axis) {
    long start = some.stream().mapToLong(block -> starts[block][axis]).min().orElse(0);
    long end = some.stream().mapToLong(block -> starts[block][axis]).max().orElse(0);
    return end - start + blocks.blockSizes().get(axis);
  }

  /**
   * Returns which part of the faces of a group's blocks comes from other groups, where most do so.
   *
   * @param reach of the program, which says how deep faces are
   */
  public double farShare(StepReach reach) {
    int count = Arrays.stream(groups).max().orElse(0) + 1;
    double[] far = new double[count];
    double[] all = new double[count];
    int stride = groups.length;
    for (int axis = 0; axis < blocks.dimensions(); axis++) {
      int parts = blocks.parts(axis);
      stride /= parts;
      for (int block = 0; parts > 1 && block < groups.length; block++) {
        double low = depth(reach, axis, true);
        double high = depth(reach, axis, false);
        boolean both = parts > 2 || reach.periodic().get(axis);
        all[groups[block]] += both ? low + high : Math.max(low, high);
        far[groups[block]] += isFar(block, axis, stride, -1, reach) ? low : 0;
        far[groups[block]] += isFar(block, axis, stride, 1, reach) ? high : 0;
      }
    }
    return IntStream.range(0, count)
        .mapToDouble(group -> all[group] == 0 ? 0 : far[group] / all[group])
        .max()
        .orElse(0);
  }

  /** Returns the cells of a face for a step, in those of a block. */
  private double depth(StepReach reach, int axis, boolean low) {
    double cells = low ? reach.low().get(axis) : reach.high().get(axis);
    return cells / blocks.blockSizes().get(axis);
  }

  private boolean isFar(int block, int axis, int stride, int step, StepReach reach) {
    int parts = blocks.parts(axis);
    int place = block / stride % parts + step;
    if ((place < 0 || place == parts) && !reach.periodic().get(axis)) {
      return false;
    }
    int other = block + (Math.floorMod(place, parts) - block / stride % parts) * stride;
    return groups[other] != groups[block];
  }
}

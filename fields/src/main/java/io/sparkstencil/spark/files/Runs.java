/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import io.sparkstencil.grid.Box;
import java.util.List;

/**
 * The runs of consecutive cells that make up a box of an array, in order. Axes on which the box is
 * as long as the array do not end a run.
 */
public final class Runs {
  private final int length;
  private final long[] starts; // along the axes that end runs, fastest first
  private final int[] counts;
  private final long[] strides;
  private final long inRow;

  /**
   * Finds the runs.
   *
   * @param box cells inside the array
   * @param shape the array's cells along each axis, slowest first
   */
  public Runs(Box box, List<Long> shape) {
    int axis = box.dimensions() - 1;
    int cells = box.size(axis);
    long stride = 1;
    while (axis > 0 && box.size(axis) == shape.get(axis)) {
      stride *= shape.get(axis);
      axis--;
      cells *= box.size(axis);
    }
    length = cells;
    inRow = box.start(axis) * stride;
    starts = new long[axis];
    counts = new int[axis];
    strides = new long[axis];
    for (int outer = 0; outer < axis; outer++) {
      stride *= shape.get(axis - outer);
      starts[outer] = box.start(axis - 1 - outer);
      counts[outer] = box.size(axis - 1 - outer);
      strides[outer] = stride;
    }
  }

  /** Returns the cells of each run. */
  public int length() {
    return length;
  }

  /** Returns the number of runs. */
  public int count() {
    int count = 1;
    for (int each : counts) {
      count = Math.multiplyExact(count, each);
    }
    return count;
  }

  /** Returns the index in the array of a run's first cell. */
  public long start(int run) {
    long start = inRow;
    int rest = run;
    for (int outer = 0; outer < counts.length; outer++) {
      start += (starts[outer] + rest % counts[outer]) * strides[outer];
      rest /= counts[outer];
    }
    return start;
  }
}

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
  private final long[] starts = new long[2];
  private final long[] counts = {1, 1};
  private final long[] strides = new long[2];
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
    for (int outer = 0; axis - 1 - outer >= 0; outer++) {
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
    return Math.toIntExact(counts[0] * counts[1]);
  }

  /** Returns the index in the array of a run's first cell. */
  public long start(int run) {
    return inRow
        + (starts[0] + run % counts[0]) * strides[0]
        + (starts[1] + run / counts[0]) * strides[1];
  }
}

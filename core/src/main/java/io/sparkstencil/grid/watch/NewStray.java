/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid.watch;

import java.io.Serializable;
import java.util.Comparator;
import java.util.List;

/**
 * A cell that has grown beyond a bound, or is no finite number any more.
 *
 * @param field the index of the field
 * @param position of the cell in the grid: of several in a block the first, slowest axis first
 * @param value of the cell
 * @param cells how many cells of the block are as new
 * @param steps the steps of the grid when it was found
 * @param before the steps of the grid when it was not there yet
 */
public record NewStray(
    int field, List<Long> position, double value, long cells, long steps, long before)
    implements Serializable {
  /** The earliest first; of one step the first field and the first position. */
  public static final Comparator<NewStray> EARLIEST =
      Comparator.comparingLong(NewStray::steps)
          .thenComparingInt(NewStray::field)
          .thenComparing(NewStray::position, NewStray::compare);

  private static int compare(List<Long> one, List<Long> other) {
    for (int axis = 0; axis < one.size(); axis++) {
      int order = Long.compare(one.get(axis), other.get(axis));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
}

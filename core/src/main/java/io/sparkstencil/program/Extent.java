/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import io.sparkstencil.error.InvalidStencilException;
import java.io.Serializable;
import java.util.List;

/**
 * The number of cells along each axis, slowest axis first, as in the shape of a NumPy array.
 *
 * <pre>{@code
 * Extent image = Extent.of(480, 640); // rows, then columns
 * int pixels = image.cells(); // 307200
 * }</pre>
 *
 * @param sizes 1 to 3 numbers, each at least 1
 */
public record Extent(List<Integer> sizes) implements Serializable {
  /** The most cells that an array on the heap can have. */
  private static final long MAX_CELLS = Integer.MAX_VALUE - 8L;

  /** Checks the sizes. */
  public Extent {
    sizes = List.copyOf(sizes);
    long cells = 1;
    for (int size : sizes) {
      if (size < 1) {
        throw new InvalidStencilException(
            "extent %s has a size below 1; use at least one cell per axis".formatted(sizes));
      }
      cells = Math.multiplyExact(cells, size);
      if (cells > MAX_CELLS) {
        throw new InvalidStencilException(
            "extent %s has more than %d cells, the most that an array can have; use smaller arrays"
                .formatted(sizes, MAX_CELLS));
      }
    }
  }

  /** Returns the extent with these sizes, slowest axis first. */
  public static Extent of(Integer... sizes) {
    return new Extent(List.of(sizes));
  }

  /** Returns the number of axes. */
  public int dimensions() {
    return sizes.size();
  }

  /** Returns the cells along an axis. */
  public int size(int axis) {
    return sizes.get(axis);
  }

  /** Returns the cells of all axes together. */
  public int cells() {
    int cells = 1;
    for (int size : sizes) {
      cells *= size;
    }
    return cells;
  }
}

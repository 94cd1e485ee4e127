/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Makes dense arrays of cells, {@code float[]} or {@code double[]}. */
public final class DenseCells {
  private DenseCells() {}

  /**
   * Returns the cells with their axes in another order.
   *
   * @param cells a dense array
   * @param extent its cells along each axis
   * @param order for each axis of the result, the axis of {@code extent} that it is
   */
  public static Object transposed(Object cells, Extent extent, List<Integer> order) {
    int axes = extent.dimensions();
    int[] strides = new int[axes];
    int stride = 1;
    for (int axis = axes - 1; axis >= 0; axis--) {
      strides[axis] = stride;
      stride *= extent.size(axis);
    }
    int[] sizes = new int[axes];
    int[] steps = new int[axes];
    for (int axis = 0; axis < axes; axis++) {
      sizes[axis] = extent.size(order.get(axis));
      steps[axis] = strides[order.get(axis)];
    }
    Object to = elementType(cells).newArray(extent.cells());
    int[] position = new int[axes];
    int last = axes - 1;
    int from = 0;
    for (int at = 0; at < extent.cells(); at += sizes[last]) {
      gather(cells, from, steps[last], to, at, sizes[last]);
      int axis = last - 1;
      while (axis >= 0 && ++position[axis] == sizes[axis]) {
        from -= (sizes[axis] - 1) * steps[axis];
        position[axis--] = 0;
      }
      from += axis >= 0 ? steps[axis] : 0;
    }
    return to;
  }

  private static void gather(Object from, int first, int step, Object to, int at, int count) {
    if (from instanceof float[] floats) {
      float[] target = (float[]) to;
      for (int i = 0; i < count; i++) {
        target[at + i] = floats[first + i * step];
      }
    } else {
      double[] doubles = (double[]) from;
      double[] target = (double[]) to;
      for (int i = 0; i < count; i++) {
        target[at + i] = doubles[first + i * step];
      }
    }
  }

  /** Returns the extent whose axes are those of {@code extent} in another order. */
  public static Extent transposed(Extent extent, List<Integer> order) {
    List<Integer> sizes = new ArrayList<>();
    for (int axis : order) {
      sizes.add(extent.size(axis));
    }
    return new Extent(sizes);
  }

  /** Returns a new array with the same value in all cells. */
  public static Object filled(ElementType type, int cells, Number value) {
    Object array = type.newArray(cells);
    if (array instanceof float[] floats) {
      Arrays.fill(floats, value.floatValue());
    } else {
      Arrays.fill((double[]) array, value.doubleValue());
    }
    return array;
  }

  private static ElementType elementType(Object cells) {
    return ElementType.ofArrays(cells.getClass());
  }
}

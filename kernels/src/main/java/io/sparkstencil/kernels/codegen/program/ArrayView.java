/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program;

import java.util.List;

/**
 * Where a kernel finds the cells of a field. Views have three axes, slowest first; those that a
 * program lacks come first and have one cell.
 *
 * @param origin the address of the cell at position 0 of every axis, which may lie outside of the
 *     memory
 * @param row bytes from a cell to the next along the second axis
 * @param plane bytes from a cell to the next along the first axis
 * @param low the first position of each axis that is read as it is; the boundary's rule says where
 *     the value of an earlier one is
 * @param high the first position of each axis, after {@code low}, that is not read as it is
 */
public record ArrayView(long origin, long row, long plane, List<Integer> low, List<Integer> high) {
  /** The number of axes. */
  public static final int AXES = 3;

  /** Returns sizes, or other numbers per axis, for three axes. */
  public static List<Integer> threeAxes(List<Integer> perAxis, int forOthers) {
    Integer[] three = {forOthers, forOthers, forOthers};
    for (int axis = 0; axis < perAxis.size(); axis++) {
      three[AXES - perAxis.size() + axis] = perAxis.get(axis);
    }
    return List.of(three);
  }
}

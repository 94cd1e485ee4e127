/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program.plan;

import io.sparkstencil.kernels.codegen.program.ArrayView;
import io.sparkstencil.kernels.codegen.program.FusedKernel.Span;
import java.util.ArrayList;
import java.util.List;

/**
 * Cells of a field in device memory.
 *
 * @param address that of the first cell
 * @param cellBytes bytes of a cell
 * @param row bytes from a row to the next
 * @param plane bytes from a plane to the next
 * @param first the position of the first cell along three axes
 */
public record Stored(long address, int cellBytes, long row, long plane, List<Integer> first) {
  /** Returns the position of the first cell of a whole field. */
  public static List<Integer> start() {
    return List.of(0, 0, 0);
  }

  /** Returns cells stored in the same way elsewhere. */
  public Stored at(long newAddress) {
    return new Stored(newAddress, cellBytes, row, plane, first);
  }

  /**
   * Returns the view of a kernel that computes a piece of a slab.
   *
   * @param sizes the cells of the field along three axes
   * @param span the cells that are stored, or null for the whole field
   */
  public ArrayView view(
      List<Integer> sizes, SlabGeometry geometry, Span span, List<Integer> shift) {
    List<Integer> low = new ArrayList<>();
    List<Integer> high = new ArrayList<>();
    long[] before = new long[ArrayView.AXES];
    for (int axis = 0; axis < ArrayView.AXES; axis++) {
      boolean goesOn = span != null && geometry.goesOn(span, axis);
      int moved = goesOn ? shift.get(axis) : 0;
      low.add(goesOn ? span.low().get(axis) - moved : 0);
      high.add(goesOn ? span.high().get(axis) - moved : sizes.get(axis));
      before[axis] = (long) moved - first.get(axis);
    }
    long origin = address + before[0] * plane + before[1] * row + before[2] * cellBytes;
    return new ArrayView(origin, row, plane, low, high);
  }
}

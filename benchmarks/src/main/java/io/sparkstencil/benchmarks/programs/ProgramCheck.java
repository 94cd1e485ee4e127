/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.programs;

import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.Reach;
import io.sparkstencil.reference.ProgramReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Compares results with the reference, bit for bit, in windows: at both corners, in the middle of
 * the ends, and at random.
 */
final class ProgramCheck {
  private static final int RANDOM_WINDOWS = 4;

  /** The cells of a window along each axis, by the number of axes. */
  private static final List<Integer> SIZES = List.of(0, 4096, 48, 12);

  private final MeasuredProgram what;
  private final int steps;
  private final List<Integer> reach;

  /**
   * Prepares a comparison.
   *
   * @param steps the steps from {@link ProgramCells} to the results
   */
  ProgramCheck(MeasuredProgram what, int steps) {
    this.what = what;
    this.steps = steps;
    reach = reach(what);
  }

  /** Returns how far a step reads along each axis, whatever the field. */
  private static List<Integer> reach(MeasuredProgram what) {
    List<Integer> reach = new ArrayList<>(Collections.nCopies(what.extent().dimensions(), 0));
    for (Reach each : ProgramTraits.of(what.program()).reach()) {
      for (int axis = 0; axis < reach.size(); axis++) {
        reach.set(axis, Math.max(reach.get(axis), each.radius(axis)));
      }
    }
    return reach;
  }

  /** Returns the number of cells that differ, in all windows together. */
  long wrong(List<Object> results) {
    return windows().parallelStream().mapToLong(low -> wrong(results, low)).sum();
  }

  private List<List<Integer>> windows() {
    Random random = new Random(17);
    int dimensions = what.extent().dimensions();
    List<List<Integer>> windows = new ArrayList<>();
    for (int window = 0; window < 2 + 2 * dimensions + RANDOM_WINDOWS; window++) {
      List<Integer> low = new ArrayList<>();
      for (int axis = 0; axis < dimensions; axis++) {
        int last = what.extent().size(axis) - size(axis);
        int any = random.nextInt(last + 1);
        boolean end = window < 2 || (window - 2) / 2 == axis;
        low.add(!end ? any : window % 2 == 0 ? 0 : last);
      }
      windows.add(low);
    }
    return windows;
  }

  private int size(int axis) {
    return Math.min(SIZES.get(what.extent().dimensions()), what.extent().size(axis));
  }

  private long wrong(List<Object> results, List<Integer> low) {
    int dimensions = low.size();
    List<Integer> first = new ArrayList<>();
    List<Integer> sizes = new ArrayList<>();
    for (int axis = 0; axis < dimensions; axis++) {
      int margin = steps * reach.get(axis);
      int from = Math.max(0, low.get(axis) - margin);
      int to = Math.min(what.extent().size(axis), low.get(axis) + size(axis) + margin);
      first.add(from);
      sizes.add(to - from);
    }
    Extent extent = new Extent(sizes);
    List<Object> arrays = new ArrayList<>();
    for (int field = 0; field < what.program().fields().size(); field++) {
      arrays.add(cells(field, first, extent));
    }
    ProgramReference.run(
        what.programAt(first),
        new ProgramArrays(what.type(), extent, arrays),
        ParameterValues.NONE,
        steps);
    long wrong = 0;
    for (int field = 0; field < results.size(); field++) {
      wrong += different(results.get(field), arrays.get(field), low, first, extent);
    }
    return wrong;
  }

  private Object cells(int field, List<Integer> first, Extent extent) {
    Object array = what.type().newArray(extent.cells());
    List<Integer> position = new ArrayList<>(first);
    for (int i = 0; i < extent.cells(); i++) {
      int left = i;
      for (int axis = first.size() - 1; axis >= 0; axis--) {
        position.set(axis, first.get(axis) + left % extent.size(axis));
        left /= extent.size(axis);
      }
      java.lang.reflect.Array.set(array, i, cell(field, position));
    }
    return array;
  }

  private Object cell(int field, List<Integer> position) {
    double value = ProgramCells.at(field, index(what.extent(), position, null));
    return what.type().bytes() == Float.BYTES ? (Object) (float) value : (Object) value;
  }

  /** Returns the index of a position, counted from {@code first} unless that is null. */
  private static int index(Extent extent, List<Integer> position, List<Integer> first) {
    int index = 0;
    for (int axis = 0; axis < extent.dimensions(); axis++) {
      index =
          index * extent.size(axis) + position.get(axis) - (first == null ? 0 : first.get(axis));
    }
    return index;
  }

  private long different(
      Object all, Object expected, List<Integer> low, List<Integer> first, Extent extent) {
    int cells = 1;
    for (int axis = 0; axis < low.size(); axis++) {
      cells *= size(axis);
    }
    long wrong = 0;
    List<Integer> position = new ArrayList<>(low);
    for (int i = 0; i < cells; i++) {
      int left = i;
      for (int axis = low.size() - 1; axis >= 0; axis--) {
        position.set(axis, low.get(axis) + left % size(axis));
        left /= size(axis);
      }
      int at = index(what.extent(), position, null);
      int there = index(extent, position, first);
      wrong += bits(all, at) == bits(expected, there) ? 0 : 1;
    }
    return wrong;
  }

  private static long bits(Object array, int index) {
    return array instanceof float[] floats
        ? Float.floatToRawIntBits(floats[index])
        : Double.doubleToRawLongBits(((double[]) array)[index]);
  }
}

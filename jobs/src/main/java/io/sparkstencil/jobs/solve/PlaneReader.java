/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import io.sparkstencil.grid.Box;
import io.sparkstencil.jobs.chart.FieldAxes;
import io.sparkstencil.jobs.chart.FieldMap;
import io.sparkstencil.jobs.chart.FieldMap.Axis;
import io.sparkstencil.spark.grid.StencilGrid;
import java.util.ArrayList;
import java.util.List;

/**
 * Brings planes of a grid to the driver, slab by slab, with few enough values for a picture. Where
 * there are more cells, a value is the mean of a square of them.
 *
 * @param grid where cells come from
 * @param field the name of the field
 * @param axes with the coordinates of cells
 * @param longest the most values along an axis
 */
record PlaneReader(StencilGrid grid, String field, FieldAxes axes, int longest) {
  /** The most cells that are on the driver at once. */
  private static final long SLAB_CELLS = 1 << 24;

  /** Returns the maps of a picture: of three axes, the three planes in the middle. */
  List<FieldMap> maps() {
    if (grid.extent().size() < 3) {
      return List.of(map(-1));
    }
    List<FieldMap> maps = new ArrayList<>();
    for (int axis = 0; axis < grid.extent().size(); axis++) {
      maps.add(map(axis));
    }
    return maps;
  }

  /**
   * Returns the map of a plane; a line is a plane of one column.
   *
   * @param fixed of three axes, the one that is cut in the middle, else -1
   */
  FieldMap map(int fixed) {
    List<Long> shape = grid.extent();
    List<Long> start = new ArrayList<>();
    List<Long> end = new ArrayList<>();
    List<Integer> free = new ArrayList<>();
    for (int axis = 0; axis < shape.size(); axis++) {
      long middle = shape.get(axis) / 2;
      start.add(axis == fixed ? middle : 0);
      end.add(axis == fixed ? middle + 1 : shape.get(axis));
      if (axis != fixed) {
        free.add(axis);
      }
    }
    Axis down = axes.axis(free.get(0));
    Axis across = free.size() == 1 ? new Axis("", 1) : axes.axis(free.get(1));
    String caption = fixed < 0 ? "" : axes.caption(fixed, start.get(fixed));
    long square = ceilDiv(Math.max(down.cells(), across.cells()), longest);
    int rows = (int) ceilDiv(down.cells(), square);
    int columns = (int) ceilDiv(across.cells(), square);
    double[] sums = new double[rows * columns];
    long[] counts = new long[rows * columns];
    long slab = Math.max(1, SLAB_CELLS / across.cells());
    for (long from = 0; from < down.cells(); from += slab) {
      long to = Math.min(down.cells(), from + slab);
      start.set(free.get(0), from);
      end.set(free.get(0), to);
      add(
          grid.read(field, Box.between(start, end)),
          from,
          across.cells(),
          square,
          columns,
          sums,
          counts);
    }
    for (int i = 0; i < sums.length; i++) {
      sums[i] /= counts[i]; // NaN without any
    }
    FieldMap map = new FieldMap(caption, down, across, rows, columns, sums);
    return free.size() == 1 ? map : axes.drawn(map, free.get(0));
  }

  private static long ceilDiv(long cells, long parts) {
    return (cells + parts - 1) / parts;
  }

  /**
   * Adds the cells of a slab, whose first row is {@code from}, to the sums of their squares. Cells
   * without a number are left out.
   */
  private static void add(
      Object cells, long from, long width, long square, int columns, double[] sums, long[] counts) {
    float[] floats = cells instanceof float[] array ? array : null;
    double[] doubles = floats == null ? (double[]) cells : null;
    int length = floats == null ? doubles.length : floats.length;
    for (int i = 0; i < length; i++) {
      int value = (int) ((from + i / width) / square) * columns + (int) (i % width / square);
      double cell = floats == null ? doubles[i] : floats[i];
      if (!Double.isNaN(cell)) {
        sums[value] += cell;
        counts[value]++;
      }
    }
  }
}

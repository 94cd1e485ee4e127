/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.chart;

import java.util.List;

/**
 * The values of a plane of cells, which may be fewer than the cells.
 *
 * @param caption above the map, empty for none
 * @param down the axis that goes down
 * @param across the axis that goes to the right
 * @param rows values along the first axis
 * @param columns values along the second axis
 * @param values row by row
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record FieldMap(
    String caption, Axis down, Axis across, int rows, int columns, double[] values) {
  /**
   * An axis of a field.
   *
   * @param name its name
   * @param unit of its coordinates
   * @param cells the cells along it
   * @param coordinates of the middles of the cells, which rise or fall; null for their numbers
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Axis(String name, String unit, long cells, double[] coordinates) {
    /** An axis whose cells have numbers from 0. */
    public Axis(String name, long cells) {
      this(name, "cells", cells, null);
    }

    /** Returns the name with the unit. */
    public String title() {
      return unit.isEmpty() ? name : "%s (%s)".formatted(name, unit);
    }

    /** Returns round coordinates along the axis. */
    List<Double> ticks(int about) {
      return coordinates == null
          ? new ValueRange(0, cells - 1)
              .ticks(about).stream().filter(tick -> tick == Math.rint(tick)).toList()
          : ValueRange.of(coordinates).ticks(about);
    }

    /** Returns where a coordinate lies, from 0 where the first cell begins to 1. */
    double place(double coordinate) {
      return ((coordinates == null ? coordinate : index(coordinate)) + 0.5) / cells;
    }

    /** Returns the coordinate at a place between cells, of which each has a whole number from 0. */
    public double coordinate(double index) {
      if (coordinates == null) {
        return index;
      }
      int low = (int) Math.max(0, Math.min(coordinates.length - 2, Math.floor(index)));
      return coordinates[low] + (index - low) * (coordinates[low + 1] - coordinates[low]);
    }

    private double index(double coordinate) {
      int last = coordinates.length - 1;
      boolean rises = coordinates[last] > coordinates[0];
      int low = 0;
      int high = last;
      while (high - low > 1) {
        int middle = (low + high) / 2;
        if (coordinates[middle] <= coordinate == rises) {
          low = middle;
        } else {
          high = middle;
        }
      }
      double width = coordinates[high] - coordinates[low];
      return width == 0 ? low : low + (coordinate - coordinates[low]) / width;
    }

    private Axis turned() {
      double[] reversed = new double[Math.toIntExact(cells)];
      for (int i = 0; i < reversed.length; i++) {
        int other = reversed.length - 1 - i;
        reversed[i] = coordinates == null ? other : coordinates[other];
      }
      return new Axis(name, unit, cells, reversed);
    }
  }

  /** Checks that there is one value per row and column. */
  public FieldMap {
    if (values.length != rows * columns) {
      throw new IllegalArgumentException(
          "%d values for %d x %d cells".formatted(values.length, rows, columns));
    }
  }

  /** Returns the map with its last row at the top. */
  public FieldMap turned() {
    double[] reversed = new double[values.length];
    for (int row = 0; row < rows; row++) {
      System.arraycopy(values, row * columns, reversed, (rows - 1 - row) * columns, columns);
    }
    return new FieldMap(caption, down.turned(), across, rows, columns, reversed);
  }

  /** Returns the map of a plane that has one value per cell. */
  public static FieldMap ofCells(
      String caption, String down, String across, int rows, int columns, double... cells) {
    return new FieldMap(
        caption, new Axis(down, rows), new Axis(across, columns), rows, columns, cells);
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.chart;

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
   * @param cells the cells along it
   */
  public record Axis(String name, long cells) {}

  /** Checks that there is one value per row and column. */
  public FieldMap {
    if (values.length != rows * columns) {
      throw new IllegalArgumentException(
          "%d values for %d x %d cells".formatted(values.length, rows, columns));
    }
  }

  /** Returns the map of a plane that has one value per cell. */
  public static FieldMap ofCells(
      String caption, String down, String across, int rows, int columns, double... cells) {
    return new FieldMap(
        caption, new Axis(down, rows), new Axis(across, columns), rows, columns, cells);
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.error.InvalidStencilException;
import java.io.Serializable;
import java.util.Arrays;

/**
 * The coordinates of the cells along an axis, such as latitudes, by which rows find their cells:
 * each lies in the cell whose coordinate is the nearest, if that is within a tolerance.
 *
 * <pre>{@code
 * AxisCoordinates latitudes = AxisCoordinates.of(new double[] {60, 50, 40}, 0.25);
 * long position = latitudes.position("lat", 49.9); // 1
 * }</pre>
 */
public final class AxisCoordinates implements Serializable {
  private static final long serialVersionUID = 1L;

  private final double[] ascending;
  private final boolean descends;
  private final double tolerance;

  private AxisCoordinates(double[] ascending, boolean descends, double tolerance) {
    this.ascending = ascending;
    this.descends = descends;
    this.tolerance = tolerance;
  }

  /**
   * Returns the coordinates of an axis.
   *
   * @param values one for each cell; each is above the one before, or each is below
   * @param tolerance how far a row may be from the nearest; 0 for rows with the same numbers
   * @throws InvalidStencilException if the values neither rise nor fall, or are not finite, or the
   *     tolerance is below 0
   */
  public static AxisCoordinates of(double[] values, double tolerance) {
    if (!(tolerance >= 0) || Double.isInfinite(tolerance)) {
      throw new InvalidStencilException(
          "the tolerance of coordinates is %s; use a finite number, 0 or above"
              .formatted(tolerance));
    }
    double[] ascending = values.clone();
    boolean descends = values.length > 1 && values[0] > values[1];
    for (int i = 0; i < ascending.length; i++) {
      ascending[i] = values[descends ? ascending.length - 1 - i : i];
      if (!Double.isFinite(ascending[i]) || (i > 0 && !(ascending[i] > ascending[i - 1]))) {
        throw new InvalidStencilException(
            "the coordinates of an axis have %s %s; give finite numbers that rise or fall from cell to cell"
                .formatted(ascending[i], i == 0 ? "at an end" : "next to " + ascending[i - 1]));
      }
    }
    return new AxisCoordinates(ascending, descends, tolerance);
  }

  /** Returns the number of cells along the axis. */
  public int count() {
    return ascending.length;
  }

  /**
   * Returns the position of a row's cell, from 0. Half-way between two cells, it is the one with
   * the lower coordinate.
   *
   * @param column what has the coordinate, for messages
   * @throws BadDataException if none is within the tolerance
   */
  public long position(String column, double coordinate) {
    int found = Arrays.binarySearch(ascending, coordinate);
    int above = found < 0 ? -found - 1 : found;
    int nearest = Math.min(above, ascending.length - 1);
    if (nearest > 0 && coordinate - ascending[nearest - 1] <= ascending[nearest] - coordinate) {
      nearest--;
    }
    double distance = nearest < 0 ? Double.NaN : Math.abs(coordinate - ascending[nearest]);
    if (!(distance <= tolerance)) {
      throw new BadDataException(
          "column %s has the coordinate %s, %s from the nearest cell, which is at %s; the tolerance is %s: raise it, or leave such rows out"
              .formatted(
                  column,
                  coordinate,
                  distance,
                  nearest < 0 ? "none" : Double.toString(ascending[nearest]),
                  tolerance));
    }
    return descends ? ascending.length - 1 - nearest : nearest;
  }
}

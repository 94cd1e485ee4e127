/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.chart;

import io.sparkstencil.jobs.chart.FieldMap.Axis;
import io.sparkstencil.spark.files.cells.FieldLabels;
import io.sparkstencil.spark.files.cells.FieldLabels.Coordinate;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Axes of pictures with the coordinates that a file has for its cells. */
public final class FieldAxes {
  private final FieldLabels labels;
  private final List<String> names;
  private final List<Long> shape;

  /**
   * Makes axes of the cells of a file.
   *
   * @param labels what the file says; {@link FieldLabels#ofAxes} where there is none
   * @param names of the axes without coordinates
   * @param shape the cells along each
   */
  public FieldAxes(FieldLabels labels, List<String> names, List<Long> shape) {
    this.labels = labels;
    this.names = List.copyOf(names);
    this.shape = List.copyOf(shape);
  }

  /** Returns an axis with its coordinates, if they rise or fall from cell to cell. */
  public Axis axis(int axis) {
    Coordinate coordinate = coordinate(axis);
    if (coordinate == null) {
      return new Axis(names.get(axis), shape.get(axis));
    }
    Object unit = coordinate.attributes().getOrDefault("units", "");
    return new Axis(
        labels.dimensionNames().get(axis), unit.toString(), shape.get(axis), coordinate.values());
  }

  /** Says where a cell lies along an axis. */
  public String caption(int axis, long cell) {
    Coordinate coordinate = coordinate(axis);
    if (coordinate == null) {
      return "%s = %d".formatted(names.get(axis), cell);
    }
    double value = coordinate.values()[(int) cell];
    Object unit = coordinate.attributes().getOrDefault("units", "");
    return String.format(
            Locale.ROOT, "%s = %.6g %s", labels.dimensionNames().get(axis), value, unit)
        .strip();
  }

  /**
   * Returns the map as it is drawn: coordinates rise from the bottom to the top, unless the axis
   * says that they count downwards, as depths do. Without coordinates, the first row is at the top.
   *
   * @param down the axis that goes down in the map
   */
  public FieldMap drawn(FieldMap map, int down) {
    Coordinate coordinate = coordinate(down);
    if (coordinate == null) {
      return map;
    }
    double[] values = coordinate.values();
    boolean rises = values[values.length - 1] > values[0];
    boolean downwards = "down".equals(coordinate.attributes().get("positive"));
    return rises == downwards ? map : map.turned();
  }

  /** Returns what a file calls the quantity, with its unit; the other name without. */
  public static String quantity(Map<String, Object> attributes, String other) {
    Object name =
        attributes.getOrDefault("long_name", attributes.getOrDefault("standard_name", other));
    Object unit = attributes.get("units");
    return unit == null || unit.toString().isBlank()
        ? name.toString()
        : "%s (%s)".formatted(name, unit);
  }

  private Coordinate coordinate(int axis) {
    if (labels.dimensionNames().size() != shape.size()) {
      return null;
    }
    Coordinate found = labels.coordinates().get(labels.dimensionNames().get(axis));
    return found != null && isUsable(found.values(), shape.get(axis)) ? found : null;
  }

  private static boolean isUsable(double[] values, long cells) {
    if (values.length != cells || cells < 2) {
      return false;
    }
    boolean rises = values[1] > values[0];
    for (int i = 1; i < values.length; i++) {
      boolean further = rises ? values[i] > values[i - 1] : values[i] < values[i - 1];
      if (!further || !Double.isFinite(values[i] - values[i - 1])) {
        return false;
      }
    }
    return true;
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.cells;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a file says of a field beside its cells.
 *
 * @param dimensionNames a name for each axis, or nothing
 * @param attributes strings, numbers, and lists of them, by name
 * @param coordinates of the axes that have some, by the names of axes
 */
public record FieldLabels(
    List<String> dimensionNames,
    Map<String, Object> attributes,
    Map<String, Coordinate> coordinates) {
  /** Attributes of how numbers are stored, and of what lies beside them in a file. */
  private static final Set<String> OF_THE_FILE =
      Set.of(
          "scale_factor",
          "add_offset",
          "_FillValue",
          "missing_value",
          "valid_range",
          "valid_min",
          "valid_max",
          "actual_range",
          "dtype",
          "coordinates",
          "bounds",
          "grid_mapping",
          "ancillary_variables",
          "cell_measures",
          "CLASS",
          "NAME");

  /** Values along an axis. */
  public static final class Coordinate {
    private final double[] values;
    private final Map<String, Object> attributes;

    /**
     * Copies both.
     *
     * @param values as double
     * @param attributes such as {@code units}
     */
    public Coordinate(double[] values, Map<String, Object> attributes) {
      this.values = values.clone();
      this.attributes = ofTheField(attributes);
    }

    /** Returns a copy of the values. */
    public double[] values() {
      return values.clone();
    }

    /** Returns the attributes. */
    public Map<String, Object> attributes() {
      return attributes;
    }
  }

  /** Copies all, without attributes that do not hold for the cells of another file. */
  public FieldLabels {
    dimensionNames = List.copyOf(dimensionNames);
    attributes = ofTheField(attributes);
    coordinates = Collections.unmodifiableMap(new TreeMap<>(coordinates));
  }

  private static Map<String, Object> ofTheField(Map<String, Object> attributes) {
    Map<String, Object> kept = new LinkedHashMap<>();
    attributes.forEach(
        (name, value) -> {
          boolean inner = name.startsWith("_") || name.equals("DIMENSION_LIST");
          if (!inner && !OF_THE_FILE.contains(name) && value != null) {
            kept.put(name, value);
          }
        });
    return Collections.unmodifiableMap(kept);
  }

  /** Returns labels with names of axes and nothing else. */
  public static FieldLabels ofAxes(List<String> names) {
    return new FieldLabels(names, Map.of(), Map.of());
  }
}

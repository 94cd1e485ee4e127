/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.tiff;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where the cells of an image lie, if its rows and columns run along the axes of its coordinates.
 *
 * @param tags those of GeoTIFF, by name
 */
record GeoTransform(Map<String, Object> tags) {
  private static final int RASTER_TYPE = 1025;
  private static final long POINTS = 2;

  /** Returns the coordinates of the middles of some cells along the axis x or y. */
  Optional<double[]> along(String axis, long first, int count) {
    List<?> scale = numbers("ModelPixelScale");
    List<?> tie = numbers("ModelTiepoint");
    boolean known =
        scale.size() >= 2 && tie.size() == 6 && !tags.containsKey("ModelTransformation");
    if (!known || !(axis.equals("x") || axis.equals("y"))) {
      return Optional.empty();
    }
    int at = axis.equals("x") ? 0 : 1;
    double step = at == 0 ? number(scale, 0) : -number(scale, 1);
    double middle = cellsArePoints() ? 0 : 0.5;
    double[] values = new double[count];
    for (int i = 0; i < values.length; i++) {
      values[i] = number(tie, 3 + at) + (first + i + middle - number(tie, at)) * step;
    }
    return Optional.of(values);
  }

  private List<?> numbers(String tag) {
    return tags.get(tag) instanceof List<?> list ? list : List.of();
  }

  private static double number(List<?> numbers, int index) {
    return ((Number) numbers.get(index)).doubleValue();
  }

  /** The keys lie in groups of four: a number, where its value lies, a count, and the value. */
  private boolean cellsArePoints() {
    List<?> keys = numbers("GeoKeyDirectory");
    for (int at = 4; at + 3 < keys.size(); at += 4) {
      if (((Number) keys.get(at)).intValue() == RASTER_TYPE) {
        return ((Number) keys.get(at + 3)).longValue() == POINTS;
      }
    }
    return false;
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.tiff;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Where the cells of an image lie on the Earth, and where they lie along its axes if its rows and
 * columns run along the axes of its coordinates.
 *
 * @param tags those of GeoTIFF, by name
 */
public record GeoTransform(Map<String, Object> tags) {
  static final String KEYS = "GeoKeyDirectory";

  private static final String TEXTS = "GeoAsciiParams";

  /** The numbers of the tags that say where an image lies. */
  static final Map<String, Integer> TAGS =
      Map.of(
          "ModelPixelScale",
          33550,
          "ModelTiepoint",
          33922,
          "ModelTransformation",
          34264,
          KEYS,
          34735,
          "GeoDoubleParams",
          34736,
          TEXTS,
          34737);

  private static final int RASTER_TYPE = 1025;
  private static final long POINTS = 2;

  /** Returns the tags among the attributes of a field. */
  public static Map<String, Object> tagsOf(Map<String, Object> attributes) {
    Map<String, Object> tags = new TreeMap<>(attributes);
    tags.keySet().retainAll(TAGS.keySet());
    tags.entrySet()
        .removeIf(
            tag ->
                tag.getKey().equals(TEXTS)
                    ? !(tag.getValue() instanceof String)
                    : !(tag.getValue() instanceof List<?> numbers
                        && !numbers.isEmpty()
                        && numbers.stream().allMatch(each -> each instanceof Number)));
    return tags;
  }

  /**
   * Returns attributes of a part of an image: the tags among them say where that lies.
   *
   * @param rows of the image before the part
   * @param columns of the image before the part
   */
  public static Map<String, Object> ofPart(
      Map<String, Object> attributes, long rows, long columns) {
    Map<String, Object> moved = new LinkedHashMap<>(attributes);
    Map<String, Object> tags = tagsOf(attributes);
    if (tags.get("ModelTiepoint") instanceof List<?> ties) {
      List<Object> points = new ArrayList<>(ties);
      for (int at = 0; at + 5 < points.size(); at += 6) {
        points.set(at, number(ties, at) - columns);
        points.set(at + 1, number(ties, at + 1) - rows);
      }
      moved.put("ModelTiepoint", points);
    }
    if (tags.get("ModelTransformation") instanceof List<?> matrix && matrix.size() == 16) {
      List<Object> numbers = new ArrayList<>(matrix);
      for (int row = 0; row < 16; row += 4) {
        double shift = number(matrix, row) * columns + number(matrix, row + 1) * rows;
        numbers.set(row + 3, number(matrix, row + 3) + shift);
      }
      moved.put("ModelTransformation", numbers);
    }
    return moved;
  }

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
    List<?> keys = numbers(KEYS);
    for (int at = 4; at + 3 < keys.size(); at += 4) {
      if (((Number) keys.get(at)).intValue() == RASTER_TYPE) {
        return ((Number) keys.get(at + 3)).longValue() == POINTS;
      }
    }
    return false;
  }
}

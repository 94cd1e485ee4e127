/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.paths;

import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.FieldChecks;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.StoredFile;
import io.sparkstencil.spark.files.cells.FieldLabels;
import io.sparkstencil.spark.files.cells.FileArray;
import io.sparkstencil.spark.files.tiff.GeoTransform;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;

/**
 * The name of a field: the path of an array, and the slice of it if not all is meant.
 *
 * @param path without the slice
 * @param slice what is taken
 */
record FieldName(String path, Optional<FieldSlice> slice) {
  private static final int MOST_COORDINATES = 1 << 22;

  /** Reads a name. What stands in brackets belongs to the path if there is a file of that path. */
  static FieldName of(String text, Configuration hadoop) {
    String path = withoutSlice(text);
    return path.equals(text) || exists(text, hadoop)
        ? new FieldName(text, Optional.empty())
        : new FieldName(path, Optional.of(FieldSlice.parse(path, text.substring(path.length()))));
  }

  /** Returns a name without the brackets at its end. */
  static String withoutSlice(String text) {
    int open = text.endsWith("]") ? text.lastIndexOf('[') : -1;
    return open > 0 ? text.substring(0, open) : text;
  }

  /** Returns whether there is a file or folder of a path; not if the text can be no path. */
  static boolean exists(String path, Configuration hadoop) {
    try {
      return StoredFile.of(path, hadoop).exists();
    } catch (FieldFileException e) {
      return false;
    }
  }

  /** Opens the field, by what opens an array of a path. */
  FieldReader open(Function<String, FieldReader> arrays) {
    FieldReader array = arrays.apply(path);
    try {
      FieldReader field = slice.map(each -> sliced(array, each)).orElse(array);
      requireAxes(field, array);
      return field;
    } catch (RuntimeException e) {
      array.close();
      throw e;
    }
  }

  /** Returns what the file says of the field beside its cells. */
  FieldLabels labels(boolean raw, Configuration hadoop) {
    ArrayPlace place = ArrayPlace.of(path, hadoop);
    try (FieldReader array = place.open(raw);
        FieldReader field = open(each -> place.open(raw))) {
      Map<String, FieldLabels.Coordinate> coordinates = new LinkedHashMap<>();
      List<String> all = field.dimensionNames();
      List<String> names = all.size() == field.shape().size() ? all : List.of();
      for (int axis = 0; axis < names.size(); axis++) {
        String name = names.get(axis);
        long first = field instanceof SlicedField part ? part.first(axis) : 0;
        long count = field.shape().get(axis);
        Optional<FieldLabels.Coordinate> found =
            count > MOST_COORDINATES
                ? Optional.empty()
                : place.liesInGroup()
                    ? coordinate(name, first, count, hadoop)
                    : own(array, name, first, (int) count);
        found.ifPresent(each -> coordinates.put(name, each));
      }
      Map<String, Object> attributes = field.attributes();
      if (raw) {
        attributes = GeoTransform.tagsOf(attributes);
      }
      return new FieldLabels(names, placed(attributes, names, field), coordinates);
    }
  }

  /** A slice of a raster lies elsewhere than the whole. */
  private static Map<String, Object> placed(
      Map<String, Object> attributes, List<String> names, FieldReader field) {
    int rows = names.indexOf("y");
    int columns = names.indexOf("x");
    return field instanceof SlicedField part && rows >= 0 && columns >= 0
        ? GeoTransform.ofPart(attributes, part.first(rows), part.first(columns))
        : attributes;
  }

  private static Optional<FieldLabels.Coordinate> own(
      FieldReader array, String axis, long first, int count) {
    return array instanceof FileArray file
        ? file.coordinates(axis, first, count)
            .map(values -> new FieldLabels.Coordinate(values, Map.of()))
        : Optional.empty();
  }

  /** Coordinates are an array of one axis beside the field, which has the name of the axis. */
  private Optional<FieldLabels.Coordinate> coordinate(
      String axis, long first, long count, Configuration hadoop) {
    int slash = path.replaceAll("/+$", "").lastIndexOf('/');
    if (slash < 0 || axis.isEmpty() || axis.contains("/")) {
      return Optional.empty();
    }
    String beside = path.substring(0, slash + 1) + axis;
    try (FieldReader array = ArrayPlace.of(beside, hadoop).open(false)) {
      if (array.shape().size() != 1 || array.shape().get(0) < first + count) {
        return Optional.empty();
      }
      Box box = new Box(List.of(first), Extent.of((int) count));
      double[] values = (double[]) array.read(box, ElementType.F64);
      return Optional.of(new FieldLabels.Coordinate(values, array.attributes()));
    } catch (FieldFileException e) {
      if (e.code() == ErrorCode.BAD_DATA) {
        throw e;
      }
      return Optional.empty(); // an axis without coordinates, or with texts
    }
  }

  private FieldReader sliced(FieldReader array, FieldSlice part) {
    return new SlicedField(array, path + part.text(), part.along(path, array));
  }

  private void requireAxes(FieldReader field, FieldReader array) {
    if (field.shape().isEmpty()) {
      throw FieldFileException.wrongCall(
          "%s%s is a single cell; leave an axis in the slice, by : or a range"
              .formatted(path, slice.map(FieldSlice::text).orElse("")));
    }
    if (field.shape().size() > FieldChecks.MOST_AXES) {
      throw FieldFileException.unsupported(
          "%s%s %s, and fields have 1 to %d; name a slice, such as %s%s"
              .formatted(
                  path,
                  slice.map(FieldSlice::text).orElse(""),
                  FieldSlice.axes(field),
                  FieldChecks.MOST_AXES,
                  path,
                  FieldSlice.leaving(array, FieldChecks.MOST_AXES)));
    }
  }
}

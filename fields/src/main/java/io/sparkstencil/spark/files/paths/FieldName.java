/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.paths;

import io.sparkstencil.spark.files.FieldChecks;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.StoredFile;
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

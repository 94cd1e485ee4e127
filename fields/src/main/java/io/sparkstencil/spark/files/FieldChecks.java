/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import java.lang.reflect.Array;
import java.util.List;

/** What all formats check of shapes, boxes and arrays. */
public final class FieldChecks {
  /** The most axes of a field. */
  public static final int MOST_AXES = 3;

  /** As many as NumPy's arrays and HDF5's have. */
  private static final int MOST_STORED_AXES = 32;

  private FieldChecks() {}

  /**
   * Checks the shape of a field that is to be written.
   *
   * @return the number of cells
   * @throws FieldFileException if it has no axes or more than three, an axis without cells, or more
   *     cells than a long can count
   */
  public static long requireShape(List<Long> shape, Object path) {
    if (shape.size() > MOST_AXES) {
      throw FieldFileException.unsupported(
          "%s has the shape %s, of %d axes; fields have 1 to %d: write slices of it"
              .formatted(path, shape, shape.size(), MOST_AXES));
    }
    return requireStored(shape, path);
  }

  /**
   * Checks the shape that a file says it has. Of one with more than three axes, slices are fields.
   *
   * @return the number of cells
   * @throws FieldFileException if it has no axes or more than 32, an axis without cells, or more
   *     cells than a long can count
   */
  public static long requireStored(List<Long> shape, Object path) {
    if (shape.isEmpty() || shape.size() > MOST_STORED_AXES) {
      throw FieldFileException.unsupported(
          "%s has the shape %s, of %d axes; arrays of 1 to %d are read: store a reshaped array"
              .formatted(path, ShortText.of(shape), shape.size(), MOST_STORED_AXES));
    }
    long cells = 1;
    for (long size : shape) {
      if (size < 1) {
        throw FieldFileException.unsupported(
            "%s has the shape %s, which has no cells; fields have at least one along each axis"
                .formatted(path, shape));
      }
      if (cells > Long.MAX_VALUE / Double.BYTES / size) {
        throw FieldFileException.broken(
            "%s has the shape %s, whose bytes no file can have; is the file broken?"
                .formatted(path, shape));
      }
      cells *= size;
    }
    return cells;
  }

  /**
   * Returns how a path names an array in a file. A name that itself ends in brackets, as slices do,
   * has a slice of all behind it.
   */
  public static String inPath(String array) {
    return array.endsWith("]") ? array + "[:]" : array;
  }

  /**
   * Checks that a box lies inside a shape.
   *
   * @throws FieldFileException if it has other axes, or cells outside
   */
  public static void requireInside(Box box, List<Long> shape, Object path) {
    if (box.dimensions() != shape.size()) {
      throw FieldFileException.wrongCall(
          "%s has %d axes, and the box at %s has %d; use a box of as many"
              .formatted(path, shape.size(), box.origin(), box.dimensions()));
    }
    for (int axis = 0; axis < shape.size(); axis++) {
      if (box.start(axis) < 0 || box.end(axis) > shape.get(axis)) {
        throw FieldFileException.wrongCall(
            "the box at %s with sizes %s lies outside the shape %s of %s; use positions inside"
                .formatted(box.origin(), box.extent().sizes(), shape, path));
      }
    }
  }

  /**
   * Checks that an array holds a box's cells.
   *
   * @throws FieldFileException if it is of another type or length
   */
  public static void requireCells(Object cells, Box box, ElementType type) {
    boolean typed = type == ElementType.F32 ? cells instanceof float[] : cells instanceof double[];
    if (!typed || Array.getLength(cells) != box.cells()) {
      throw FieldFileException.wrongCall(
          "a box of %d %s cells was given %s; give an array of its cells"
              .formatted(
                  box.cells(),
                  type,
                  cells == null || !cells.getClass().isArray()
                      ? "no array"
                      : "%s of %d"
                          .formatted(cells.getClass().getSimpleName(), Array.getLength(cells))));
    }
  }
}

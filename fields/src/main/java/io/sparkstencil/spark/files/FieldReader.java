/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import java.io.Closeable;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A field in a file, read box by box. A reader belongs to one thread; a {@link FieldSource} opens
 * one in each task.
 *
 * <pre>{@code
 * try (FieldReader elevation = FieldPaths.open("/shared/alps.tif", hadoop)) {
 *   Box first = Box.between(List.of(0L, 0L), List.of(100L, 100L));
 *   float[] metres = (float[]) elevation.read(first, ElementType.F32);
 * }
 * }</pre>
 */
public interface FieldReader extends Closeable {
  /** Returns the narrowest floating type that holds the file's cells; F64 for all wide integers. */
  ElementType type();

  /**
   * Returns the cells along each axis, slowest first, each at least one. A field has 1 to 3 axes; a
   * file may have more.
   */
  List<Long> shape();

  /** Returns the name of each axis, empty for one without a name; an empty list if none has one. */
  default List<String> dimensionNames() {
    return List.of();
  }

  /** Returns what the file says of the field: strings, numbers, lists and maps, by name. */
  default Map<String, Object> attributes() {
    return Map.of();
  }

  /**
   * Returns what is done to the numbers of the file before they are cells, such as {@code int16
   * times 0.01 plus 280, NaN where -32767}; nothing if they are the cells.
   */
  default Optional<String> decoding() {
    return Optional.empty();
  }

  /**
   * Reads a box of cells.
   *
   * @param box cells inside the shape
   * @param as {@link ElementType#F32} or {@link ElementType#F64}; cells of other types are rounded
   *     to the nearest
   * @return a new dense {@code float[]} or {@code double[]} of the box's cells, slowest axis first
   * @throws FieldFileException if the box lies outside, or the file is broken or cannot be read
   */
  Object read(Box box, ElementType as);

  /**
   * Returns what a user should know of the cells, such as that some are not stored. It is found out
   * in a few seconds, or it is not known; in no case does this fail.
   */
  default Optional<String> note() {
    return Optional.empty();
  }

  /**
   * Returns how many of the parts that cells are stored in are not there.
   *
   * @throws FieldFileException if that cannot be told
   */
  default long missingParts() {
    return 0;
  }

  /**
   * Returns boxes with the cells of a box, best read one after the other.
   *
   * @param mostCells of each, unless more are stored together
   */
  default List<Box> pieces(Box box, int mostCells) {
    return box.pieces(mostCells);
  }

  /** Returns about how many bytes of the heap reading a box takes, its cells included. */
  default long heapBytes(Box box) {
    return 2L * Double.BYTES * box.cells();
  }

  /** Closes the file. Closing again does nothing. */
  @Override
  void close();
}

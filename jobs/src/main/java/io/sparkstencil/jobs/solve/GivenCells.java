/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.spark.files.paths.FieldPaths;
import io.sparkstencil.spark.grid.GridBuilder;
import java.util.List;
import java.util.function.Predicate;

/**
 * Where the first cells of a field come from.
 *
 * @param text as it is written: a name, an expression, or a path
 * @param kind what it is
 */
record GivenCells(String text, CellNotation kind) {
  /** What first cells are written as. */
  enum CellNotation {
    /** The name of a shape. */
    SHAPE,
    /** An expression over positions. */
    EXPRESSION,
    /** The path of a file, whose numbers are decoded. */
    FILE,
    /** The path of a file, whose numbers are taken as they are stored. */
    RAW_FILE
  }

  /**
   * Tells names, paths and expressions from each other. What can be a path as well as an
   * expression, such as {@code x/nx}, is an expression; {@code ./x/nx} is a path.
   *
   * @param exists tells whether there is a file of a name
   * @throws InvalidStencilException if it is none of them
   */
  static GivenCells of(String text, List<Long> shape, Predicate<String> exists) {
    if (NamedShape.named(text).isPresent()) {
      return new GivenCells(text, CellNotation.SHAPE);
    }
    if (FieldPaths.isPath(text)) {
      return new GivenCells(text, CellNotation.FILE);
    }
    try {
      return new GivenCells(new PositionFormula(text, shape).text(), CellNotation.EXPRESSION);
    } catch (InvalidStencilException e) {
      if (exists.test(text)) {
        return new GivenCells(text, CellNotation.FILE);
      }
      if (text.contains("/")) {
        throw new InvalidStencilException(
            "%s; nor is there a file %s".formatted(e.getMessage(), text), e);
      }
      throw e;
    }
  }

  boolean isFile() {
    return kind == CellNotation.FILE || kind == CellNotation.RAW_FILE;
  }

  /** Returns whether they are those of a file, as they are stored. */
  boolean isRaw() {
    return kind == CellNotation.RAW_FILE;
  }

  /** Returns the same file, whose numbers are taken as they are stored. */
  GivenCells raw(String field) {
    if (!isFile()) {
      throw new InvalidStencilException(
          "--raw %s: the first cells of %s are those of no file; give one by --field %s=PATH"
              .formatted(field, field, field));
    }
    return new GivenCells(text, CellNotation.RAW_FILE);
  }

  /** Gives a grid these cells. */
  void addTo(GridBuilder builder, String field, List<Long> shape) {
    switch (kind) {
      case SHAPE -> builder.field(field, NamedShape.named(text).orElseThrow().over(shape));
      case EXPRESSION -> builder.file(field, new PositionFormula(text, shape));
      case FILE -> builder.file(field, FieldPaths.source(text));
      case RAW_FILE -> builder.file(field, FieldPaths.rawSource(text));
    }
  }
}

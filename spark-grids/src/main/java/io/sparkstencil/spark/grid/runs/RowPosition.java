/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.grid.AxisCoordinates;
import java.math.BigDecimal;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;

/** Positions of cells as rows have them: whole numbers, whatever the type of the column. */
final class RowPosition {
  private RowPosition() {}

  /** Checks that a column can have positions. */
  static void requireType(String column, DataType type) {
    if (!(type instanceof NumericType || type instanceof StringType)) {
      throw new InvalidStencilException(
          "column %s of positions has the type %s; use a column of whole numbers, counted from 0"
              .formatted(column, type.simpleString()));
    }
  }

  /**
   * Returns a position.
   *
   * @param value a number, or the text of one
   * @throws BadDataException if it is no whole number of 64 bits
   */
  static long of(String column, Object value) {
    if (value instanceof Long || value instanceof Integer) {
      return ((Number) value).longValue();
    }
    try {
      return new BigDecimal(value.toString().strip()).longValueExact();
    } catch (ArithmeticException | NumberFormatException e) {
      throw new BadDataException(
          "column %s has the position %s, which is no whole number; give the cell's number along the axis, as floor(%s) does, say"
              .formatted(column, value, column));
    }
  }

  /**
   * Returns the position of the cell with the nearest coordinate.
   *
   * @param value a number, or the text of one
   * @throws BadDataException if it is no number, or none is near enough
   */
  static long of(String column, Object value, AxisCoordinates axis) {
    try {
      double coordinate =
          value instanceof Number number
              ? number.doubleValue()
              : Double.parseDouble(value.toString().strip());
      return axis.position(column, coordinate);
    } catch (NumberFormatException e) {
      throw new BadDataException(
          "column %s has the coordinate %s, which is no number; give numbers"
              .formatted(column, value));
    }
  }
}

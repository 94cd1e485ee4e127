/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.zarr;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.files.CellType;
import java.util.Optional;

/** Fill values in metadata: numbers, truth values, and strings for what JSON has no numbers for. */
final class FillValue {
  private FillValue() {}

  /** Returns the value; nothing if there is none. */
  static Optional<Number> parse(Optional<ZarrJson> fill, CellType type) {
    return fill.map(value -> parse(value, type));
  }

  private static Number parse(ZarrJson value, CellType type) {
    if (type == CellType.BOOL && value.node().isBoolean()) {
      return value.truth() ? 1 : 0;
    }
    if (value.node().isNumber() && type.holds(value.node().numberValue())) {
      return value.node().numberValue();
    }
    if (type.isFloating() && value.node().isTextual()) {
      return switch (value.text()) {
        case "NaN" -> Double.NaN;
        case "Infinity" -> Double.POSITIVE_INFINITY;
        case "-Infinity" -> Double.NEGATIVE_INFINITY;
        default -> bits(value, type);
      };
    }
    throw value.broken("a fill value of type " + type);
  }

  /** Returns the number whose bits a string says in hexadecimal digits. */
  private static Number bits(ZarrJson value, CellType type) {
    String text = value.text();
    if (!text.matches("0x[0-9a-fA-F]{%d}".formatted(2 * type.bytes()))) {
      throw value.broken(
          "\"NaN\", \"Infinity\", \"-Infinity\" or 0x and %d digits".formatted(2 * type.bytes()));
    }
    long bits = Long.parseUnsignedLong(text.substring(2), 16);
    return type == CellType.FLOAT32
        ? (Number) Float.intBitsToFloat((int) bits)
        : (Number) Double.longBitsToDouble(bits);
  }

  /** Returns what stands in metadata for a value of F32 or F64 cells. */
  static Object json(double fill, ElementType type) {
    double held = type == ElementType.F32 ? (float) fill : fill;
    if (Double.isNaN(held)) {
      return "NaN";
    }
    if (Double.isInfinite(held)) {
      return held > 0 ? "Infinity" : "-Infinity";
    }
    return held;
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.zarr;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.files.CellFormat;
import io.sparkstencil.spark.files.CellType;
import io.sparkstencil.spark.files.ShortText;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The fill value in metadata: a number, a truth value, or a string for what JSON has no number for.
 *
 * @param number the number; nothing if there is none, or no cell can have it
 * @param unheld what no cell of the array's type can have; nothing if there is no such value
 */
record FillValue(Optional<Number> number, Optional<String> unheld) {
  /** Returns the value that metadata say. */
  static FillValue parse(Optional<ZarrJson> fill, CellType type) {
    if (fill.isPresent() && !type.isFloating() && fill.get().node().isValueNode()) {
      Optional<Number> held = integer(fill.get(), type);
      return new FillValue(
          held,
          held.isPresent()
              ? Optional.empty()
              : Optional.of(
                  "the fill value %s, which no cell of type %s can have"
                      .formatted(ShortText.of(fill.get().node()), type)));
    }
    return new FillValue(fill.map(value -> parse(value, type)), Optional.empty());
  }

  private static Optional<Number> integer(ZarrJson value, CellType type) {
    if (type == CellType.BOOL && value.node().isBoolean()) {
      return Optional.of(value.truth() ? 1 : 0);
    }
    return Optional.ofNullable(value.node().numberValue()).filter(type::holds);
  }

  private static Number parse(ZarrJson value, CellType type) {
    if (type.isFloating() && value.node().isNumber()) {
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
    ByteBuffer number =
        ByteBuffer.allocate(Long.BYTES).putLong(bits << (Long.SIZE - Byte.SIZE * type.bytes()));
    return new CellFormat(type, true).asDouble(number, 0);
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

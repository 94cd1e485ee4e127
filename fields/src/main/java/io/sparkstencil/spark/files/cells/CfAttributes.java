/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.cells;

import io.sparkstencil.spark.files.CellPacking;
import io.sparkstencil.spark.files.CellType;
import io.sparkstencil.spark.files.FieldFileException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Attributes by which an array says what its numbers stand for, by the conventions for climate and
 * forecast data (CF) and those of xarray and netcdf-c.
 */
public final class CfAttributes {
  /** The attribute of the number that cells have which were not written. */
  public static final String FILL = "_FillValue";

  /** All that numbers are decoded by; others are only for people. */
  public static final List<String> DECODING =
      List.of(
          FILL,
          "missing_value",
          "valid_range",
          "valid_min",
          "valid_max",
          "scale_factor",
          "add_offset",
          "_Unsigned");

  private static final Map<CellType, CellType> UNSIGNED =
      Map.of(
          CellType.INT8, CellType.UINT8,
          CellType.INT16, CellType.UINT16,
          CellType.INT32, CellType.UINT32,
          CellType.INT64, CellType.UINT64);

  private final Object array;
  private final CellType type;
  private final Map<String, Object> attributes;

  /**
   * Looks at the attributes of an array.
   *
   * @param array the array, for messages
   * @param type of the numbers in the file
   */
  public CfAttributes(Object array, CellType type, Map<String, Object> attributes) {
    this.array = array;
    this.type = type;
    this.attributes = attributes;
  }

  /**
   * Returns what the attributes say. Booleans are what they are.
   *
   * @param fill a fill value that stands for missing values, beside those of the attributes
   */
  public CellPacking packing(Optional<Number> fill) {
    if (type == CellType.BOOL) {
      return CellPacking.none(type);
    }
    List<Number> missing = new ArrayList<>(fill.stream().toList());
    missing.addAll(numbers(FILL));
    missing.addAll(numbers("missing_value"));
    List<Number> range = numbers("valid_range");
    if (!range.isEmpty() && range.size() != 2) {
      throw refused("valid_range", "two numbers");
    }
    Optional<Number> low = range.isEmpty() ? number("valid_min") : Optional.of(range.get(0));
    Optional<Number> high = range.isEmpty() ? number("valid_max") : Optional.of(range.get(1));
    Optional<Double> scale = factor("scale_factor", 1);
    Optional<Double> offset = factor("add_offset", 0);
    boolean packed = (scale.isPresent() || offset.isPresent()) && !type.isFloating();
    return new CellPacking(
        type,
        signedness(),
        single(missing),
        limit(low),
        limit(high),
        scale,
        offset,
        packed && limitsAreFloating());
  }

  /** Returns the fill value that the attributes name, if it is a number that cells can be. */
  public Optional<Number> fill() {
    return values(FILL).stream()
        .flatMap(value -> parsed(value).stream())
        .filter(type::holds)
        .findFirst();
  }

  /** Numbers that are not numbers need no decoding. */
  private static List<Number> single(List<Number> numbers) {
    List<Number> single = new ArrayList<>();
    for (Number number : numbers) {
      boolean known = single.stream().anyMatch(each -> isSame(each, number));
      if (!known && !Double.isNaN(number.doubleValue())) {
        single.add(number);
      }
    }
    return single;
  }

  /** Integers of 64 bits are equal as doubles where their last bits differ. */
  private static boolean isSame(Number one, Number other) {
    return one.doubleValue() == other.doubleValue()
        && (Double.isInfinite(one.doubleValue()) || exact(one).compareTo(exact(other)) == 0);
  }

  private static BigDecimal exact(Number number) {
    return number instanceof Double || number instanceof Float
        ? new BigDecimal(number.doubleValue())
        : new BigDecimal(number.toString());
  }

  private static Optional<Number> limit(Optional<Number> number) {
    return number.filter(limit -> Double.isFinite(limit.doubleValue()));
  }

  private CellType signedness() {
    Object said = attributes.get("_Unsigned");
    if (said == null) {
      return type;
    }
    return switch (said.toString().toLowerCase(Locale.ROOT)) {
      case "true" -> UNSIGNED.getOrDefault(type, type);
      case "false" ->
          UNSIGNED.entrySet().stream()
              .filter(each -> each.getValue() == type)
              .map(Map.Entry::getKey)
              .findFirst()
              .orElse(type);
      default -> throw refused("_Unsigned", "\"true\" or \"false\"");
    };
  }

  /** What changes nothing is left out. */
  private Optional<Double> factor(String name, double neutral) {
    Optional<Double> factor = number(name).map(Number::doubleValue);
    if (factor.isPresent() && !Double.isFinite(factor.get())) {
      throw refused(name, "a finite number");
    }
    return factor.filter(value -> value != neutral);
  }

  private Optional<Number> number(String name) {
    List<Number> numbers = numbers(name);
    if (numbers.size() > 1) {
      throw refused(name, "a single number");
    }
    return numbers.stream().findFirst();
  }

  private List<Number> numbers(String name) {
    return values(name).stream()
        .map(value -> parsed(value).orElseThrow(() -> refused(name, "a number")))
        .toList();
  }

  /** An attribute is a value or a list of values. */
  private List<Object> values(String name) {
    Object value = attributes.get(name);
    List<?> all = value instanceof List<?> list ? list : Collections.singletonList(value);
    return all.stream().filter(Objects::nonNull).map(Object.class::cast).toList();
  }

  private Optional<Number> parsed(Object value) {
    return value instanceof Number number
        ? Optional.of(number)
        : value instanceof String text ? parsed(text.strip()) : Optional.empty();
  }

  private Optional<Number> parsed(String text) {
    if (type.isFloating() && text.length() == 12) {
      Optional<Number> encoded = encoded(text);
      if (encoded.isPresent()) {
        return encoded;
      }
    }
    try {
      return switch (text.toLowerCase(Locale.ROOT)) {
        case "nan", "+nan", "-nan" -> Optional.of(Double.NaN);
        case "inf", "+inf", "infinity", "+infinity" -> Optional.of(Double.POSITIVE_INFINITY);
        case "-inf", "-infinity" -> Optional.of(Double.NEGATIVE_INFINITY);
        default -> Optional.of(Double.valueOf(text));
      };
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** xarray writes fill values of floating-point arrays as the text of eight bytes. */
  private static Optional<Number> encoded(String text) {
    try {
      byte[] bytes = Base64.getDecoder().decode(text);
      return bytes.length == Double.BYTES
          ? Optional.of(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getDouble())
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * Limits of packed integers are of stored numbers if they are integers, and of unpacked ones if
   * they are not. netcdf-c writes 1.0 as 1, and says the type apart.
   */
  private boolean limitsAreFloating() {
    for (String name : List.of("valid_range", "valid_min", "valid_max")) {
      boolean declared =
          attributes.get("_NCZARR_ATTR") instanceof Map<?, ?> known
              && known.get("types") instanceof Map<?, ?> types
              && types.get(name) instanceof String typed
              && typed.contains("f");
      if (declared || numbers(name).stream().anyMatch(number -> number instanceof Double)) {
        return true;
      }
    }
    return false;
  }

  private FieldFileException refused(String name, String wanted) {
    return FieldFileException.unsupported(
        "%s has the attribute %s = %s, which is not %s; correct it, or read the stored numbers as they are (raw)"
            .formatted(array, name, attributes.get(name), wanted));
  }
}

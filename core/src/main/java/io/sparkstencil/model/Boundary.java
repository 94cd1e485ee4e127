/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.model;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.error.NearestName;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The rule for cells outside a series. Rules that {@code scipy.ndimage} has, too, are defined as
 * there, at any distance from the series, even where the frame is wider than the series.
 *
 * <pre>{@code
 * Stencil continued = Stencil.mean(Frame.radius(2)).withBoundary(Boundary.REFLECT);
 * Boundary zeros = Boundary.constant(0); // as parse("constant:0")
 * }</pre>
 *
 * @param mode the rule
 * @param constant the value of cells outside, for {@link Mode#CONSTANT}; 0 otherwise
 */
public record Boundary(Mode mode, double constant) implements java.io.Serializable {
  /** The rule; the examples continue the series {@code a b c d}. */
  public enum Mode {
    /** An output whose frame is not whole is null in a column, and left out of an array. */
    VALID,
    /** The frame is cut at the ends, as in SQL windows. */
    SHRINK,
    /** {@code k k k | a b c d | k k k}. */
    CONSTANT,
    /** {@code a a a | a b c d | d d d}. */
    NEAREST,
    /** {@code c b a | a b c d | d c b}. */
    REFLECT,
    /** {@code d c b | a b c d | c b a}. */
    MIRROR,
    /** {@code b c d | a b c d | a b c}. */
    WRAP
  }

  private static final List<String> NAMES =
      List.of("valid", "shrink", "nearest", "reflect", "mirror", "wrap", "constant:C");

  private static final Pattern WHOLE = Pattern.compile("\\s*[+-]?\\d+\\s*");

  /** Incomplete frames have no result: null in a column, left out of an array. */
  public static final Boundary VALID = new Boundary(Mode.VALID, 0);

  /** Frames are cut at the ends, as in SQL windows. */
  public static final Boundary SHRINK = new Boundary(Mode.SHRINK, 0);

  /** The first and the last cell go on: {@code a a a | a b c d | d d d}. */
  public static final Boundary NEAREST = new Boundary(Mode.NEAREST, 0);

  /** The series is reflected at its edges: {@code c b a | a b c d | d c b}. */
  public static final Boundary REFLECT = new Boundary(Mode.REFLECT, 0);

  /** The series is reflected at its end cells: {@code d c b | a b c d | c b a}. */
  public static final Boundary MIRROR = new Boundary(Mode.MIRROR, 0);

  /** The series is a ring: {@code b c d | a b c d | a b c}. */
  public static final Boundary WRAP = new Boundary(Mode.WRAP, 0);

  /** The rule of every entry that is given none: as many results as cells, as in SQL windows. */
  public static final Boundary DEFAULT = SHRINK;

  /** Checks the components. */
  public Boundary {
    requireNonNull(mode, "mode is null");
    if (mode != Mode.CONSTANT && constant != 0) {
      throw new InvalidStencilException(
          "boundary %s takes no constant, but got %s; use constant(%s)"
              .formatted(mode.name().toLowerCase(Locale.ROOT), constant, constant));
    }
  }

  /** Returns the boundary that continues a series with {@code value} on both sides. */
  public static Boundary constant(double value) {
    return new Boundary(Mode.CONSTANT, value);
  }

  /**
   * Returns the boundary that {@code text} names: {@code valid}, {@code shrink}, {@code nearest},
   * {@code reflect}, {@code mirror}, {@code wrap} or {@code constant:C}, in any case.
   *
   * @throws InvalidStencilException if it names none of them, or C is a whole number that no double
   *     holds, or a number beyond the largest double
   */
  public static Boundary parse(String text) {
    String lower = requireNonNull(text, "text is null").strip().toLowerCase(Locale.ROOT);
    if (lower.startsWith("constant:")) {
      return constant(number(text, lower.substring("constant:".length())));
    }
    return switch (lower) {
      case "valid" -> VALID;
      case "shrink" -> SHRINK;
      case "nearest" -> NEAREST;
      case "reflect" -> REFLECT;
      case "mirror" -> MIRROR;
      case "wrap" -> WRAP;
      default ->
          throw new InvalidStencilException(
              "unknown boundary \"%s\"%s known boundaries are valid, shrink, nearest, reflect, mirror, wrap and constant:C"
                  .formatted(text, NearestName.question(lower, NAMES)));
    };
  }

  /**
   * Reads a constant. A whole number that no double has would become another one in silence, and a
   * number beyond the largest double would be infinite.
   */
  private static double number(String text, String number) {
    double value;
    try {
      value = Double.parseDouble(number.replace("nan", "NaN").replace("infinity", "Infinity"));
    } catch (NumberFormatException e) {
      throw new InvalidStencilException(
          "boundary \"%s\": the constant is not a number; write constant:0.5, say".formatted(text),
          e);
    }
    if (WHOLE.matcher(number).matches()) {
      BigDecimal nearest =
          new BigDecimal(Math.max(-Double.MAX_VALUE, Math.min(Double.MAX_VALUE, value)));
      if (new BigDecimal(number.strip()).compareTo(nearest) != 0) {
        throw new InvalidStencilException(
            "boundary \"%s\": the constant is a double, and none holds that number; the nearest is %s"
                .formatted(text, nearest.toPlainString()));
      }
    } else if (Double.isInfinite(value) && !number.contains("infinity")) {
      throw new InvalidStencilException(
          "boundary \"%s\": the constant is beyond the largest double, %s; write a smaller one, or constant:Infinity"
              .formatted(text, Double.MAX_VALUE));
    }
    return value;
  }

  /** Returns whether cells outside the series are missing: they have no value. */
  public boolean leavesMissing() {
    return mode == Mode.VALID || mode == Mode.SHRINK;
  }

  /** Returns whether cells outside the series are copies of cells in it. */
  public boolean copiesCells() {
    return !leavesMissing() && mode != Mode.CONSTANT;
  }

  /**
   * Returns the index of the cell whose value is found at position {@code index}.
   *
   * @param index any position, in the series or outside
   * @param cells the number of cells in the series, at least 1
   * @return an index in {@code [0, cells)}, or -1 where the position is missing or has the constant
   */
  public long sourceIndex(long index, long cells) {
    if (index >= 0 && index < cells) {
      return index;
    }
    return switch (mode) {
      case VALID, SHRINK, CONSTANT -> -1;
      case NEAREST -> index < 0 ? 0 : cells - 1;
      case WRAP -> Math.floorMod(index, cells);
      case REFLECT -> {
        long phase = Math.floorMod(index, 2 * cells);
        yield phase < cells ? phase : 2 * cells - 1 - phase;
      }
      case MIRROR -> {
        if (cells == 1) {
          yield 0;
        }
        long phase = Math.floorMod(index, 2 * cells - 2);
        yield phase < cells ? phase : 2 * cells - 2 - phase;
      }
    };
  }

  @Override
  public String toString() {
    String name = mode.name().toLowerCase(Locale.ROOT);
    return mode == Mode.CONSTANT ? name + ":" + constant : name;
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import io.sparkstencil.model.ElementType;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What the numbers in a file stand for, as the conventions for climate and forecast data (CF) say
 * it: which of them are missing values, and by which scale and offset the others were packed.
 *
 * @param stored the type of the numbers in the file
 * @param read the type that they are read as: the same, or the one of the other signedness
 * @param missing single numbers that stand for missing values
 * @param low the number below which all stand for missing values, or nothing
 * @param high the number above which all do, or nothing
 * @param scale what a number is multiplied by, or nothing
 * @param offset what is added then, or nothing
 * @param limitsUnpacked whether {@code low} and {@code high} are of what comes out of scale and
 *     offset, not of stored numbers
 */
public record CellPacking(
    CellType stored,
    CellType read,
    List<Number> missing,
    Optional<Number> low,
    Optional<Number> high,
    Optional<Double> scale,
    Optional<Double> offset,
    boolean limitsUnpacked) {
  /** Copies the list, without numbers that no cell can be. */
  public CellPacking {
    IntegerCells cells = new IntegerCells(stored, read);
    missing =
        missing.stream()
            .filter(
                number -> read.isFloating() ? fits(number, read) : cells.cell(number).isPresent())
            .toList();
  }

  private static boolean fits(Number number, CellType type) {
    return Double.isFinite(type.rounded(number)) || Double.isInfinite(number.doubleValue());
  }

  /** Returns the packing of numbers that are the values. */
  public static CellPacking none(CellType type) {
    return new CellPacking(
        type,
        type,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false);
  }

  /** Returns whether numbers are multiplied or added to. */
  boolean scaled() {
    return scale.isPresent() || offset.isPresent();
  }

  /** Returns whether some numbers stand for missing values. */
  boolean misses() {
    return !missing.isEmpty() || low.isPresent() || high.isPresent();
  }

  /** Returns the type of values: F32 where neither the numbers nor scale and offset need more. */
  public ElementType element() {
    boolean narrow =
        scale.stream().allMatch(CellPacking::isFloat)
            && offset.stream().allMatch(CellPacking::isFloat);
    return narrow ? read.element() : ElementType.F64;
  }

  private static boolean isFloat(double number) {
    return (float) number == number;
  }

  /**
   * Returns what is done to numbers, such as {@code int16 times 0.01 plus 280, NaN where -32767};
   * nothing if they are the values.
   */
  public Optional<String> inWords() {
    if (read == stored && !scaled() && !misses()) {
      return Optional.empty();
    }
    StringBuilder words = new StringBuilder(name(stored));
    if (read != stored) {
      words.append(" taken as ").append(name(read));
    }
    scale.ifPresent(factor -> words.append(" times ").append(text(factor)));
    offset.ifPresent(added -> words.append(" plus ").append(text(added)));
    if (!missing.isEmpty()) {
      words.append(
          missing.stream().map(this::held).collect(Collectors.joining(" or ", ", NaN where ", "")));
    }
    String limited = limitsUnpacked ? ", then NaN %s %s" : ", NaN %s %s";
    low.ifPresent(number -> words.append(limited.formatted("below", held(number))));
    high.ifPresent(number -> words.append(limited.formatted("above", held(number))));
    return Optional.of(words.toString());
  }

  private static String name(CellType type) {
    return type.name().toLowerCase(Locale.ROOT);
  }

  private String held(Number number) {
    boolean rounded = read.isFloating() && read.element() == ElementType.F32 && !limitsUnpacked;
    return text(rounded ? (Number) (float) read.rounded(number) : number);
  }

  private static String text(Number number) {
    double value = number.doubleValue();
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString(number.longValue())
        : number.toString();
  }
}

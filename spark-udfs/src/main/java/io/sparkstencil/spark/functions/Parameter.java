/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.functions;

/**
 * A parameter of an array function, after the array: a constant.
 *
 * @param name as the signature has it
 * @param kind what it is
 * @param text what it means, as a clause
 */
public record Parameter(String name, Kind kind, String text) {
  /** What a parameter is. */
  public enum Kind {
    /** A whole number, an {@code int}. */
    WHOLE,
    /** A number, a {@code double}. */
    NUMBER,
    /** Several numbers, an {@code array<double>} without nulls. */
    NUMBERS,
    /** A text. */
    TEXT
  }

  static final Parameter BOUNDARY =
      new Parameter(
          "boundary",
          Kind.TEXT,
          "the rule outside the array: 'shrink' (the default: frames are cut at the ends), 'valid'"
              + " (results whose frame is not whole are cut off), 'nearest', 'reflect', 'mirror',"
              + " 'wrap' or 'constant:C'");
  static final Parameter RADIUS =
      new Parameter("k", Kind.WHOLE, "the elements on each side of the current one, at least 0");
  static final Parameter PRECEDING =
      new Parameter(
          "preceding", Kind.WHOLE, "the elements before the current one; may be negative");
  static final Parameter FOLLOWING =
      new Parameter("following", Kind.WHOLE, "the elements after the current one; may be negative");
  static final Parameter WEIGHTS =
      new Parameter("weights", Kind.NUMBERS, "finite numbers, at least one");
}

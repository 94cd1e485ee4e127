/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.functions;

/**
 * A parameter of an array function that follows the array. Its argument must be a constant.
 *
 * @param name the name in the signature
 * @param kind the kind of value
 * @param text the meaning, as a clause
 */
public record Parameter(String name, ArgumentType kind, String text) {
  /** The kind of value of a parameter. */
  public enum ArgumentType {
    /** An integer, as an {@code int}. */
    WHOLE,
    /** A number, as a {@code double}. */
    NUMBER,
    /** Several numbers, as an {@code array<double>} without nulls. */
    NUMBERS,
    /** Rows of numbers, as an {@code array<array<double>>} without nulls. */
    ROWS,
    /** A string. */
    TEXT
  }

  static final Parameter BOUNDARY =
      new Parameter(
          "boundary",
          ArgumentType.TEXT,
          "the rule outside the array: 'shrink' (the default: frames are cut at the ends), 'valid'"
              + " (results with incomplete frames are cut off), 'nearest', 'reflect', 'mirror', 'wrap'"
              + " or 'constant:C'");
  static final Parameter SIDES =
      new Parameter(
          "boundary",
          ArgumentType.TEXT,
          "the rule outside the array: 'reflect' (the default), 'mirror', 'nearest', 'wrap' or"
              + " 'constant:C', for all sides or for each: 'x=wrap, y.low=constant:1, y.high=nearest'");
  static final Parameter RADIUS =
      new Parameter(
          "k",
          ArgumentType.WHOLE,
          "the number of elements on each side of the current one, at least 0");
  static final Parameter PRECEDING =
      new Parameter(
          "preceding",
          ArgumentType.WHOLE,
          "the number of elements before the current one; may be negative");
  static final Parameter FOLLOWING =
      new Parameter(
          "following",
          ArgumentType.WHOLE,
          "the number of elements after the current one; may be negative");
  static final Parameter WEIGHTS =
      new Parameter("weights", ArgumentType.NUMBERS, "finite numbers, at least one");
}

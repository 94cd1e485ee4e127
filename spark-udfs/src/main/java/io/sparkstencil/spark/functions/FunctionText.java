/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.functions;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What users read about a function: in {@code DESCRIBE FUNCTION EXTENDED} and in the reference.
 *
 * @param function the function
 * @param summary what it returns
 * @param note details, or empty
 * @param examples queries with their results; {@code _FUNC_} is the function's name
 */
public record FunctionText(
    ArrayFunction function, String summary, String note, List<Example> examples) {

  /**
   * A query that returns one value.
   *
   * @param query without a semicolon
   * @param result as Spark's shell prints it
   */
  public record Example(String query, String result) {}

  private static final String NULLS = " Null elements are skipped.";
  private static final String TAPS = " A result is null where one of its elements is.";

  /** Returns the text of {@code function}. */
  public static FunctionText of(ArrayFunction function) {
    return switch (function) {
      case MEAN, SUM, MIN, MAX, COUNT -> ofAggregate(function);
      case CORRELATE, CONVOLVE, ITERATE -> ofGiven(function);
      case DERIVATIVE, GAUSSIAN, SAVGOL -> ofNamed(function);
    };
  }

  private static FunctionText ofAggregate(ArrayFunction function) {
    return switch (function) {
      case MEAN ->
          text(
              function,
              "Returns the moving average of `a`: each element's mean with its `k` neighbours on"
                  + " each side, or with `preceding` before and `following` after it.",
              "Of int and bigint elements the mean is double; of float it is float, added up in"
                  + " float from left to right."
                  + NULLS,
              example("array(1D, 2D, 6D), 1", "[1.5,3.0,4.0]"),
              example("array(0, 1, 2, 3, 4, 5, 6, 7), 1, 'valid'", "[1.0,2.0,3.0,4.0,5.0,6.0]"),
              example("array(1D, 2D, 6D), 1, 0", "[1.0,1.5,4.0]"));
      case SUM ->
          text(
              function,
              "Returns the moving sum of `a`.",
              "Of int elements the sum is bigint, which wraps; of float it is float, added up from"
                  + " left to right."
                  + NULLS,
              example("array(1, 2, 3, 4), 1", "[3,6,9,7]"),
              example("array(1, 2, 3, 4), 1, 'wrap'", "[7,6,9,8]"),
              example("array(1, NULL, 3, 4), 0, 1", "[1,3,7,4]"));
      case MIN ->
          text(
              function,
              "Returns the sliding minimum of `a`.",
              "NaN is the greatest value and -0.0 equals 0.0; of equal elements the first is taken."
                  + NULLS,
              example("array(3, 1, 4, 1, 5), 1", "[1,1,1,1,1]"),
              example("array(3, 1, 4, 1, 5), 0, 1, 'nearest'", "[1,1,1,1,5]"));
      case MAX ->
          text(
              function,
              "Returns the sliding maximum of `a`.",
              "NaN is the greatest value and -0.0 equals 0.0; of equal elements the first is taken."
                  + NULLS,
              example("array(3, 1, 4, 1, 5), 1", "[3,4,4,5,5]"));
      case COUNT ->
          text(
              function,
              "Returns the number of elements in each frame of `a` that are not null, an int.",
              "",
              example("array(1.5F, NULL, 2.5F, 3.5F), 1", "[1,2,2,2]"),
              example("array(1.5F, NULL, 2.5F, 3.5F), 1, 'valid'", "[2,2]"));
      default -> throw new IllegalArgumentException(function + " is described elsewhere");
    };
  }

  private static FunctionText ofGiven(ArrayFunction function) {
    return switch (function) {
      case CORRELATE ->
          text(
              function,
              "Returns sums of elements times `weights`, the first weight on the leftmost element;"
                  + " weight `size / 2`, counted from 0, is on the current one.",
              "As scipy.ndimage.correlate1d, also for an even number of weights. Of int and bigint"
                  + " elements the sum is double; of float it is float, with weights rounded to"
                  + " float."
                  + TAPS,
              example("array(0D, 0D, 1D, 0D, 0D), array(1, 2, 3), 'valid'", "[3.0,2.0,1.0]"),
              example("array(1D, 2D, 4D), array(-1, 1), 'nearest'", "[0.0,1.0,2.0]"));
      case CONVOLVE ->
          text(
              function,
              "Returns the convolution of `a` with `weights`: sums of elements times weights, the"
                  + " first weight on the rightmost element.",
              "As scipy.ndimage.convolve1d. With 'valid' it is numpy.convolve(a, weights, 'valid')"
                  + " for arrays no shorter than the weights; with 'constant:0' it is"
                  + " numpy.convolve(a, weights, 'same') for an odd number of weights, and that"
                  + " result from its second value on for an even one."
                  + TAPS,
              example("array(0D, 0D, 1D, 0D, 0D), array(1, 2, 3), 'valid'", "[1.0,2.0,3.0]"),
              example("array(1D, 2D, 4D), array(1, -1), 'constant:0'", "[1.0,2.0,-4.0]"));
      case ITERATE ->
          text(
              function,
              "Returns `a` after `steps` steps, each of which correlates the whole array with"
                  + " `weights`: explicit time steps.",
              "Under 'valid' every step cuts the array." + TAPS,
              example("array(0D, 0D, 4D, 0D, 0D), array(1, 2, 1), 2, 'valid'", "[24.0]"),
              example(
                  "array(0D, 0D, 4D, 0D, 0D), array(0.25, 0.5, 0.25), 2, 'constant:0'",
                  "[0.25,1.0,1.5,1.0,0.25]"));
      default -> throw new IllegalArgumentException(function + " is described elsewhere");
    };
  }

  private static FunctionText ofNamed(ArrayFunction function) {
    return switch (function) {
      case DERIVATIVE ->
          text(
              function,
              "Returns the derivative of `a` by central finite differences.",
              "Weights by Fornberg's recurrence. Of int and bigint elements it is double." + TAPS,
              example("array(0D, 1D, 4D, 9D, 16D), 1, 2, 1, 'valid'", "[2.0,4.0,6.0]"),
              example("array(0D, 1D, 4D, 9D, 16D), 2, 2, 0.5, 'valid'", "[8.0,8.0,8.0]"));
      case GAUSSIAN ->
          text(
              function,
              "Returns `a` smoothed by a Gaussian of standard deviation `sigma`.",
              "Cut off at 4 sigma, as scipy.ndimage.gaussian_filter1d does by default." + TAPS,
              example("array(2D, 2D, 2D), 0.1", "[2.0,2.0,2.0]"));
      case SAVGOL ->
          text(
              function,
              "Returns the Savitzky-Golay filter of `a`: at each element, the value or a derivative"
                  + " of the polynomial of degree `degree` that fits best to the `2 * radius + 1`"
                  + " elements around it.",
              "The distance between elements is 1." + TAPS,
              example("array(0D, 1D, 4D, 9D, 16D), 1, 2, 'valid'", "[1.0,4.0,9.0]"));
      default -> throw new IllegalArgumentException(function + " is described elsewhere");
    };
  }

  private static Example example(String arguments, String result) {
    return new Example("SELECT _FUNC_(" + arguments + ")", result);
  }

  private static FunctionText text(
      ArrayFunction function, String summary, String note, Example... examples) {
    return new FunctionText(function, summary, note.strip(), List.of(examples));
  }

  /** Returns the ways of calling the function, one line each. */
  public List<String> calls() {
    return function.signatures().stream().map(s -> "_FUNC_(%s)".formatted(s.text())).toList();
  }

  /** Returns name and meaning of every argument. */
  public List<String> arguments() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "a - an array of float, double, int or bigint, or of such arrays, whose innermost"
            + " arrays are taken one by one; null gives null");
    Set<String> seen = new LinkedHashSet<>();
    for (Signature signature : function.signatures()) {
      for (Parameter parameter : signature.parameters()) {
        if (parameter.kind() != Parameter.Kind.TEXT && seen.add(parameter.name())) {
          lines.add("%s - %s, a constant".formatted(parameter.name(), parameter.text()));
        }
      }
    }
    lines.add("%s - %s".formatted(Parameter.BOUNDARY.name(), Parameter.BOUNDARY.text()));
    return lines;
  }

  /** Returns calls and summary, as Spark shows the usage of a function. */
  public String usage() {
    return "%s - %s".formatted(String.join(", ", calls()), summary);
  }

  /** Returns the arguments as Spark's extended descriptions have them. */
  public String argumentsBlock() {
    return arguments().stream()
        .collect(Collectors.joining("\n      * ", "\n    Arguments:\n      * ", "\n"));
  }

  /** Returns the examples as Spark's extended descriptions have them. */
  public String examplesBlock() {
    return examples.stream()
        .map(e -> "      > %s;\n       %s\n".formatted(e.query(), e.result()))
        .collect(Collectors.joining("", "\n    Examples:\n", "  "));
  }

  /** Returns the note as Spark's extended descriptions have it. */
  public String noteBlock() {
    return note.isEmpty() ? "" : "\n      %s\n  ".formatted(note);
  }
}

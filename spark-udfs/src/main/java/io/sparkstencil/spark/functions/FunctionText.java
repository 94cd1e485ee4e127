/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.functions;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The description of a function, for {@code DESCRIBE FUNCTION EXTENDED} and the reference page.
 *
 * @param function the function
 * @param summary what it returns
 * @param note details, or an empty string
 * @param examples queries with their results; {@code _FUNC_} is the function's name
 */
public record FunctionText(
    ArrayFunction function, String summary, String note, List<Example> examples) {

  /**
   * An example: a query that returns a single value.
   *
   * @param query the query, without a semicolon
   * @param result the result, as Spark's shell prints it
   */
  public record Example(String query, String result) {}

  private static final String NULLS = " Null elements are skipped.";
  private static final String TAPS = " A result is null where one of its elements is.";

  /** Returns the description of {@code function}. */
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
              "Returns the moving average of `a`: the mean of each element and its `k` neighbours on"
                  + " each side, or its `preceding` and `following` neighbours.",
              "The mean of int and bigint elements is double; that of float elements is float, added"
                  + " in float from left to right."
                  + NULLS,
              example("array(1D, 2D, 6D), 1", "[1.5,3.0,4.0]"),
              example("array(0, 1, 2, 3, 4, 5, 6, 7), 1, 'valid'", "[1.0,2.0,3.0,4.0,5.0,6.0]"),
              example("array(1D, 2D, 6D), 1, 0", "[1.0,1.5,4.0]"));
      case SUM ->
          text(
              function,
              "Returns the moving sum of `a`.",
              "The sum of int elements is bigint, which wraps; that of float elements is float, added"
                  + " from left to right."
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
              "Returns the number of elements that are not null in each frame of `a`, as an int.",
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
              "Returns the correlation of `a` with `weights`: sums of elements times weights, where"
                  + " the first weight applies to the leftmost element, and weight `size / 2`,"
                  + " counted from 0, to the current one.",
              "Same as scipy.ndimage.correlate1d, even for an even number of weights. The sum of int"
                  + " and bigint elements is double; that of float elements is float, with weights"
                  + " rounded to float."
                  + TAPS,
              example("array(0D, 0D, 1D, 0D, 0D), array(1, 2, 3), 'valid'", "[3.0,2.0,1.0]"),
              example("array(1D, 2D, 4D), array(-1, 1), 'nearest'", "[0.0,1.0,2.0]"));
      case CONVOLVE ->
          text(
              function,
              "Returns the convolution of `a` with `weights`: sums of elements times weights, where"
                  + " the first weight applies to the rightmost element.",
              "Same as scipy.ndimage.convolve1d. With 'valid' it equals numpy.convolve(a, weights,"
                  + " 'valid') for arrays no shorter than the weights. With 'constant:0' it equals"
                  + " numpy.convolve(a, weights, 'same') for an odd number of weights, and that"
                  + " result from its second value on for an even number."
                  + TAPS,
              example("array(0D, 0D, 1D, 0D, 0D), array(1, 2, 3), 'valid'", "[1.0,2.0,3.0]"),
              example("array(1D, 2D, 4D), array(1, -1), 'constant:0'", "[1.0,2.0,-4.0]"));
      case ITERATE ->
          text(
              function,
              "Returns `a` after `steps` explicit time steps, each of which correlates the whole array"
                  + " with `weights`.",
              "Under 'valid', every step shortens the array." + TAPS,
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
              "The weights come from Fornberg's recurrence. The derivative of int and bigint elements"
                  + " is double."
                  + TAPS,
              example("array(0D, 1D, 4D, 9D, 16D), 1, 2, 1, 'valid'", "[2.0,4.0,6.0]"),
              example("array(0D, 1D, 4D, 9D, 16D), 2, 2, 0.5, 'valid'", "[8.0,8.0,8.0]"));
      case GAUSSIAN ->
          text(
              function,
              "Returns `a` smoothed by a Gaussian with standard deviation `sigma`.",
              "The Gaussian is cut off at 4 sigma, as scipy.ndimage.gaussian_filter1d does by default."
                  + TAPS,
              example("array(2D, 2D, 2D), 0.1", "[2.0,2.0,2.0]"));
      case SAVGOL ->
          text(
              function,
              "Returns the Savitzky-Golay filter of `a`: at each element, the value or a derivative"
                  + " of the polynomial of degree `degree` that best fits the `2 * radius + 1` elements"
                  + " around it.",
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

  /** Returns the calls that the function accepts, one per line. */
  public List<String> calls() {
    return function.signatures().stream().map(s -> "_FUNC_(%s)".formatted(s.text())).toList();
  }

  /** Returns the name and meaning of every argument. */
  public List<String> arguments() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "a - an array of float, double, int or bigint, or an array of such arrays, in which each"
            + " innermost array is a series; null gives null");
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

  /** Returns calls and summary, in the form in which Spark shows the usage of a function. */
  public String usage() {
    return "%s - %s".formatted(String.join(", ", calls()), summary);
  }

  /** Returns the arguments in the form of Spark's extended descriptions. */
  public String argumentsBlock() {
    return arguments().stream()
        .collect(Collectors.joining("\n      * ", "\n    Arguments:\n      * ", "\n"));
  }

  /** Returns the examples in the form of Spark's extended descriptions. */
  public String examplesBlock() {
    return examples.stream()
        .map(e -> "      > %s;\n       %s\n".formatted(e.query(), e.result()))
        .collect(Collectors.joining("", "\n    Examples:\n", "  "));
  }

  /** Returns the note in the form of Spark's extended descriptions. */
  public String noteBlock() {
    return note.isEmpty() ? "" : "\n      %s\n  ".formatted(note);
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.functions;

import static io.sparkstencil.spark.functions.FunctionText.NULLS;
import static io.sparkstencil.spark.functions.FunctionText.TAPS;
import static io.sparkstencil.spark.functions.FunctionText.example;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.StandardStencils;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.Weights;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The SQL functions on array columns. */
public enum ArrayFunction implements SqlFunction {
  MEAN(
      frames(),
      FunctionText.of(
          "Returns the moving average of `a`: the mean of each element and its `k` neighbours on"
              + " each side, or its `preceding` and `following` neighbours.",
          "The mean of int and bigint elements is double; that of float elements is float, added"
              + " in float from left to right."
              + NULLS,
          example("array(1D, 2D, 6D), 1", "[1.5,3.0,4.0]"),
          example("array(0, 1, 2, 3, 4, 5, 6, 7), 1, 'valid'", "[1.0,2.0,3.0,4.0,5.0,6.0]"),
          example("array(1D, 2D, 6D), 1, 0", "[1.0,1.5,4.0]"))),
  SUM(
      frames(),
      FunctionText.of(
          "Returns the moving sum of `a`.",
          "The sum of int elements is bigint, which wraps; that of float elements is float, added"
              + " from left to right."
              + NULLS,
          example("array(1, 2, 3, 4), 1", "[3,6,9,7]"),
          example("array(1, 2, 3, 4), 1, 'wrap'", "[7,6,9,8]"),
          example("array(1, NULL, 3, 4), 0, 1", "[1,3,7,4]"))),
  MIN(
      frames(),
      FunctionText.of(
          "Returns the sliding minimum of `a`.",
          "NaN is the greatest value and -0.0 equals 0.0; of equal elements the first is taken."
              + NULLS,
          example("array(3, 1, 4, 1, 5), 1", "[1,1,1,1,1]"),
          example("array(3, 1, 4, 1, 5), 0, 1, 'nearest'", "[1,1,1,1,5]"))),
  MAX(
      frames(),
      FunctionText.of(
          "Returns the sliding maximum of `a`.",
          "NaN is the greatest value and -0.0 equals 0.0; of equal elements the first is taken."
              + NULLS,
          example("array(3, 1, 4, 1, 5), 1", "[3,4,4,5,5]"))),
  COUNT(
      frames(),
      FunctionText.of(
          "Returns the number of elements that are not null in each frame of `a`, as an int.",
          "",
          example("array(1.5F, NULL, 2.5F, 3.5F), 1", "[1,2,2,2]"),
          example("array(1.5F, NULL, 2.5F, 3.5F), 1, 'valid'", "[2,2]"))),
  CORRELATE(
      shapes(List.of(Parameter.WEIGHTS)),
      FunctionText.of(
          "Returns the correlation of `a` with `weights`: sums of elements times weights, where"
              + " the first weight applies to the leftmost element, and weight `size / 2`,"
              + " counted from 0, to the current one.",
          "Same as scipy.ndimage.correlate1d, even for an even number of weights. The sum of int"
              + " and bigint elements is double; that of float elements is float, with weights"
              + " rounded to float."
              + TAPS,
          example("array(0D, 0D, 1D, 0D, 0D), array(1, 2, 3), 'valid'", "[3.0,2.0,1.0]"),
          example("array(1D, 2D, 4D), array(-1, 1), 'nearest'", "[0.0,1.0,2.0]"))),
  CONVOLVE(
      shapes(List.of(Parameter.WEIGHTS)),
      FunctionText.of(
          "Returns the convolution of `a` with `weights`: sums of elements times weights, where"
              + " the first weight applies to the rightmost element.",
          "Same as scipy.ndimage.convolve1d. With 'valid' it equals numpy.convolve(a, weights,"
              + " 'valid') for arrays no shorter than the weights. With 'constant:0' it equals"
              + " numpy.convolve(a, weights, 'same') for an odd number of weights, and that"
              + " result from its second value on for an even number."
              + TAPS,
          example("array(0D, 0D, 1D, 0D, 0D), array(1, 2, 3), 'valid'", "[1.0,2.0,3.0]"),
          example("array(1D, 2D, 4D), array(1, -1), 'constant:0'", "[1.0,2.0,-4.0]"))),
  DERIVATIVE(
      shapes(
          List.of(
              new Parameter(
                  "order",
                  Parameter.ArgumentType.WHOLE,
                  "which derivative, 1 to 32; 1 is the first"),
              new Parameter(
                  "accuracy",
                  Parameter.ArgumentType.WHOLE,
                  "the order of accuracy in the spacing, even, 2 to 64"),
              new Parameter(
                  "spacing",
                  Parameter.ArgumentType.NUMBER,
                  "the distance between elements, above 0"))),
      FunctionText.of(
          "Returns the derivative of `a` by central finite differences.",
          "The weights come from Fornberg's recurrence. The derivative of int and bigint elements"
              + " is double."
              + TAPS,
          example("array(0D, 1D, 4D, 9D, 16D), 1, 2, 1, 'valid'", "[2.0,4.0,6.0]"),
          example("array(0D, 1D, 4D, 9D, 16D), 2, 2, 0.5, 'valid'", "[8.0,8.0,8.0]"))),
  GAUSSIAN(
      shapes(
          List.of(
              new Parameter(
                  "sigma",
                  Parameter.ArgumentType.NUMBER,
                  "the standard deviation in elements, above 0"))),
      FunctionText.of(
          "Returns `a` smoothed by a Gaussian with standard deviation `sigma`.",
          "The Gaussian is cut off at 4 sigma, as scipy.ndimage.gaussian_filter1d does by default."
              + TAPS,
          example("array(2D, 2D, 2D), 0.1", "[2.0,2.0,2.0]"))),
  SAVGOL(
      savgol(),
      FunctionText.of(
          "Returns the Savitzky-Golay filter of `a`: at each element, the value or a derivative"
              + " of the polynomial of degree `degree` that best fits the `2 * radius + 1` elements"
              + " around it.",
          "The distance between elements is 1." + TAPS,
          example("array(0D, 1D, 4D, 9D, 16D), 1, 2, 'valid'", "[1.0,4.0,9.0]"))),
  ITERATE(
      shapes(
          List.of(
              Parameter.WEIGHTS,
              new Parameter(
                  "steps", Parameter.ArgumentType.WHOLE, "the number of steps, at least 1"))),
      FunctionText.of(
          "Returns `a` after `steps` explicit time steps, each of which correlates the whole array"
              + " with `weights`.",
          "Under 'valid', every step shortens the array." + TAPS,
          example("array(0D, 0D, 4D, 0D, 0D), array(1, 2, 1), 2, 'valid'", "[24.0]"),
          example(
              "array(0D, 0D, 4D, 0D, 0D), array(0.25, 0.5, 0.25), 2, 'constant:0'",
              "[0.25,1.0,1.5,1.0,0.25]")));

  @SuppressWarnings("ImmutableEnumChecker") // the lists are immutable
  private final List<List<Parameter>> signatures;

  @SuppressWarnings("ImmutableEnumChecker") // its list is immutable
  private final FunctionText text;

  ArrayFunction(List<List<Parameter>> signatures, FunctionText text) {
    this.signatures = signatures;
    this.text = text;
  }

  /** Returns signatures with these parameters, each without and with a boundary. */
  @SafeVarargs
  @SuppressWarnings("varargs") // only reads them
  private static List<List<Parameter>> shapes(List<Parameter>... shapes) {
    return Stream.of(shapes)
        .flatMap(
            s -> Stream.of(s, Stream.concat(s.stream(), Stream.of(Parameter.BOUNDARY)).toList()))
        .toList();
  }

  private static List<List<Parameter>> frames() {
    return shapes(List.of(Parameter.RADIUS), List.of(Parameter.PRECEDING, Parameter.FOLLOWING));
  }

  private static List<List<Parameter>> savgol() {
    Parameter radius =
        new Parameter(
            "radius",
            Parameter.ArgumentType.WHOLE,
            "the number of elements on each side, 1 to 2048");
    Parameter degree =
        new Parameter(
            "degree",
            Parameter.ArgumentType.WHOLE,
            "the degree of the polynomial, 0 to 20, at most 2 * radius");
    Parameter derivative =
        new Parameter(
            "derivative",
            Parameter.ArgumentType.WHOLE,
            "0 (the default) to smooth, 1 for the slope, ...");
    return shapes(List.of(radius, degree), List.of(radius, degree, derivative));
  }

  @Override
  public String sqlName() {
    return "stencil_" + name().toLowerCase(Locale.ROOT);
  }

  @Override
  public List<List<Parameter>> signatures() {
    return signatures;
  }

  @Override
  public String array() {
    return "an array of float, double, int or bigint, or an array of such arrays, in which each"
        + " innermost array is a series; null gives null";
  }

  @Override
  public FunctionText text() {
    return text;
  }

  /**
   * Returns how many times a call applies its stencil.
   *
   * @param values the values of the parameters, as for {@link #stencil}
   */
  public int steps(List<Object> values) {
    return this == ITERATE ? (Integer) values.get(1) : 1;
  }

  /**
   * Returns the stencil of a call.
   *
   * @param values the values of the parameters: Integer, Double, {@code double[]}, String
   * @throws io.sparkstencil.error.InvalidStencilException if a value is out of range
   */
  public Stencil stencil(List<Object> values) {
    int last = values.size() - 1;
    boolean bounded = values.get(last) instanceof String;
    Boundary boundary = bounded ? Boundary.parse((String) values.get(last)) : Boundary.DEFAULT;
    return unbounded(bounded ? values.subList(0, last) : values).withBoundary(boundary);
  }

  private Stencil unbounded(List<Object> values) {
    return switch (this) {
      case MEAN -> Stencil.mean(frame(values));
      case SUM -> Stencil.sum(frame(values));
      case MIN -> Stencil.min(frame(values));
      case MAX -> Stencil.max(frame(values));
      case COUNT -> Stencil.count(frame(values));
      case CORRELATE, ITERATE -> correlation((double[]) values.get(0));
      case CONVOLVE -> convolution((double[]) values.get(0));
      case DERIVATIVE ->
          StandardStencils.derivative(whole(values, 0), whole(values, 1), (Double) values.get(2));
      case GAUSSIAN -> StandardStencils.gaussian((Double) values.get(0));
      case SAVGOL ->
          StandardStencils.savitzkyGolay(
              whole(values, 0), whole(values, 1), values.size() > 2 ? whole(values, 2) : 0, 1);
    };
  }

  private static int whole(List<Object> values, int index) {
    return (Integer) values.get(index);
  }

  private static Frame frame(List<Object> values) {
    return values.size() == 1
        ? Frame.radius(whole(values, 0))
        : Frame.offsets(-whole(values, 0), whole(values, 1));
  }

  private static void requireAny(double[] weights) {
    if (weights.length == 0) {
      throw new InvalidStencilException("weights is empty; give at least one weight");
    }
  }

  /** Weight {@code size / 2}, counted from 0, applies to the current element. */
  private static Stencil correlation(double[] weights) {
    requireAny(weights);
    int preceding = weights.length / 2;
    return Stencil.weighted(Frame.offsets(-preceding, weights.length - 1 - preceding), weights);
  }

  /** The same weight applies to the current element, but earlier weights to later elements. */
  private static Stencil convolution(double[] weights) {
    requireAny(weights);
    int following = weights.length / 2;
    return Stencil.weighted(
        Frame.offsets(following + 1 - weights.length, following),
        Weights.of(weights).reversed().toArray());
  }
}

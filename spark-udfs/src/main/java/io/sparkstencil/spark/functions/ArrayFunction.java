/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.functions;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.StandardStencils;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.Weights;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** The SQL functions on array columns. */
public enum ArrayFunction {
  MEAN(aggregate()),
  SUM(aggregate()),
  MIN(aggregate()),
  MAX(aggregate()),
  COUNT(aggregate()),
  CORRELATE(Signature.withBoundary(Parameter.WEIGHTS)),
  CONVOLVE(Signature.withBoundary(Parameter.WEIGHTS)),
  DERIVATIVE(
      Signature.withBoundary(
          new Parameter("order", Parameter.Kind.WHOLE, "1 for the first derivative, and so on"),
          new Parameter(
              "accuracy", Parameter.Kind.WHOLE, "the order of accuracy in the spacing, even"),
          new Parameter(
              "spacing", Parameter.Kind.NUMBER, "the distance between elements, above 0"))),
  GAUSSIAN(
      Signature.withBoundary(
          new Parameter(
              "sigma", Parameter.Kind.NUMBER, "the standard deviation in elements, above 0"))),
  SAVGOL(savgol()),
  ITERATE(
      Signature.withBoundary(
          Parameter.WEIGHTS,
          new Parameter("steps", Parameter.Kind.WHOLE, "the number of steps, at least 1")));

  @SuppressWarnings("ImmutableEnumChecker") // the lists are immutable
  private final List<Signature> signatures;

  ArrayFunction(List<Signature> signatures) {
    this.signatures = signatures;
  }

  private static List<Signature> aggregate() {
    return Signature.both(
        Signature.withBoundary(Parameter.RADIUS),
        Signature.withBoundary(Parameter.PRECEDING, Parameter.FOLLOWING));
  }

  private static List<Signature> savgol() {
    Parameter radius =
        new Parameter(
            "radius", Parameter.Kind.WHOLE, "the number of elements on each side, at least 0");
    Parameter degree =
        new Parameter(
            "degree", Parameter.Kind.WHOLE, "the degree of the polynomial, at most 2 * radius");
    Parameter derivative =
        new Parameter(
            "derivative", Parameter.Kind.WHOLE, "0 (the default) to smooth, 1 for the slope, ...");
    return Signature.both(
        Signature.withBoundary(radius, degree), Signature.withBoundary(radius, degree, derivative));
  }

  /** Returns the SQL name. */
  public String sqlName() {
    return "stencil_" + name().toLowerCase(Locale.ROOT);
  }

  /** Returns the signatures, shorter ones first. */
  public List<Signature> signatures() {
    return signatures;
  }

  /** Returns the numbers of arguments, including the array, that a call may have. */
  public List<Integer> argumentCounts() {
    TreeSet<Integer> counts = new TreeSet<>();
    signatures.forEach(signature -> counts.add(signature.parameters().size() + 1));
    return new ArrayList<>(counts);
  }

  /**
   * Returns the signature of a call.
   *
   * @param parameters the number of arguments after the array
   * @param lastIsText whether the last of them is a string
   */
  public Signature signature(int parameters, boolean lastIsText) {
    Signature found = null;
    for (Signature signature : signatures) {
      if (signature.parameters().size() == parameters) {
        boolean text = signature.parameters().get(parameters - 1).kind() == Parameter.Kind.TEXT;
        if (found == null || text == lastIsText) {
          found = signature;
        }
      }
    }
    if (found == null) {
      throw new IllegalArgumentException(
          "%s takes %s arguments, not %d".formatted(sqlName(), argumentCounts(), parameters + 1));
    }
    return found;
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

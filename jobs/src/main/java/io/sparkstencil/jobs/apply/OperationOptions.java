/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.StandardStencils;
import io.sparkstencil.model.Stencil;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that say what is computed, and the stencil that they make. */
final class OperationOptions {
  /** What {@code --op} names, and which options it takes. */
  enum Operation {
    MEAN,
    SUM,
    MIN,
    MAX,
    COUNT,
    WEIGHTED,
    DERIVATIVE,
    GAUSSIAN,
    SAVGOL;

    private boolean takes(Part part) {
      return switch (this) {
        case MEAN, SUM, MIN, MAX, COUNT -> part == Part.RADIUS || part == Part.FRAME;
        case WEIGHTED -> part == Part.RADIUS || part == Part.FRAME || part == Part.WEIGHTS;
        case DERIVATIVE ->
            part == Part.ORDER || part == Part.ACCURACY_ORDER || part == Part.SPACING;
        case GAUSSIAN -> part == Part.SIGMA;
        case SAVGOL -> part == Part.RADIUS || part == Part.DEGREE;
      };
    }

    /** Returns the name that the command line uses. */
    String commandName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private enum Part {
    FRAME("--preceding and --following"),
    RADIUS("--radius"),
    WEIGHTS("--weights"),
    ORDER("--order"),
    ACCURACY_ORDER("--accuracy-order"),
    SPACING("--spacing"),
    SIGMA("--sigma"),
    DEGREE("--degree");

    private final String option;

    Part(String option) {
      this.option = option;
    }
  }

  private static final String OPERATIONS =
      "mean, sum, min, max, count, weighted, derivative, gaussian, savgol";

  @Option(
      names = "--op",
      required = true,
      paramLabel = "OP",
      description = "What to compute: " + OPERATIONS + ".")
  private String operation;

  @Option(names = "--radius", paramLabel = "K", description = "Cells on each side.")
  private Integer radius;

  @Option(
      names = "--preceding",
      paramLabel = "A",
      description = "Cells before the current one; if negative, the frame begins after it.")
  private Integer preceding;

  @Option(
      names = "--following",
      paramLabel = "B",
      description = "Cells after the current one; if negative, the frame ends before it.")
  private Integer following;

  @Option(
      names = "--weights",
      paramLabel = "W",
      split = ",",
      description = "weighted: one weight per cell of the frame, first cell first.")
  private List<Double> weights;

  @Option(names = "--order", paramLabel = "D", description = "derivative: its order. Default: 1.")
  private Integer order;

  @Option(
      names = "--accuracy-order",
      paramLabel = "N",
      description = "derivative: order of accuracy, an even number. Default: 2.")
  private Integer accuracyOrder;

  @Option(
      names = "--spacing",
      paramLabel = "H",
      description = "derivative: distance between rows. Default: 1.")
  private Double spacing;

  @Option(
      names = "--sigma",
      paramLabel = "S",
      description = "gaussian: standard deviation, in rows.")
  private Double sigma;

  @Option(
      names = "--degree",
      paramLabel = "D",
      description = "savgol: degree of the polynomial. Default: 2.")
  private Integer degree;

  @Option(
      names = "--boundary",
      paramLabel = "RULE",
      description =
          "Rule beyond the ends: shrink (default), valid, nearest, reflect, mirror, wrap, constant:C.")
  private String boundary;

  @Option(
      names = "--accuracy",
      paramLabel = "A",
      defaultValue = "exact",
      description = "exact (default): the same bits everywhere; fast: may reorder arithmetic.")
  private String accuracy;

  /** Returns the operation that was asked for. */
  Operation operation() {
    for (Operation known : Operation.values()) {
      if (known.commandName().equals(operation.toLowerCase(Locale.ROOT))) {
        return known;
      }
    }
    throw new InvalidStencilException(
        "unknown --op \"%s\"; known operations are %s".formatted(operation, OPERATIONS));
  }

  /**
   * Returns the stencil that the options describe.
   *
   * @throws InvalidStencilException if an option is missing, out of its range, or of another op
   */
  Stencil stencil() {
    Operation chosen = operation();
    requireOnly(chosen);
    Stencil stencil =
        switch (chosen) {
          case MEAN -> Stencil.mean(frame(chosen));
          case SUM -> Stencil.sum(frame(chosen));
          case MIN -> Stencil.min(frame(chosen));
          case MAX -> Stencil.max(frame(chosen));
          case COUNT -> Stencil.count(frame(chosen));
          case WEIGHTED -> weighted();
          case DERIVATIVE ->
              StandardStencils.derivative(
                  orElse(order, 1), orElse(accuracyOrder, 2), spacing == null ? 1 : spacing);
          case GAUSSIAN -> StandardStencils.gaussian(required(sigma, chosen, Part.SIGMA));
          case SAVGOL ->
              StandardStencils.savitzkyGolay(
                  required(radius, chosen, Part.RADIUS), orElse(degree, 2));
        };
    Boundary rule = boundary == null ? Boundary.DEFAULT : Boundary.parse(boundary);
    return stencil.withBoundary(rule).withAccuracy(accuracy());
  }

  /** Returns what the user should know about the stencil, if anything. */
  Optional<String> note() {
    boolean weighted = stencil().reduction() == Reduction.WEIGHTED_SUM;
    return boundary == null && weighted
        ? Optional.of(
            "the boundary is shrink, which omits the taps beyond the ends: the first and last results of a %s are of little use; --boundary valid makes them null, nearest or reflect extend the series"
                .formatted(operation().commandName()))
        : Optional.empty();
  }

  private Accuracy accuracy() {
    return switch (accuracy.toLowerCase(Locale.ROOT)) {
      case "exact" -> Accuracy.EXACT;
      case "fast" -> Accuracy.FAST;
      default ->
          throw new InvalidStencilException(
              "unknown --accuracy \"%s\"; known accuracies are exact and fast".formatted(accuracy));
    };
  }

  private Stencil weighted() {
    List<Double> given = required(weights, Operation.WEIGHTED, Part.WEIGHTS);
    double[] values = given.stream().mapToDouble(Double::doubleValue).toArray();
    if (radius == null && preceding == null && following == null) {
      if (values.length % 2 == 0) {
        throw new InvalidStencilException(
            "%d weights have no middle; use --preceding and --following to name their cells"
                .formatted(values.length));
      }
      return Stencil.weighted(Frame.radius(values.length / 2), values);
    }
    return Stencil.weighted(frame(Operation.WEIGHTED), values);
  }

  private Frame frame(Operation chosen) {
    if (radius != null && (preceding != null || following != null)) {
      throw new InvalidStencilException(
          "--radius cannot be combined with --preceding or --following; use one or the other");
    }
    if (radius != null) {
      return Frame.radius(radius);
    }
    if (preceding == null && following == null) {
      throw new InvalidStencilException(
          "--op %s needs a frame: --radius K, or --preceding A and --following B"
              .formatted(chosen.commandName()));
    }
    return Frame.offsets(-orElse(preceding, 0), orElse(following, 0));
  }

  /** Refuses options that the operation does not read, so that none is silently without effect. */
  private void requireOnly(Operation chosen) {
    List<String> foreign = new ArrayList<>();
    for (Part part : Part.values()) {
      if (isGiven(part) && !chosen.takes(part)) {
        foreign.add(part.option);
      }
    }
    if (!foreign.isEmpty()) {
      throw new InvalidStencilException(
          "--op %s does not take %s; omit it or choose another op"
              .formatted(chosen.commandName(), String.join(", ", foreign)));
    }
  }

  private boolean isGiven(Part part) {
    return switch (part) {
      case FRAME -> preceding != null || following != null;
      case RADIUS -> radius != null;
      case WEIGHTS -> weights != null;
      case ORDER -> order != null;
      case ACCURACY_ORDER -> accuracyOrder != null;
      case SPACING -> spacing != null;
      case SIGMA -> sigma != null;
      case DEGREE -> degree != null;
    };
  }

  private static int orElse(Integer given, int otherwise) {
    return given == null ? otherwise : given;
  }

  private static <T> T required(T given, Operation chosen, Part part) {
    if (given == null) {
      throw new InvalidStencilException(
          "--op %s needs %s".formatted(chosen.commandName(), part.option));
    }
    return given;
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.apply.ApplyRequest.Calculation;
import io.sparkstencil.jobs.apply.ApplyRequest.OfProgram;
import io.sparkstencil.jobs.apply.ApplyRequest.OfStencil;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.StandardStencils;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.BoundaryText;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.spark.ColumnProgram;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that say what is computed, and the stencil or program that they make. */
final class OperationOptions {
  /** What {@code --op} names. */
  enum Operation {
    MEAN,
    SUM,
    MIN,
    MAX,
    COUNT,
    WEIGHTED,
    DERIVATIVE,
    GAUSSIAN,
    SAVGOL,
    EXPR;

    /** Returns which of the options below it takes. */
    private List<String> options() {
      return switch (this) {
        case MEAN, SUM, MIN, MAX, COUNT -> List.of("--radius", "--preceding", "--following");
        case WEIGHTED -> List.of("--radius", "--preceding", "--following", "--weights");
        case DERIVATIVE -> List.of("--order", "--accuracy-order", "--spacing");
        case GAUSSIAN -> List.of("--sigma");
        case SAVGOL -> List.of("--radius", "--degree");
        case EXPR -> List.of("--expression", "--parameter", "--steps");
      };
    }

    /** Returns the name that the command line uses. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--op",
      required = true,
      paramLabel = "OP",
      description = "What to compute: ${COMPLETION-CANDIDATES}.")
  private Operation operation;

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

  @Option(
      names = "--order",
      paramLabel = "D",
      defaultValue = "1",
      description = "derivative: its order. Default: ${DEFAULT-VALUE}.")
  private int order;

  @Option(
      names = "--accuracy-order",
      paramLabel = "N",
      defaultValue = "2",
      description = "derivative: order of accuracy, an even number. Default: ${DEFAULT-VALUE}.")
  private int accuracyOrder;

  @Option(
      names = "--spacing",
      paramLabel = "H",
      defaultValue = "1",
      description = "derivative: distance between rows. Default: ${DEFAULT-VALUE}.")
  private double spacing;

  @Option(
      names = "--sigma",
      paramLabel = "S",
      description = "gaussian: standard deviation, in rows.")
  private Double sigma;

  @Option(
      names = "--degree",
      paramLabel = "D",
      defaultValue = "2",
      description = "savgol: degree of the polynomial. Default: ${DEFAULT-VALUE}.")
  private int degree;

  @Option(
      names = "--expression",
      paramLabel = "TEXT",
      description = "expr: the new value of a cell, such as 'u + 0.25*(u[-1] - 2*u + u[1])'.")
  private String expression;

  @Option(
      names = "--parameter",
      paramLabel = "NAME=X",
      description = "expr: the number for a name in the expression; once for each name.")
  private Map<String, Double> parameters = new LinkedHashMap<>();

  @Option(
      names = "--steps",
      paramLabel = "N",
      defaultValue = "1",
      description = "expr: how often it is applied. Default: ${DEFAULT-VALUE}.")
  private int steps;

  @Option(
      names = "--boundary",
      paramLabel = "RULE",
      description =
          "Rule beyond the ends: shrink (default), valid, nearest, reflect, mirror, wrap, constant:C;"
              + " of expr: reflect (default), mirror, nearest, wrap, constant:C, or one for each end:"
              + " 'x.low=constant:1, x.high=nearest'.")
  private String boundary;

  @Option(
      names = "--accuracy",
      paramLabel = "A",
      defaultValue = "exact",
      description =
          "exact (default): the same bits everywhere; fma: the same bits everywhere, with sums of"
              + " products rounded once; fast: may reorder arithmetic.")
  private String accuracy;

  /** Returns the operation that was asked for. */
  Operation operation() {
    return operation;
  }

  /**
   * Returns what the options describe.
   *
   * @throws InvalidStencilException if an option is missing, out of its range, or of another op
   */
  Calculation calculation() {
    requireOnlyItsOptions();
    return operation == Operation.EXPR ? new OfProgram(program()) : new OfStencil(stencil());
  }

  private ColumnProgram program() {
    StencilProgram program = ProgramText.parse(required(expression, "--expression"), 1);
    if (boundary != null) {
      program = BoundaryText.apply(program, boundary);
    }
    program = program.withAccuracy(Accuracy.parse(accuracy));
    return new ColumnProgram(program, steps, parameters);
  }

  private Stencil stencil() {
    Stencil stencil =
        switch (operation) {
          case MEAN -> Stencil.mean(frame());
          case SUM -> Stencil.sum(frame());
          case MIN -> Stencil.min(frame());
          case MAX -> Stencil.max(frame());
          case COUNT -> Stencil.count(frame());
          case WEIGHTED -> weighted();
          case DERIVATIVE -> StandardStencils.derivative(order, accuracyOrder, spacing);
          case GAUSSIAN -> StandardStencils.gaussian(required(sigma, "--sigma"));
          case SAVGOL -> StandardStencils.savitzkyGolay(required(radius, "--radius"), degree);
          case EXPR -> throw new IllegalStateException("an expression is no stencil");
        };
    Boundary rule = boundary == null ? Boundary.DEFAULT : Boundary.parse(boundary);
    return stencil.withBoundary(rule).withAccuracy(Accuracy.parse(accuracy));
  }

  /** Returns what the user should know about the stencil, if anything. */
  Optional<String> note() {
    boolean weighted =
        operation != Operation.EXPR && stencil().reduction() == Reduction.WEIGHTED_SUM;
    return boundary == null && weighted
        ? Optional.of(
            "the boundary is shrink, which omits the taps beyond the ends: the first and last results of a %s are of little use; --boundary valid makes them null, nearest or reflect extend the series"
                .formatted(operation))
        : Optional.empty();
  }

  private Stencil weighted() {
    double[] values =
        required(weights, "--weights").stream().mapToDouble(Double::doubleValue).toArray();
    if (radius == null && preceding == null && following == null) {
      if (values.length % 2 == 0) {
        throw new InvalidStencilException(
            "%d weights have no middle; use --preceding and --following to name their cells"
                .formatted(values.length));
      }
      return Stencil.weighted(Frame.radius(values.length / 2), values);
    }
    return Stencil.weighted(frame(), values);
  }

  private Frame frame() {
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
              .formatted(operation));
    }
    return Frame.offsets(preceding == null ? 0 : -preceding, following == null ? 0 : following);
  }

  /** Refuses options that the operation does not read, so that none is silently without effect. */
  private void requireOnlyItsOptions() {
    String foreign =
        command.commandLine().getParseResult().matchedOptions().stream()
            .map(OptionSpec::longestName)
            .filter(option -> !operation.options().contains(option))
            .filter(
                option -> Stream.of(Operation.values()).anyMatch(o -> o.options().contains(option)))
            .collect(Collectors.joining(", "));
    if (!foreign.isEmpty()) {
      throw new InvalidStencilException(
          "--op %s does not take %s; omit it or choose another op".formatted(operation, foreign));
    }
  }

  private <T> T required(T given, String option) {
    if (given == null) {
      throw new InvalidStencilException("--op %s needs %s".formatted(operation, option));
    }
    return given;
  }
}

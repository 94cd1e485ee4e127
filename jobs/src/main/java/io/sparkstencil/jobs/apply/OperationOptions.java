/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.apply.ApplyRequest.Calculation;
import io.sparkstencil.jobs.apply.ApplyRequest.OfProgram;
import io.sparkstencil.jobs.apply.ApplyRequest.OfStencil;
import io.sparkstencil.jobs.apply.ApplyRequest.OfWindow;
import io.sparkstencil.jobs.apply.TileRequest.TileProgram;
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
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
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
    EXPR,
    ZSCORE;

    /** Returns which of the options below it takes. */
    private List<String> options() {
      return switch (this) {
        case MEAN, SUM, MIN, MAX, COUNT, ZSCORE ->
            Stream.of(FrameOptions.OF_ROWS, FrameOptions.OF_ORDER).flatMap(List::stream).toList();
        case WEIGHTED ->
            Stream.concat(FrameOptions.OF_ROWS.stream(), Stream.of("--weights")).toList();
        case DERIVATIVE -> List.of("--order", "--accuracy-order", "--spacing");
        case GAUSSIAN -> List.of("--sigma");
        case SAVGOL -> List.of("--radius", "--degree");
        case EXPR -> List.of("--expression", "--parameter", "--steps");
      };
    }

    /** Returns the window of Spark's that computes it, if there is one. */
    private Optional<WindowFunction> window() {
      return Stream.of(WindowFunction.values())
          .filter(each -> each.name().equals(name()))
          .findFirst();
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
      split = ",",
      paramLabel = "OP",
      description = "What to compute, one or several: ${COMPLETION-CANDIDATES}.")
  private List<Operation> named = new ArrayList<>();

  @Option(
      names = "--zscore",
      description =
          "Also compute zscore: how many standard deviations of its frame a value lies above the"
              + " frame's mean.")
  private boolean zscore;

  @Mixin private FrameOptions frames;

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
      description = "derivative: its order, 1 to 32. Default: ${DEFAULT-VALUE}.")
  private int order;

  @Option(
      names = "--accuracy-order",
      paramLabel = "N",
      defaultValue = "2",
      description =
          "derivative: order of accuracy, an even number, 2 to 64. Default: ${DEFAULT-VALUE}.")
  private int accuracyOrder;

  @Option(
      names = "--spacing",
      paramLabel = "H",
      defaultValue = "1",
      description = "derivative: distance between rows, above 0. Default: ${DEFAULT-VALUE}.")
  private double spacing;

  @Option(
      names = "--sigma",
      paramLabel = "S",
      description = "gaussian: standard deviation, in rows, above 0.")
  private Double sigma;

  @Option(
      names = "--degree",
      paramLabel = "D",
      defaultValue = "2",
      description = "savgol: degree of the polynomial, 0 to 20. Default: ${DEFAULT-VALUE}.")
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
      description = "expr: how often it is applied, 1 or more. Default: ${DEFAULT-VALUE}.")
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
      description =
          "exact (default): the same bits everywhere; fma: the same bits everywhere, with sums of"
              + " products rounded once; fast: may reorder arithmetic.")
  private String accuracy;

  /** Tells whether an operation was asked for. */
  boolean given() {
    return !named.isEmpty() || zscore;
  }

  /** Returns the operations that were asked for, in their order. */
  List<Operation> operations() {
    List<Operation> all = new ArrayList<>(named);
    if (zscore) {
      all.add(Operation.ZSCORE);
    }
    for (Operation each : all) {
      if (Collections.frequency(all, each) > 1) {
        throw new InvalidStencilException(
            "%s is asked for twice; name each op once".formatted(each));
      }
    }
    return all;
  }

  /**
   * Returns what the options describe, by the operations.
   *
   * @throws InvalidStencilException if an option is missing, out of its range, or of another op
   */
  Map<Operation, Calculation> calculations() {
    List<Operation> operations = operations();
    requireOnlyTheirOptions(operations);
    Map<Operation, Calculation> calculations = new LinkedHashMap<>();
    operations.forEach(each -> calculations.put(each, calculation(each)));
    requireRulesOfUse(calculations.values());
    return calculations;
  }

  private Calculation calculation(Operation operation) {
    if (operation == Operation.EXPR) {
      return new OfProgram(program());
    }
    Optional<WindowFunction> window = operation.window();
    return window.isPresent() && (frames.isRange() || operation == Operation.ZSCORE)
        ? new OfWindow(window.get(), frames.frame("--op " + operation))
        : new OfStencil(stencil(operation));
  }

  /** Returns the options by which windows of Spark's were asked for. */
  List<String> windows(Collection<Calculation> calculations) {
    return calculations.stream()
        .filter(OfWindow.class::isInstance)
        .map(each -> (OfWindow) each)
        .map(
            each ->
                each.frame() instanceof WindowFrame.OfOrder order
                    ? order.after().option()
                    : "--zscore")
        .toList();
  }

  /**
   * Returns the program that the options describe, for tiles of rasters.
   *
   * @throws InvalidStencilException if another op is asked for, or the program is none
   */
  TileProgram ofTiles() {
    List<Operation> operations = operations();
    if (!operations.isEmpty() && !operations.equals(List.of(Operation.EXPR))) {
      throw new InvalidStencilException(
          "--op %s goes along series, not over tiles; use --op expr with a program of two axes, such as --expression 'focal_mean(u, 1)' or 'slope(u, 30, 30)'"
              .formatted(names(operations)));
    }
    requireOnlyTheirOptions(List.of(Operation.EXPR));
    if (!parameters.isEmpty()) {
      throw new InvalidStencilException(
          "--parameter is of no use with --tiles; write the numbers into the expression");
    }
    String text =
        required(Operation.EXPR, expression, "--expression TEXT, such as 'focal_mean(u, 1)'");
    String rules = boundary == null ? "reflect" : boundary;
    StencilProgram program = BoundaryText.apply(ProgramText.parse(text, 2), rules);
    Accuracy.parse(accuracy());
    return TileProgram.of(program, text, steps, rules, accuracy());
  }

  private ColumnProgram program() {
    StencilProgram program =
        ProgramText.parse(
            required(Operation.EXPR, expression, "--expression TEXT, such as 'u[-1] + u[1]'"), 1);
    if (boundary != null) {
      program = BoundaryText.apply(program, boundary);
    }
    program = program.withAccuracy(Accuracy.parse(accuracy()));
    return new ColumnProgram(program, steps, parameters);
  }

  private Stencil stencil(Operation operation) {
    Stencil stencil =
        switch (operation) {
          case MEAN -> Stencil.mean(rows(operation));
          case SUM -> Stencil.sum(rows(operation));
          case MIN -> Stencil.min(rows(operation));
          case MAX -> Stencil.max(rows(operation));
          case COUNT -> Stencil.count(rows(operation));
          case WEIGHTED -> weighted();
          case DERIVATIVE -> StandardStencils.derivative(order, accuracyOrder, spacing);
          case GAUSSIAN ->
              StandardStencils.gaussian(
                  required(operation, sigma, "--sigma S, the standard deviation in rows"));
          case SAVGOL ->
              StandardStencils.savitzkyGolay(
                  required(operation, frames.radius(), "--radius K, the rows on each side"),
                  degree);
          case EXPR, ZSCORE -> throw new IllegalStateException(operation + " is no stencil");
        };
    Boundary rule = boundary == null ? Boundary.DEFAULT : Boundary.parse(boundary);
    return stencil.withBoundary(rule).withAccuracy(Accuracy.parse(accuracy()));
  }

  private Frame rows(Operation operation) {
    return ((WindowFrame.OfRows) frames.frame("--op " + operation)).frame();
  }

  private String accuracy() {
    return accuracy == null ? "exact" : accuracy;
  }

  /** Returns what the user should know about the stencils, if anything. */
  Optional<String> note() {
    String weighted =
        operations().stream()
            .filter(each -> !frames.isRange() || each.window().isEmpty())
            .filter(each -> each != Operation.EXPR && each != Operation.ZSCORE)
            .filter(each -> stencil(each).reduction() == Reduction.WEIGHTED_SUM)
            .map(Operation::toString)
            .collect(Collectors.joining(", "));
    return boundary == null && !weighted.isEmpty()
        ? Optional.of(
            "the boundary is shrink, which omits the taps beyond the ends: the first and last results of a %s are of little use; --boundary valid makes them null, nearest or reflect extend the series"
                .formatted(weighted))
        : Optional.empty();
  }

  private Stencil weighted() {
    double[] values =
        required(Operation.WEIGHTED, weights, "--weights W,.., one for each cell of the frame")
            .stream()
            .mapToDouble(Double::doubleValue)
            .toArray();
    if (!frames.countsRows()) {
      if (values.length % 2 == 0) {
        throw new InvalidStencilException(
            "%d weights have no middle; use --preceding and --following to name their cells"
                .formatted(values.length));
      }
      return Stencil.weighted(Frame.radius(values.length / 2), values);
    }
    return Stencil.weighted(rows(Operation.WEIGHTED), values);
  }

  /** Refuses options that no operation reads, so that none is silently without effect. */
  private void requireOnlyTheirOptions(List<Operation> operations) {
    String foreign =
        command.commandLine().getParseResult().matchedOptions().stream()
            .map(OptionSpec::longestName)
            .filter(option -> operations.stream().noneMatch(o -> o.options().contains(option)))
            .filter(
                option -> Stream.of(Operation.values()).anyMatch(o -> o.options().contains(option)))
            .collect(Collectors.joining(", "));
    if (!foreign.isEmpty()) {
      throw new InvalidStencilException(
          operations.isEmpty()
              ? "%s is of no use without --op".formatted(foreign)
              : "--op %s does not take %s; omit it or choose another op"
                  .formatted(names(operations), foreign));
    }
  }

  private static String names(List<Operation> operations) {
    return operations.stream().map(Operation::toString).collect(Collectors.joining(","));
  }

  /** Refuses a boundary and an accuracy that windows of Spark's would not follow. */
  private void requireRulesOfUse(Collection<Calculation> calculations) {
    boolean shrinks = boundary == null || Boundary.DEFAULT.toString().equals(boundary);
    boolean exact = accuracy().equals("exact");
    boolean windows = calculations.stream().anyMatch(OfWindow.class::isInstance);
    boolean others = !calculations.stream().allMatch(OfWindow.class::isInstance);
    if (!windows || (shrinks && exact)) {
      if (calculations.isEmpty() && (boundary != null || accuracy != null)) {
        throw new InvalidStencilException(
            "%s is of no use without --op"
                .formatted(boundary == null ? "--accuracy" : "--boundary"));
      }
      return;
    }
    if (!others || zscore || named.contains(Operation.ZSCORE)) {
      throw new InvalidStencilException(
          "%s is of no use for %s, whose frames have the rows that there are, and Spark's bits; omit it"
              .formatted(
                  shrinks ? "--accuracy " + accuracy : "--boundary " + boundary,
                  frames.isRange() ? "frames along the order column" : "zscores"));
    }
  }

  private static <T> T required(Operation operation, T given, String option) {
    if (given == null) {
      throw new InvalidStencilException("--op %s needs %s".formatted(operation, option));
    }
    return given;
  }
}

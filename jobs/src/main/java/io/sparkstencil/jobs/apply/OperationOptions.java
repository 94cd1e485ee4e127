/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.command.FrameAccuracy;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.StandardStencils;
import io.sparkstencil.model.Stencil;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that say what is computed, and the stencil that they make. */
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
    SAVGOL;

    /** Returns which of the options below it takes. */
    private List<String> options() {
      return switch (this) {
        case MEAN, SUM, MIN, MAX, COUNT -> List.of("--radius", "--preceding", "--following");
        case WEIGHTED -> List.of("--radius", "--preceding", "--following", "--weights");
        case DERIVATIVE -> List.of("--order", "--accuracy-order", "--spacing");
        case GAUSSIAN -> List.of("--sigma");
        case SAVGOL -> List.of("--radius", "--degree");
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
      names = "--boundary",
      paramLabel = "RULE",
      description =
          "Rule beyond the ends: shrink (default), valid, nearest, reflect, mirror, wrap, constant:C.")
  private String boundary;

  @Option(
      names = "--accuracy",
      converter = FrameAccuracy.class,
      paramLabel = "A",
      defaultValue = "exact",
      description = "exact (default): the same bits everywhere; fast: may reorder arithmetic.")
  private Accuracy accuracy;

  /** Returns the operation that was asked for. */
  Operation operation() {
    return operation;
  }

  /**
   * Returns the stencil that the options describe.
   *
   * @throws InvalidStencilException if an option is missing, out of its range, or of another op
   */
  Stencil stencil() {
    requireOnlyItsOptions();
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
        };
    Boundary rule = boundary == null ? Boundary.DEFAULT : Boundary.parse(boundary);
    return stencil.withBoundary(rule).withAccuracy(accuracy);
  }

  /** Returns what the user should know about the stencil, if anything. */
  Optional<String> note() {
    boolean weighted = stencil().reduction() == Reduction.WEIGHTED_SUM;
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

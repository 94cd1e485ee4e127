/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.tune;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Option;

/** Which windows to tune. */
final class WindowOptions {
  /** What {@code --op} names. */
  enum Operation {
    MEAN,
    SUM,
    MIN,
    MAX,
    WEIGHTED;

    /** Returns the stencil of {@code radius}; the values of weights do not change a schedule. */
    private Stencil stencil(int radius) {
      Frame frame = Frame.radius(radius);
      return switch (this) {
        case MEAN -> Stencil.mean(frame);
        case SUM -> Stencil.sum(frame);
        case MIN -> Stencil.min(frame);
        case MAX -> Stencil.max(frame);
        case WEIGHTED -> {
          double[] weights = new double[frame.width()];
          Arrays.setAll(weights, i -> i + 1);
          yield Stencil.weighted(frame, weights);
        }
      };
    }
  }

  private static final int LARGEST_RADIUS = 1 << 20;
  private static final int LEAST_CELLS = 1 << 10;
  private static final int MOST_CELLS = 1 << 29;

  @Option(
      names = "--op",
      split = ",",
      paramLabel = "OP",
      description = "Any of mean, sum, min, max, weighted. Default: all.")
  private List<Operation> operations; // null if not given, as the others

  @Option(
      names = "--radius",
      split = ",",
      paramLabel = "K",
      description = "Cells on each side, 0 to 1048576. Default: 1,2,4,8,16,32.")
  private List<Integer> radii;

  @Option(
      names = "--cells",
      paramLabel = "N",
      description = "Results per launch, 1024 to 536870912. Default: 67108864.")
  private Integer cells;

  /** Checks that none of these options is given, for a program has other ones. */
  void requireNone() {
    String given =
        operations != null ? "--op" : radii != null ? "--radius" : cells != null ? "--cells" : null;
    if (given != null) {
      throw new InvalidStencilException(
          "%s is for windows; leave out %s or --expression".formatted(given, given));
    }
  }

  /** Returns the results of a launch. */
  int cells() {
    return cells == null ? 1 << 26 : TuneCommand.inRange("--cells", cells, LEAST_CELLS, MOST_CELLS);
  }

  /** Returns every combination of what was asked for, without means of integers among others. */
  List<StencilSpec> specs(List<ElementType> types, List<Accuracy> accuracies) {
    List<Operation> all = operations == null ? List.of(Operation.values()) : operations;
    List<Integer> sides = radii == null ? List.of(1, 2, 4, 8, 16, 32) : radii;
    sides.forEach(radius -> TuneCommand.inRange("--radius", radius, 0, LARGEST_RADIUS));
    List<StencilSpec> specs = new ArrayList<>();
    for (Operation operation : all) {
      for (ElementType type : types) {
        if (operation == Operation.MEAN && !type.isFloating() && all.size() > 1) {
          continue; // engines compute means of integers in F64
        }
        for (Accuracy accuracy : accuracies) {
          for (int radius : sides) {
            specs.add(new StencilSpec(operation.stencil(radius).withAccuracy(accuracy), type));
          }
        }
      }
    }
    return specs;
  }
}

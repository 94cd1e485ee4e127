/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.tune;

import io.sparkstencil.engine.EngineProvider;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.engine.ScheduleTuning;
import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.command.ExitCode;
import io.sparkstencil.jobs.command.FrameAccuracy;
import io.sparkstencil.jobs.command.SparkCommand;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import scala.Tuple2;

/** {@code stencil tune}: measures schedules on the GPU at hand and keeps the fastest. */
@Command(
    name = "tune",
    description = "Measures kernel schedules on this machine's GPU and stores the fastest.",
    mixinStandardHelpOptions = true)
public final class TuneCommand extends SparkCommand {
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
  private static final int MOST_REPEATS = 1000;

  @Option(
      names = "--op",
      split = ",",
      paramLabel = "OP",
      defaultValue = "mean,sum,min,max,weighted",
      description = "Any of mean, sum, min, max, weighted. Default: all.")
  private List<Operation> operations;

  @Option(
      names = "--radius",
      split = ",",
      paramLabel = "K",
      defaultValue = "1,2,4,8,16,32",
      description = "Cells on each side. Default: ${DEFAULT-VALUE}.")
  private List<Integer> radii;

  @Option(
      names = "--type",
      split = ",",
      paramLabel = "T",
      defaultValue = "f32,f64",
      description = "Any of f32, f64, i32, i64. Default: ${DEFAULT-VALUE}.")
  private List<ElementType> types;

  @Option(
      names = "--accuracy",
      converter = FrameAccuracy.class,
      split = ",",
      paramLabel = "A",
      defaultValue = "exact",
      description = "Any of exact, fast. Default: ${DEFAULT-VALUE}.")
  private List<Accuracy> accuracies;

  @Option(
      names = "--cells",
      paramLabel = "N",
      defaultValue = "67108864",
      description = "Results per launch. Default: ${DEFAULT-VALUE}.")
  private int cells;

  @Option(
      names = "--repeats",
      paramLabel = "N",
      defaultValue = "7",
      description = "Samples per schedule, of four launches each. Default: ${DEFAULT-VALUE}.")
  private int repeats;

  @Option(
      names = "--device",
      paramLabel = "GPU",
      description = "Index, UUID or PCI bus id. Default: spark.stencil.gpu.device, or the first.")
  private String device;

  @Option(
      names = "--folder",
      paramLabel = "FOLDER",
      description = "The folder for schedules. Default: spark.stencil.gpu.tuningFolder.")
  private Path folder;

  @Override
  public Integer call() {
    requireRange("--cells", cells, LEAST_CELLS, MOST_CELLS);
    requireRange("--repeats", repeats, 1, MOST_REPEATS);
    radii.forEach(radius -> requireRange("--radius", radius, 0, LARGEST_RADIUS));
    Map<String, String> values = new HashMap<>();
    for (Tuple2<String, String> each : sparkOptions().sparkConf().getAll()) {
      if (each._1.startsWith("spark.stencil.")) {
        values.put(each._1, each._2);
      }
    }
    if (device != null) {
      values.put(EngineProvider.DEVICE_OPTION, device);
    }
    List<StencilSpec> specs = specs();
    int widest = specs.stream().mapToInt(spec -> spec.frame().width()).max().orElseThrow();
    try (ScheduleTuning search =
        open(
            new ScheduleTuning.Request(
                values, Optional.ofNullable(folder), cells, repeats, widest))) {
      err().println(search.description());
      List<String> rows = new ArrayList<>();
      for (StencilSpec spec : specs) {
        ScheduleTuning.Outcome outcome = search.tune(spec);
        rows.add(row(spec, outcome));
        err()
            .printf(
                "[%d/%d] %s of %d cells: %d schedules measured%n",
                rows.size(),
                specs.size(),
                spec.reduction().name().toLowerCase(Locale.ROOT),
                spec.frame().width(),
                outcome.measured());
        err().flush();
      }
      out().println("op           cells type accuracy  selected ms  tuned ms    gain  schedule");
      rows.forEach(out()::println);
      out().println("Stored in " + search.file());
      return ExitCode.DONE;
    }
  }

  private static ScheduleTuning open(ScheduleTuning.Request request) {
    return Engines.discover().stream()
        .flatMap(provider -> provider.openTuning(request).stream())
        .findFirst()
        .orElseThrow(
            () ->
                new EngineUnavailableException(
                    "no engine here has schedules to measure; use the complete Spark Stencil jar"));
  }

  /** Returns every combination of what was asked for, without means of integers among others. */
  private List<StencilSpec> specs() {
    List<StencilSpec> specs = new ArrayList<>();
    for (Operation operation : operations) {
      for (ElementType type : types) {
        if (operation == Operation.MEAN && !type.isFloating() && operations.size() > 1) {
          continue; // engines compute means of integers in F64
        }
        for (Accuracy accuracy : accuracies) {
          for (int radius : radii) {
            specs.add(new StencilSpec(operation.stencil(radius).withAccuracy(accuracy), type));
          }
        }
      }
    }
    return specs;
  }

  static String row(StencilSpec spec, ScheduleTuning.Outcome outcome) {
    OptionalDouble before = outcome.selectedMillis();
    double gain = 100 * (before.orElse(0) / outcome.millis() - 1);
    return "%-12s %5d %-4s %-8s"
            .formatted(spec.reduction(), spec.frame().width(), spec.type(), spec.accuracy())
            .toLowerCase(Locale.ROOT)
        + " %12s %9.4f %7s  %s"
            .formatted(
                before.isPresent() ? "%.4f".formatted(before.getAsDouble()) : "-",
                outcome.millis(),
                before.isPresent() ? "%.1f %%".formatted(gain) : "-",
                outcome.schedule());
  }

  private static void requireRange(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new InvalidStencilException(
          "%s is %d; use %d to %d".formatted(option, value, least, most));
    }
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.tune;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.engine.ProgramEngines;
import io.sparkstencil.engine.ProgramTuning;
import io.sparkstencil.engine.ScheduleTuning;
import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.command.ExitCode;
import io.sparkstencil.jobs.command.SparkCommand;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.StencilProgram;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stencil tune}: measures kernels on the GPU at hand and keeps the fastest. */
@Command(
    name = "tune",
    description =
        "Measures kernels of windows, or of a program, on this machine's GPU and stores the"
            + " fastest.",
    mixinStandardHelpOptions = true)
public final class TuneCommand extends SparkCommand {
  private static final int MOST_REPEATS = 1000;

  @Mixin private WindowOptions windows;
  @Mixin private ProgramOptions programs;

  @Option(
      names = "--type",
      split = ",",
      paramLabel = "T",
      defaultValue = "f32,f64",
      description = "Any of f32, f64, i32, i64; programs have f32, f64. Default: ${DEFAULT-VALUE}.")
  private List<ElementType> types;

  @Option(
      names = "--accuracy",
      split = ",",
      paramLabel = "A",
      defaultValue = "exact",
      description = "Any of exact, fma, fast. Default: ${DEFAULT-VALUE}.")
  private List<String> accuracies;

  @Option(
      names = "--repeats",
      paramLabel = "N",
      defaultValue = "7",
      description =
          "Samples per kernel, of several launches each, 1 to 1000. Default: ${DEFAULT-VALUE}.")
  private int repeats;

  @Option(
      names = "--device",
      paramLabel = "GPU",
      description = "Index, UUID or PCI bus id. Default: spark.stencil.gpu.device, or the first.")
  private String device;

  @Option(
      names = "--folder",
      paramLabel = "FOLDER",
      description = "The folder for what is found. Default: spark.stencil.gpu.tuningFolder.")
  private Path folder;

  @Override
  public Integer call() {
    inRange("--repeats", repeats, 1, MOST_REPEATS);
    if (programs.given()) {
      windows.requireNone();
      tunePrograms();
    } else {
      tuneWindows();
    }
    return ExitCode.DONE;
  }

  private void tuneWindows() {
    List<StencilSpec> specs = windows.specs(types, accuracies());
    int widest = specs.stream().mapToInt(spec -> spec.frame().width()).max().orElseThrow();
    ScheduleTuning.Request request =
        new ScheduleTuning.Request(
            sparkOptions().engineOptions(device),
            Optional.ofNullable(folder),
            windows.cells(),
            repeats,
            widest);
    try (ScheduleTuning search =
        Engines.discover().stream()
            .flatMap(provider -> provider.openTuning(request).stream())
            .findFirst()
            .orElseThrow(TuneCommand::nothingToMeasure)) {
      err().println(search.description());
      List<String> rows = new ArrayList<>();
      for (StencilSpec spec : specs) {
        ScheduleTuning.FoundSchedule outcome = search.tune(spec);
        rows.add(TuningTable.row(spec, outcome));
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
      print(TuningTable.OF_WINDOWS, rows, search.file());
    }
  }

  private void tunePrograms() {
    types.forEach(ProgramOptions::requireFloating);
    Extent extent = programs.extent();
    List<StencilProgram> all = accuracies().stream().map(programs::program).toList();
    ProgramTuning.Request request =
        new ProgramTuning.Request(
            sparkOptions().engineOptions(device),
            Optional.ofNullable(folder),
            repeats,
            programs.seconds());
    try (ProgramTuning search =
        ProgramEngines.discover().stream()
            .flatMap(provider -> provider.openTuning(request).stream())
            .findFirst()
            .orElseThrow(TuneCommand::nothingToMeasure)) {
      err().println(search.description());
      List<String> rows = new ArrayList<>();
      for (ElementType type : types) {
        for (StencilProgram program : all) {
          ProgramTuning.FoundProgram outcome = search.tune(program, type, extent, this::report);
          rows.add(TuningTable.row(type, program.accuracy(), extent, outcome));
        }
      }
      print(TuningTable.OF_PROGRAMS, rows, search.file());
    }
  }

  private void report(ProgramTuning.Trial trial) {
    err().println(TuningTable.line(trial));
    err().flush();
  }

  private void print(String header, List<String> rows, Path file) {
    out().println(header);
    rows.forEach(out()::println);
    out().println("Stored in " + file);
  }

  private List<Accuracy> accuracies() {
    return accuracies.stream().map(Accuracy::parse).toList();
  }

  private static EngineUnavailableException nothingToMeasure() {
    return new EngineUnavailableException(
        "no engine here has kernels to measure; use the complete Spark Stencil jar");
  }

  /** Returns the value of an option, which must be within its limits. */
  static int inRange(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new InvalidStencilException(
          "%s is %d; use %d to %d".formatted(option, value, least, most));
    }
    return value;
  }
}

/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks;

import io.sparkstencil.benchmarks.arrays.ArrayBenchmark;
import io.sparkstencil.benchmarks.arrays.RapidsBenchmark;
import io.sparkstencil.benchmarks.arrays.TileBenchmark;
import io.sparkstencil.benchmarks.cpu.CpuEngineSuite;
import io.sparkstencil.benchmarks.files.FieldBenchmark;
import io.sparkstencil.benchmarks.grids.GridBenchmark;
import io.sparkstencil.benchmarks.kernels.KernelBenchmark;
import io.sparkstencil.benchmarks.pipeline.CopyBenchmark;
import io.sparkstencil.benchmarks.pipeline.PipelineBenchmark;
import io.sparkstencil.benchmarks.programs.ProgramBenchmark;
import io.sparkstencil.benchmarks.soak.SoakBenchmark;
import io.sparkstencil.benchmarks.windows.MemoryBenchmark;
import io.sparkstencil.benchmarks.windows.RunningBenchmark;
import io.sparkstencil.benchmarks.windows.ShapeBenchmark;
import io.sparkstencil.benchmarks.windows.SmallBenchmark;
import io.sparkstencil.benchmarks.windows.SqlBenchmark;
import io.sparkstencil.benchmarks.windows.SuiteBenchmark;
import io.sparkstencil.benchmarks.windows.WindowBenchmark;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** All benchmarks, as subcommands; {@code --help} after any of them says what it takes. */
@Command(
    name = "benchmarks",
    description = "Measures, and writes results as JSON and a table.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "SUITE",
    subcommands = {
      CpuEngineSuite.class,
      KernelBenchmark.class,
      ProgramBenchmark.class,
      PipelineBenchmark.class,
      CopyBenchmark.class,
      GridBenchmark.class,
      SoakBenchmark.class,
      ArrayBenchmark.class,
      RapidsBenchmark.class,
      TileBenchmark.class,
      FieldBenchmark.class,
      WindowBenchmark.class,
      MemoryBenchmark.class,
      SqlBenchmark.class,
      ShapeBenchmark.class,
      SmallBenchmark.class,
      SuiteBenchmark.class,
      RunningBenchmark.class
    })
public final class Benchmarks {
  private Benchmarks() {}

  /** Returns the command line. */
  static CommandLine commandLine() {
    return new CommandLine(new Benchmarks())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true);
  }

  /** Runs a benchmark and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }
}

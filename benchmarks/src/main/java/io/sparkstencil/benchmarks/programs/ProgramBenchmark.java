/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.programs;

import io.sparkstencil.benchmarks.harness.BenchmarkCommand;
import io.sparkstencil.cuda.CudaDriver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Times stencil programs on a GPU, and on the CPU beside a plain loop and Python. */
@Command(name = "programs", description = "Stencil programs on a GPU and on the CPU.")
public final class ProgramBenchmark extends BenchmarkCommand {
  /** Where programs run. */
  enum ProgramPlace {
    /** On the first GPU. */
    GPU,
    /** On this machine's cores. */
    CPU
  }

  @Option(
      names = "--places",
      split = ",",
      defaultValue = "gpu,cpu",
      description = "Where programs run: ${COMPLETION-CANDIDATES}.")
  private List<ProgramPlace> places;

  @Option(
      names = "--names",
      defaultValue = ".*",
      paramLabel = "REGEX",
      description = "Rows to measure, such as 'program/five/.*'.")
  private Pattern names;

  @Option(
      names = "--seconds",
      defaultValue = "600",
      description = "After this time, no other program is begun.")
  private int seconds;

  @Option(
      names = "--cpu-size",
      defaultValue = "8192",
      description = "The rows, and the columns, of the field on the CPU.")
  private int cpuSize;

  @Option(
      names = "--cpu-steps",
      defaultValue = "100",
      description = "The steps of a run on the CPU.")
  private int cpuSteps;

  @Option(
      names = "--python",
      defaultValue = "benchmarks/python/programs.py",
      description = "The script that times NumPy and SciPy.")
  private Path python;

  @Override
  protected void measure() throws IOException {
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    if (places.contains(ProgramPlace.CPU)) {
      // first: the rows of starting are of a new JVM
      new CpuRows(names, cpuSize, cpuSteps, end, this::add).measure(python);
    }
    Optional<String> noGpu = CudaDriver.get().unavailableReason();
    if (places.contains(ProgramPlace.GPU) && noGpu.isPresent()) {
      System.out.println("no rows of a GPU: " + noGpu.get());
    } else if (places.contains(ProgramPlace.GPU)) {
      measureDevice(end);
    }
  }

  private void measureDevice(long end) {
    try (DeviceRows device = new DeviceRows(CudaDriver.get(), this::add)) {
      for (MeasuredProgram what : MeasuredProgram.all()) {
        if (!names.matcher(what.name()).matches()) {
          continue;
        }
        if (System.nanoTime() > end) {
          System.out.printf("left out after %d s: %s%n", seconds, what.name());
        } else {
          measure(device, what);
        }
      }
    }
  }

  /** One program that fails does not cost the rows of the others. */
  private static void measure(DeviceRows device, MeasuredProgram what) {
    try {
      device.measure(what);
    } catch (RuntimeException e) {
      System.out.printf("%s FAILED: %s%n", what.name(), e);
    }
  }
}
